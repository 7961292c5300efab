/**
 * The requests that wait for a reply, and their deadlines. One timer, set for the nearest deadline, serves
 * all of them, so a request that is answered in time needs no timer of its own. The peer decides what to
 * send when a deadline expires.
 */
import { t } from '../../base/l10n.ts';
import { after } from '../../base/async.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { McpError } from '../errors.ts';
import type { SendOptions } from '../transport/transport.ts';
import type { Params, RequestId } from '../types/message.ts';
import {
  type Progress,
  type RequestOptions,
  type RequestsInFlight,
  type RunningRequest,
  cancelledByUser,
  prolonged,
} from './peer.ts';

/** Deadlines closer together than this share one run of the timer. */
const granularityMs = 5;

/** One pending request. It also serves as the options of its own `send`, which saves an object per request. */
export class PendingRequest implements SendOptions {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params | undefined;
  readonly options: RequestOptions;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly startedAt: number;
  expiresAt: number;
  lastSignAt: number;
  progress: Progress | undefined;
  onAbort: (() => void) | undefined;
  #abandoned: AbortController | undefined;

  constructor(
    id: RequestId,
    method: string,
    params: Params | undefined,
    options: RequestOptions,
    settle: {
      readonly resolve: (result: unknown) => void;
      readonly reject: (error: Error) => void;
    },
  ) {
    const now = performance.now();
    this.id = id;
    this.method = method;
    this.params = params;
    this.options = options;
    this.resolve = settle.resolve;
    this.reject = settle.reject;
    this.startedAt = now;
    this.lastSignAt = now;
    this.expiresAt = now + options.totalMs;
  }

  /** For the transport: aborts when nobody waits for the reply any more. Created on demand. */
  get signal(): AbortSignal {
    this.#abandoned ??= new AbortController();
    return this.#abandoned.signal;
  }

  get headers(): SendOptions['headers'] {
    return this.options.headers;
  }

  abandon(): void {
    this.#abandoned ??= new AbortController();
    this.#abandoned.abort(new McpError('cancelled', 'The request was given up'));
  }
}

export class PendingRequests implements RequestsInFlight, Disposable {
  readonly #requests = new Map<unknown, PendingRequest>();
  readonly #giveUp: (request: PendingRequest, error: McpError) => void;
  readonly #isPaused: () => boolean;
  #timer: Disposable | undefined;
  #timerDueAt = Infinity;
  #resumedAt = -Infinity;
  #onAdd: (() => void) | undefined;

  /**
   * @param giveUp ends a request whose deadline expired, or that nobody waits for any more
   * @param isPaused while it returns true, only the total limit counts (TIME-04)
   */
  constructor(giveUp: (request: PendingRequest, error: McpError) => void, isPaused: () => boolean) {
    this.#giveUp = giveUp;
    this.#isPaused = isPaused;
  }

  add(request: PendingRequest): void {
    this.#requests.set(request.id, request);
    const dueAt = Math.min(request.expiresAt, request.lastSignAt + request.options.idleMs);
    if (dueAt < this.#timerDueAt) {
      this.#arm(dueAt, request.lastSignAt);
    }
    this.#onAdd?.();
  }

  /** In no particular order. */
  all(): Iterable<PendingRequest> {
    return this.#requests.values();
  }

  *running(): Iterable<RunningRequest> {
    for (const request of this.all()) {
      // A request that must not be cancelled belongs to something else: a handshake, a task.
      if (request.options.isCancellable !== false) {
        yield this.#toRunning(request);
      }
    }
  }

  of(id: RequestId): RunningRequest | undefined {
    const request = this.get(id);
    return request && this.#toRunning(request);
  }

  watch(listener: () => void): Disposable {
    this.#onAdd = listener;
    return toDisposable(() => {
      this.#onAdd = undefined;
    });
  }

  #toRunning(request: PendingRequest): RunningRequest {
    const { method, params, options, startedAt, progress } = request;
    return {
      key: request,
      method,
      params,
      origin: options.origin,
      isTask: false,
      startedAt,
      progress,
      dueAt: this.#dueAt(request),
      times: options,
      cancel: () => this.#giveUp(request, cancelledByUser(method)),
      keepWaiting: () => {
        request.lastSignAt = performance.now();
        request.expiresAt = prolonged(request.expiresAt, startedAt, options.totalMs);
      },
    };
  }

  /** When the request times out unless it shows a sign of life. */
  #dueAt(request: PendingRequest): number {
    const idleFrom = Math.max(request.lastSignAt, this.#resumedAt);
    const idleAt = this.#isPaused() ? Infinity : idleFrom + request.options.idleMs;
    return Math.min(request.expiresAt, idleAt);
  }

  get(id: unknown): PendingRequest | undefined {
    return this.#requests.get(id);
  }

  /** Notes a sign of life for the pending request with this caller-chosen token, if there is one. */
  noteSignFor(progressToken: unknown): void {
    for (const request of this.#requests.values()) {
      if (request.options.progressToken === progressToken) {
        request.lastSignAt = performance.now();
      }
    }
  }

  /** Removes the request. The caller must settle it. */
  take(id: unknown): PendingRequest | undefined {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    if (request?.onAbort !== undefined) {
      request.options.signal?.removeEventListener('abort', request.onAbort);
    }
    return request;
  }

  takeAll(): readonly PendingRequest[] {
    const all = [...this.#requests.values()];
    for (const request of all) {
      this.take(request.id);
    }
    return all;
  }

  /** A pause may be over: then every idle limit starts again. */
  resume(): void {
    this.#resumedAt = performance.now();
    this.#sweep();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#timerDueAt = Infinity;
  }

  #arm(dueAt: number, now: number): void {
    this.#timer?.dispose();
    this.#timerDueAt = dueAt;
    const delayMs = Math.max(granularityMs, Math.ceil(dueAt - now));
    this.#timer = after(delayMs, () => this.#sweep());
  }

  #sweep(): void {
    this.dispose();
    const now = performance.now();
    const expired: PendingRequest[] = [];
    let nextDueAt = Infinity;
    for (const request of this.#requests.values()) {
      const dueAt = this.#dueAt(request);
      if (dueAt <= now) {
        expired.push(request);
      } else {
        nextDueAt = Math.min(nextDueAt, dueAt);
      }
    }
    if (nextDueAt !== Infinity) {
      this.#arm(nextDueAt, now);
    }
    for (const request of expired) {
      this.#giveUp(request, timeoutError(request, now));
    }
  }
}

function timeoutError(request: PendingRequest, now: number): McpError {
  const { idleMs, idleHint, totalHint } = request.options;
  const totalMs = request.expiresAt - request.startedAt;
  return new McpError(
    'timeout',
    request.expiresAt <= now
      ? t(
          '"{0}" was not answered within its limit of {1} in all{2}',
          request.method,
          seconds(totalMs),
          clause(totalHint),
        )
      : t(
          '"{0}" had no answer and no sign of progress for {1}{2}',
          request.method,
          seconds(idleMs),
          clause(idleHint),
        ),
  );
}

function clause(hint: string | undefined): string {
  return hint === undefined ? '' : `, ${hint}`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
