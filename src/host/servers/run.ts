/**
 * One attempt to run a server, from its beginning to its end: the signal for all its work, the session once there is
 * one, and the subscriptions to it.
 */
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { linkedController, onAbort } from '../../base/async.ts';
import type { MemoryAccount } from '../../base/memory.ts';
import type { Session } from '../../mcp/session/session.ts';
import type { Reach } from './liveness.ts';
import type { McpError } from '../../mcp/errors.ts';
import type { ServerOutput } from './serverOutput.ts';

export class Run {
  readonly #controller = new AbortController();
  readonly store = new DisposableStore();
  /** Of the server; after the run's end, the data of the run is released. */
  readonly memory: MemoryAccount;
  /** Resolves when the attempt to start is over, successful or not. */
  begun: Promise<void> = Promise.resolve();
  session: Session | undefined;
  /** Undefined before it is known. */
  reach: Reach | undefined;
  /** Whether a person has just asked for the start, and can answer questions about it. */
  isAsked: boolean;
  /** Uses of the session under way. */
  uses = 0;
  /** Those of them that a person has just started. */
  #askedUses = 0;
  /** The clock's time at which the session became usable. */
  readySince = 0;

  constructor(isAsked: boolean, memory: MemoryAccount & Disposable) {
    this.isAsked = isAsked;
    this.memory = this.store.add(memory);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Only work that a person has just started may ask: the person waits for the start, or for an answer of the server.
   * Starts by a window, the bridge or another server's change show in the state what they need.
   */
  get mayAsk(): boolean {
    return this.session === undefined ? this.isAsked : this.#askedUses > 0;
  }

  /**
   * Runs `work` with a signal that aborts when the caller cancels or the run ends.
   * @param isAsked whether a person has just started it
   */
  async during<T>(
    caller: AbortSignal,
    work: (both: AbortSignal) => Promise<T>,
    isAsked = false,
  ): Promise<T> {
    const linked = linkedController(this.signal);
    const abortion = onAbort(caller, () => linked.controller.abort(caller.reason));
    const asked = isAsked ? 1 : 0;
    this.uses += 1;
    this.#askedUses += asked;
    try {
      return await work(linked.controller.signal);
    } finally {
      this.uses -= 1;
      this.#askedUses -= asked;
      abortion.dispose();
      linked.dispose();
    }
  }

  /** Resolves when nothing of the run is left. */
  async end(reason: Error): Promise<void> {
    this.store.dispose();
    this.#controller.abort(reason);
    await this.begun;
    await this.session?.close();
  }
}

/** The ends of a server's runs: the next run waits until everything of earlier ones is gone. */
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
