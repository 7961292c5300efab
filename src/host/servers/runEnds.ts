/** The ends of a server's runs: the next run waits until everything of earlier ones is gone. */
import type { McpError } from '../../mcp/errors.ts';
import type { Run } from './run.ts';
import type { ServerOutput } from './serverOutput.ts';

export class RunEnds {
  readonly #output: Pick<ServerOutput, 'log' | 'toError'>;
  #all: Promise<void> = Promise.resolve();

  constructor(output: Pick<ServerOutput, 'log' | 'toError'>) {
    this.#output = output;
  }

  /** Resolves when nothing is left of the added runs. Never rejects. */
  get all(): Promise<void> {
    return this.#all;
  }

  /** Ends a run. A failure to end cleanly is logged. */
  add(run: Pick<Run, 'end'>, reason: McpError): void {
    this.#all = Promise.all([this.#all, run.end(reason)]).then(
      () => undefined,
      (error: unknown) => {
        const { message } = this.#output.toError(error);
        this.#output.log.warn(`The server did not end cleanly: ${message}`);
      },
    );
  }
}
