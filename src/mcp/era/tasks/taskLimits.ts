/**
 * How long a call that becomes a task is waited for: its caller, its limit in all, the connection, and
 * whoever looks at what runs ({@link TaskCalls}).
 */
import { after, linkedController } from '../../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../../base/disposable.ts';
import { McpError, abortedError } from '../../errors.ts';
import type { Params } from '../../rpc/message.ts';
import {
  type InFlight,
  type RunningRequest,
  cancelledByUser,
  prolonged,
} from '../../rpc/runningRequest.ts';
import type { Progress } from '../../rpc/peer.ts';
import type { CallOptions, RequestTimes } from '../session.ts';
import { connectionEnded } from './taskErrors.ts';
import { TaskProgress } from './taskProgress.ts';

export interface TaskCallOptions extends Pick<
  CallOptions,
  'signal' | 'onProgress' | 'trace' | 'origin'
> {
  readonly times: RequestTimes;
}

/** The longest time that a timer takes. */
const maxTimerMs = 2 ** 31 - 1;
const method = 'tools/call';

class TaskCall implements RunningRequest, Disposable {
  readonly key = this;
  readonly method = method;
  readonly isTask = true;
  readonly startedAt = performance.now();
  readonly params: Params;
  readonly origin: unknown;
  readonly times: RequestTimes;
  readonly told: TaskProgress;
  readonly #controller: AbortController;
  readonly #limit = new MutableDisposable<Disposable>();
  #expiresAt: number;

  constructor(params: Params, options: TaskCallOptions, controller: AbortController) {
    const { origin, times, onProgress } = options;
    this.params = params;
    this.origin = origin;
    // Questions for its state have limits of their own; the task may be silent for as long as it likes.
    this.times = { ...times, idleMs: Infinity };
    this.told = new TaskProgress(onProgress);
    this.#controller = controller;
    this.#expiresAt = this.startedAt + times.totalMs;
    this.#arm();
  }

  get progress(): Progress | undefined {
    return this.told.current;
  }

  get dueAt(): number {
    return this.#expiresAt;
  }

  cancel(): void {
    this.#controller.abort(cancelledByUser(method));
  }

  keepWaiting(): void {
    this.#expiresAt = prolonged(this.#expiresAt, this.startedAt, this.times.totalMs);
    this.#arm();
  }

  dispose(): void {
    this.#limit.dispose();
  }

  #arm(): void {
    const leftMs = this.#expiresAt - performance.now();
    if (leftMs <= maxTimerMs) {
      this.#limit.value = after(leftMs, () => this.#expire());
    }
  }

  #expire(): void {
    const seconds = Math.round((this.#expiresAt - this.startedAt) / 100) / 10;
    const { totalHint } = this.times;
    const hint = totalHint === undefined ? '' : `, ${totalHint}`;
    const text = `"${method}" was not done within its limit of ${seconds} s in all${hint}`;
    this.#controller.abort(new McpError('timeout', text));
  }
}

/** Calls of one conversation that run as tasks, or may. */
export class TaskCalls {
  readonly #calls = new Set<TaskCall>();
  readonly #lifetime: AbortSignal;
  /** These calls, and requests like others. */
  readonly inFlight: InFlight;

  /** @param lifetime aborts with the connection */
  constructor(requests: InFlight, lifetime: AbortSignal) {
    this.#lifetime = lifetime;
    const calls = this.#calls;
    this.inFlight = {
      *running() {
        yield* calls;
        yield* requests.running();
      },
      watch: (listener) => requests.watch(listener),
    };
  }

  /**
   * Runs `work` with a signal that aborts when nobody waits any more.
   * @throws McpError `cancelled`, `timeout` or `closed` when it did; else what `work` throws
   */
  async withinLimits<T>(
    params: Params,
    options: TaskCallOptions,
    work: (signal: AbortSignal, progress: TaskProgress) => Promise<T>,
  ): Promise<T> {
    const { signal } = options;
    if (signal?.aborted === true) {
      throw abortedError(signal, `"${method}"`);
    }
    const both = linkedController(this.#lifetime);
    const { controller } = both;
    const onAbort = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const call = new TaskCall(params, options, controller);
    this.#calls.add(call);
    try {
      return await work(controller.signal, call.told);
    } catch (error) {
      throw controller.signal.aborted ? this.#endOf(controller.signal) : error;
    } finally {
      this.#calls.delete(call);
      call.dispose();
      signal?.removeEventListener('abort', onAbort);
      both.dispose();
    }
  }

  #endOf(signal: AbortSignal): McpError {
    return signal.reason === this.#lifetime.reason
      ? connectionEnded()
      : abortedError(signal, `"${method}"`);
  }
}
