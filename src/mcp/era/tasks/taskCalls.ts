/**
 * Calls that become tasks of the server, in either era. Its caller, its total limit, the end of the connection, and
 * whoever watches the running requests can end the wait for one. No task is left running when nobody waits for it any
 * more, unless it is left to be asked for later.
 */
import { t } from '../../../base/l10n.ts';
import { after, raceSignal, settlesWithin, toError } from '../../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../../base/disposable.ts';
import { isString } from '../../../base/json.ts';
import { abortedError, isMcpError, isRpcError, McpError } from '../../errors.ts';
import type { Params, RequestId } from '../../types/message.ts';
import {
  cancelledByUser,
  type InFlight,
  type Progress,
  prolonged,
  type RequestsInFlight,
  type RunningRequest,
} from '../../rpc/peer.ts';
import type { CallOptions, KeptTask, RequestTimes } from '../../session/session.ts';
import { connectionEnded, isTerminal, type TaskOwner, type TaskState } from './task.ts';

export interface TaskCallOptions extends Pick<
  CallOptions,
  'signal' | 'onProgress' | 'origin' | 'kept'
> {
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
  /** The last reported progress. */
  progress: Progress | undefined;
  /** Aborts when nobody waits any more, and when the call is over. */
  readonly signal: AbortSignal;
  readonly #onProgress: CallOptions['onProgress'];
  readonly #kept: KeptTask | undefined;
  readonly #times: RequestTimes;
  readonly #requests: RequestsInFlight;
  readonly #controller = new AbortController();
  readonly #limit = new MutableDisposable<Disposable>();
  #task: TaskState | undefined;
  /** Resolves when the server tells, unasked, that the task has another status. */
  #told = Promise.withResolvers<void>();
  #said: string | undefined;
  #creationId: RequestId | undefined;
  #expiresAt: number;

  constructor(
    params: Params,
    options: TaskCallOptions,
    requests: RequestsInFlight,
    lifetime: AbortSignal,
  ) {
    const { origin, times, onProgress, kept, signal } = options;
    this.params = params;
    this.origin = origin;
    this.signal = AbortSignal.any([
      lifetime,
      ...(signal === undefined ? [] : [signal]),
      this.#controller.signal,
    ]);
    this.#onProgress = onProgress;
    this.#kept = kept;
    this.#times = times;
    this.#requests = requests;
    this.#expiresAt = this.startedAt + times.totalMs;
    this.#arm();
  }

  /** Polls have limits of their own; once the task exists, it may be silent for as long as it likes. */
  get times(): RequestTimes {
    return this.#creation === undefined ? { ...this.#times, idleMs: Infinity } : this.#times;
  }

  /** The name of the called tool. */
  get tool(): string {
    const { name } = this.params;
    return isString(name) ? name : method;
  }

  /** Reports progress that the server tells of. */
  report(progress: Progress): void {
    this.progress = progress;
    this.#onProgress?.(progress);
  }

  /** Reports a new status message, with the last reported value. */
  say(text: string | undefined): void {
    if (text !== undefined && text !== this.#said) {
      this.#said = text;
      this.report({ progress: 0, ...this.progress, message: text });
    }
  }

  get dueAt(): number {
    return Math.min(this.#expiresAt, this.#creation?.dueAt ?? Infinity);
  }

  /** The last known state of its task, once there is one. */
  get task(): TaskState | undefined {
    return this.#task;
  }

  /** Whether its task is to go on when nobody waits for it here. */
  get isLeft(): boolean {
    return this.#kept?.isLeft() ?? false;
  }

  /** Takes a state of its task. */
  note(state: TaskState): void {
    if (this.#task === undefined) {
      this.#kept?.began(state.id);
    }
    this.#task = state;
    this.say(state.message);
  }

  /** Takes a state of its task that the server sends unasked. Only a poll says what becomes of the call. */
  tell(state: TaskState): void {
    this.say(state.message);
    if (state.status !== this.#task?.status) {
      this.#told.resolve();
    }
  }

  /**
   * Waits until the server tells that the task has another status, or has told it since the last wait, but no longer
   * than `ms` milliseconds. @throws the signal's reason
   */
  async untilTold(ms: number): Promise<void> {
    try {
      await raceSignal(settlesWithin(this.#told.promise, ms), this.signal);
    } finally {
      this.#told.resolve(); // ends its timer
      this.#told = Promise.withResolvers();
    }
  }

  /** Sets the id of the request that the server answers with the task, or with the result itself. */
  createdBy(id: RequestId): void {
    this.#creationId = id;
  }

  cancel(): void {
    this.end(cancelledByUser(method));
  }

  end(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  keepWaiting(): void {
    this.#creation?.keepWaiting();
    this.#expiresAt = prolonged(this.#expiresAt, this.startedAt, this.times.totalMs);
    this.#arm();
  }

  dispose(): void {
    this.#limit.dispose();
    this.end();
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
    const text = t('"{0}" was not done within its limit of {1} s in all{2}', method, seconds, hint);
    this.end(new McpError('timeout', text));
  }
}

/** Time limit for requests that nobody waits for any more, in milliseconds. */
const farewellMs = 2_000;

/** The calls of one conversation that run as tasks, or may. */
export class TaskCalls {
  readonly #owner: TaskOwner;
  readonly #mayCancel: (tool: string) => boolean;
  readonly #calls = new Set<TaskCall>();
  /** Cancellations under way. */
  readonly #farewells = new Set<Promise<void>>();
  #isClosing = false;
  /** Requests that wait for the server, including calls that run as tasks. */
  readonly inFlight: InFlight;

  /** @param mayCancel whether the server supports it */
  constructor(owner: TaskOwner, mayCancel: (tool: string) => boolean = () => true) {
    this.#owner = owner;
    this.#mayCancel = mayCancel;
    const calls = this.#calls;
    this.inFlight = {
      *running() {
        yield* calls;
        yield* owner.inFlight.running();
      },
      watch: (listener) => owner.inFlight.watch(listener),
    };
  }

  /** Aborts when the task is over. Undefined for a task that we do not wait for. */
  signalOf(taskId: string): AbortSignal | undefined {
    return this.#callOf(taskId)?.signal;
  }

  /** Takes a state that the server sends unasked, which may be of any task. */
  tell(state: TaskState): void {
    this.#callOf(state.id)?.tell(state);
  }

  /**
   * Cancels the task of the call if `work` leaves it before its end.
   * @throws McpError `cancelled`, `timeout` or `closed` accordingly; otherwise the error of `work`
   */
  async withinLimits<T>(
    params: Params,
    options: TaskCallOptions,
    work: (call: TaskCall) => Promise<T>,
  ): Promise<T> {
    const { signal } = options;
    if (signal?.aborted === true) {
      throw abortedError(signal, `"${method}"`);
    }
    const call = new TaskCall(params, options, this.#owner.inFlight, this.#owner.lifetime);
    this.#calls.add(call);
    try {
      return await work(call);
    } catch (error) {
      this.#leave(call, error);
      throw call.signal.aborted ? this.#endOf(call.signal) : error;
    } finally {
      this.#calls.delete(call);
      call.dispose();
    }
  }

  /** Tells the server that nobody waits for a task that is not over. Never rejects. */
  async cancel(task: TaskState, tool: string): Promise<void> {
    if (isTerminal(task) || this.#owner.lifetime.aborted || !this.#mayCancel(tool)) {
      return;
    }
    const times = { idleMs: farewellMs, totalMs: farewellMs, isCancellable: false };
    try {
      await this.#owner.request('tasks/cancel', { taskId: task.id }, times);
      this.#owner.diagnose('debug', `The task of "${tool}" was cancelled`);
    } catch (error) {
      // -32602 means that the task was over already.
      const text = `The task of "${tool}" was not cancelled: ${toError(error).message}`;
      this.#owner.diagnose('debug', text);
    }
  }

  /** Adds a cancellation for {@link close} to wait for. @param farewell never rejects */
  bidFarewell(farewell: Promise<void>): void {
    this.#farewells.add(farewell);
    void farewell.finally(() => this.#farewells.delete(farewell));
  }

  /** Cancels every task that is not left, and tells the server, within {@link farewellMs}. Never rejects. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const call of this.#calls) {
      if (call.task !== undefined) {
        if (!call.isLeft) {
          this.bidFarewell(this.cancel(call.task, call.tool));
        }
        call.end(connectionEnded());
      }
    }
    await settlesWithin(Promise.allSettled(this.#farewells), farewellMs);
  }

  #callOf(taskId: string): TaskCall | undefined {
    return [...this.#calls].find(({ task }) => task?.id === taskId);
  }

  #leave({ task, tool, isLeft }: TaskCall, error: unknown): void {
    // A task that the server no longer knows cannot be cancelled.
    const isLost = isMcpError(error) && error.code === 'closed' && isRpcError(error.cause);
    if (task !== undefined && !isLost && !isLeft && !this.#isClosing) {
      this.bidFarewell(this.cancel(task, tool));
    }
  }

  #endOf(signal: AbortSignal): McpError {
    return signal.reason === this.#owner.lifetime.reason
      ? connectionEnded()
      : abortedError(signal, `"${method}"`);
  }
}
