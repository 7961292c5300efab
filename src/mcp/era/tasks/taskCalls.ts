/**
 * How long we wait for a call that becomes a task. Its caller, its total limit, the end of the connection,
 * and whoever watches the running requests can end the wait ({@link TaskCalls}).
 */
import { after, linkedController, onAbort } from '../../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../../base/disposable.ts';
import { abortedError, McpError } from '../../errors.ts';
import type { Params, RequestId } from '../../types/message.ts';
import {
  cancelledByUser,
  type InFlight,
  prolonged,
  type RequestsInFlight,
  type RunningRequest,
} from '../../rpc/runningRequest.ts';
import type { Progress } from '../../rpc/peer.ts';
import type { CallOptions, RequestTimes } from '../../session/session.ts';
import { connectionEnded } from './task.ts';

export interface TaskCallOptions extends Pick<CallOptions, 'signal' | 'onProgress' | 'origin'> {
  readonly times: RequestTimes;
}

const method = 'tools/call';

/** A call that runs as a task, or may: then it is more than one request. */
export class TaskCall implements RunningRequest, Disposable {
  readonly key = this;
  readonly method = method;
  readonly isTask = true;
  readonly startedAt = performance.now();
  readonly params: Params;
  readonly origin: unknown;
  readonly told: TaskProgress;
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
  readonly #times: RequestTimes;
  readonly #requests: RequestsInFlight;
  readonly #controller: AbortController;
  readonly #limit = new MutableDisposable<Disposable>();
  #creationId: RequestId | undefined;
  #expiresAt: number;

  constructor(
    params: Params,
    options: TaskCallOptions,
    requests: RequestsInFlight,
    controller: AbortController,
  ) {
    const { origin, times, onProgress } = options;
    this.params = params;
    this.origin = origin;
    this.told = new TaskProgress(onProgress);
    this.signal = controller.signal;
    this.#times = times;
    this.#requests = requests;
    this.#controller = controller;
    this.#expiresAt = this.startedAt + times.totalMs;
    this.#arm();
  }

  /** Polls have limits of their own; once the task exists, it may be silent for as long as it likes. */
  get times(): RequestTimes {
    return this.#creation === undefined ? { ...this.#times, idleMs: Infinity } : this.#times;
  }

  get progress(): Progress | undefined {
    return this.told.current;
  }

  get dueAt(): number {
    return Math.min(this.#expiresAt, this.#creation?.dueAt ?? Infinity);
  }

  /** Sets the id of the request that the server answers with the task, or with the result itself. */
  createdBy(id: RequestId): void {
    this.#creationId = id;
  }

  cancel(): void {
    this.#controller.abort(cancelledByUser(method));
  }

  keepWaiting(): void {
    this.#creation?.keepWaiting();
    this.#expiresAt = prolonged(this.#expiresAt, this.startedAt, this.times.totalMs);
    this.#arm();
  }

  dispose(): void {
    this.#limit.dispose();
  }

  get #creation(): RunningRequest | undefined {
    return this.#creationId === undefined ? undefined : this.#requests.of(this.#creationId);
  }

  #arm(): void {
    this.#limit.value = after(this.#expiresAt - performance.now(), () => this.#expire());
  }

  #expire(): void {
    const seconds = Math.round((this.#expiresAt - this.startedAt) / 100) / 10;
    const { totalHint } = this.#times;
    const hint = totalHint === undefined ? '' : `, ${totalHint}`;
    const text = `"${method}" was not done within its limit of ${seconds} s in all${hint}`;
    this.#controller.abort(new McpError('timeout', text));
  }
}

/** The calls of one conversation that run as tasks, or may. */
export class TaskCalls {
  readonly #calls = new Set<TaskCall>();
  readonly #requests: RequestsInFlight;
  readonly #lifetime: AbortSignal;
  /** These calls, and all other requests. */
  readonly inFlight: InFlight;

  /** @param lifetime aborts when the connection ends */
  constructor(requests: RequestsInFlight, lifetime: AbortSignal) {
    this.#requests = requests;
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

  /** @throws McpError `cancelled`, `timeout` or `closed` accordingly; otherwise the error of `work` */
  async withinLimits<T>(
    params: Params,
    options: TaskCallOptions,
    work: (call: TaskCall) => Promise<T>,
  ): Promise<T> {
    const { signal } = options;
    if (signal?.aborted === true) {
      throw abortedError(signal, `"${method}"`);
    }
    const both = linkedController(this.#lifetime);
    const { controller } = both;
    const abortion = signal && onAbort(signal, () => controller.abort(signal.reason));
    const call = new TaskCall(params, options, this.#requests, controller);
    this.#calls.add(call);
    try {
      return await work(call);
    } catch (error) {
      throw controller.signal.aborted ? this.#endOf(controller.signal) : error;
    } finally {
      this.#calls.delete(call);
      call.dispose();
      abortion?.dispose();
      both.dispose();
    }
  }

  #endOf(signal: AbortSignal): McpError {
    return signal.reason === this.#lifetime.reason
      ? connectionEnded()
      : abortedError(signal, `"${method}"`);
  }
}

/** The progress of a task for its caller: progress notifications of the server, and status messages of the task. */
export class TaskProgress {
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  #last: Progress = { progress: 0 };
  #text: string | undefined;
  /** The last reported progress. */
  current: Progress | undefined;

  constructor(onProgress: ((progress: Progress) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  report(progress: Progress): void {
    this.#last = progress;
    this.#tell(progress);
  }

  /** Reports a new status message, with the last reported value. */
  say(text: string | undefined): void {
    if (text !== undefined && text !== this.#text) {
      this.#text = text;
      this.#tell({ ...this.#last, message: text });
    }
  }

  #tell(progress: Progress): void {
    this.current = progress;
    this.#onProgress?.(progress);
  }
}
