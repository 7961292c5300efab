/**
 * One attempt to run a server, from its beginning to its end: the signal for all its work, the session once there is
 * one, and the subscriptions to it.
 */
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { linkedController, onAbort } from '../../base/async.ts';
import type { MemoryAccount } from '../../base/memory.ts';
import type { Session } from '../../mcp/session/session.ts';
import type { Reach } from './liveness.ts';
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

  /** Resolves when nothing of the run is left. Never rejects: a failure to end cleanly is logged. */
  async end(reason: Error, output: Pick<ServerOutput, 'log' | 'toError'>): Promise<void> {
    this.store.dispose();
    this.#controller.abort(reason);
    try {
      await this.begun;
      await this.session?.close();
    } catch (error) {
      output.log.warn(`The server did not end cleanly: ${output.toError(error).message}`);
    }
  }
}
