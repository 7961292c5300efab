/**
 * The tasks of a server that we wait for, in either era. No task is left running when its caller gives up.
 * The caller sends the requests that follow or cancel a task.
 */
import { linkedController, settlesWithin } from '../../../base/async.ts';
import { isMcpError, isRpcError } from '../../errors.ts';
import type { Diagnostic } from '../../transport/transport.ts';
import { connectionEnded, isTerminal, type TaskState } from './task.ts';

/** Time limit for requests that nobody waits for any more, in milliseconds. */
export const farewellMs = 2_000;

export interface RunningTasksOwner {
  /** Tells the server that nobody waits for the task. Never rejects. */
  cancel(task: TaskState, tool: string): Promise<void>;
  diagnose(level: Diagnostic['level'], text: string): void;
}

export interface RunningTask {
  /** Also aborts when the task is over. */
  readonly signal: AbortSignal;
  /** Call with each known state. */
  readonly onState: (state: TaskState) => void;
}

interface Entry {
  readonly tool: string;
  readonly controller: AbortController;
  last: TaskState;
}

export class RunningTasks {
  readonly #owner: RunningTasksOwner;
  readonly #byId = new Map<string, Entry>();
  /** Cancellations under way. */
  readonly #farewells = new Set<Promise<void>>();
  #isClosing = false;

  constructor(owner: RunningTasksOwner) {
    this.#owner = owner;
  }

  has(taskId: string): boolean {
    return this.#byId.has(taskId);
  }

  /** Aborts when the task is over. Undefined for a task that we do not wait for. */
  signalOf(taskId: string): AbortSignal | undefined {
    return this.#byId.get(taskId)?.controller.signal;
  }

  /** Runs `follow` until it has the result. Cancels the task if `follow` leaves it before its end. */
  async run<T>(
    tool: string,
    seed: TaskState,
    signal: AbortSignal,
    follow: (task: RunningTask) => Promise<T>,
  ): Promise<T> {
    const linked = linkedController(signal);
    const { controller } = linked;
    const entry: Entry = { tool, controller, last: seed };
    this.#byId.set(seed.id, entry);
    this.#owner.diagnose('debug', `"${tool}" runs as a task of the server`);
    try {
      return await follow({
        signal: controller.signal,
        onState: (state) => {
          entry.last = state;
        },
      });
    } catch (error) {
      // A task that the server no longer knows cannot be cancelled.
      const isLost = isMcpError(error) && error.code === 'closed' && isRpcError(error.cause);
      if (!isLost && !this.#isClosing && !isTerminal(entry.last)) {
        this.bidFarewell(this.#owner.cancel(entry.last, tool));
      }
      throw error;
    } finally {
      this.#byId.delete(seed.id);
      controller.abort();
      linked.dispose();
      this.#owner.diagnose('debug', `The task of "${tool}" was last known as ${entry.last.status}`);
    }
  }

  /** Adds a cancellation for {@link close} to wait for. */
  bidFarewell(farewell: Promise<void>): void {
    this.#farewells.add(farewell);
    void farewell.finally(() => this.#farewells.delete(farewell));
  }

  /** Cancels every task and tells the server, within {@link farewellMs}. Never rejects. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { tool, controller, last } of this.#byId.values()) {
      this.bidFarewell(this.#owner.cancel(last, tool));
      controller.abort(connectionEnded());
    }
    await settlesWithin(Promise.allSettled(this.#farewells), farewellMs);
  }
}
