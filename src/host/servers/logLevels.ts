/**
 * The level of log notifications that one server is asked for: the lowest that its listeners want. Each listener
 * filters messages below its own level itself.
 */
import type { Session } from '../../mcp/session/session.ts';
import type { LoggingLevel } from '../../mcp/types/methods.ts';
import type { ServerOutput } from './serverOutput.ts';

/** Least severe first. */
export const loggingLevels: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

export class LogLevels {
  readonly #wanted = new Map<object, LoggingLevel>();
  readonly #session: () => Session | undefined;
  readonly #output: ServerOutput;

  /** `session`: the current one, if any. */
  constructor(session: () => Session | undefined, output: ServerOutput) {
    this.#session = session;
    this.#output = output;
  }

  /** Undefined: the listener wants no more messages. */
  set(listener: object, level: LoggingLevel | undefined): void {
    const before = this.#least();
    if (level === undefined) {
      this.#wanted.delete(listener);
    } else {
      this.#wanted.set(listener, level);
    }
    if (this.#least() !== before) {
      this.send();
    }
  }

  /** Tells the server, if it logs and somebody listens. */
  send(): void {
    const session = this.#session();
    const level = this.#least();
    if (level !== undefined && session?.server.capabilities.logging !== undefined) {
      session.setLogLevel(level).catch((error: unknown) => {
        const { message } = this.#output.toError(error);
        this.#output.log.warn(`Could not set the log level: ${message}`);
      });
    }
  }

  #least(): LoggingLevel | undefined {
    const wanted = new Set(this.#wanted.values());
    return loggingLevels.find((level) => wanted.has(level));
  }
}
