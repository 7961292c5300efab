/**
 * The JSON-RPC peer over a Transport. Dispatches every message synchronously, in order of arrival: progress
 * in the same chunk as its reply reaches the caller first, and a burst of messages queues no microtasks.
 */
import { toError } from '../../base/async.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { MemoryAccount } from '../../base/memory.ts';
import { McpError, RpcError, abortedError } from '../errors.ts';
import type { MessageTap } from '../messageTap.ts';
import type {
  CloseReason,
  Diagnostic,
  Inbound,
  SendOptions,
  Transport,
} from '../transport/transport.ts';
import { InboundRequests } from './inboundRequests.ts';
import {
  type Params,
  type RpcMessage,
  type RpcReplyBatch,
  type RpcResponse,
  isFailure,
} from '../types/message.ts';
import type {
  Notification,
  Progress,
  RequestHandler,
  RequestOptions,
  RequestsInFlight,
} from './peer.ts';
import { endedBefore, isUsed, notConnected, reasonOf, strayReply } from './peerTexts.ts';
import { PendingRequest, PendingRequests } from './pendingRequests.ts';
import { FollowedProgress, deliverProgress, withProgressToken } from './progress.ts';

/** Requests with their replies, deadlines, progress and cancellation, in both directions. Knows no MCP feature. */
export class Peer {
  readonly #transport: Transport;
  readonly #tap: MessageTap | undefined;
  readonly #store = new DisposableStore();
  readonly #notified = this.#store.add(new Emitter<Notification>());
  readonly #closed = this.#store.add(new Emitter<CloseReason>());
  readonly #diagnosed = this.#store.add(new Emitter<Diagnostic>());
  readonly #pending = new PendingRequests(
    (request, error) => this.#giveUp(request, error),
    () => this.#isServing,
  );
  readonly #inbound: InboundRequests;
  readonly #followed = new FollowedProgress();
  /** All except `notifications/progress` and, unless requests are dropped, `notifications/cancelled`. */
  readonly onDidReceiveNotification = this.#notified.event;
  /** Fires exactly once. */
  readonly onDidClose = this.#closed.event;
  readonly onDidLoseSession: Event<void>;
  readonly onDidOpenPushStream: Event<void>;
  readonly onDidDiagnose = this.#diagnosed.event;
  readonly inFlight: RequestsInFlight = this.#pending;
  /** Ids are never reused on a channel, across all its sessions (BASE-03). */
  #nextId = 1;
  /** Number of pauses that are not due to a request of the server. */
  #pauses = 0;
  #isClosed = false;

  /** Subscribes at once, so that no message is missed when the transport starts. */
  constructor(transport: Transport, tap?: MessageTap, memory?: MemoryAccount) {
    this.#transport = transport;
    this.#tap = tap;
    this.#inbound = new InboundRequests({
      send: (reply) => this.#sendDetached(reply, 'A reply'),
      progress: (params) => {
        const message = { jsonrpc: '2.0', method: 'notifications/progress', params } as const;
        void this.#sendDetached(message, 'Progress');
      },
      diagnose: (level, text) => this.diagnose(level, text),
      becameIdle: () => this.#pending.resume(),
      memory,
    });
    this.#store.add(transport.onDidReceive((inbound) => this.#receive(inbound)));
    this.#store.add(transport.onDidClose((reason) => this.#onTransportClosed(reason)));
    this.onDidLoseSession = transport.onDidLoseSession;
    this.onDidOpenPushStream = transport.onDidOpenPushStream;
    this.#store.add(transport.onDidDiagnose((diagnostic) => this.#diagnosed.fire(diagnostic)));
  }

  /**
   * Sends one request and waits for its reply. Sends nothing if the signal is aborted already. Delivers
   * progress that arrives before the reply first. While a probe is the only request that waits, an error
   * without one of our ids refuses the probe (ERA-03): servers that cannot read a request do not know its
   * id.
   * @throws RpcError for an error reply; McpError `timeout`, `cancelled`, `closed` (the outcome is
   *   unknown), or the error of the transport's `send`.
   */
  request(method: string, params: Params | undefined, options: RequestOptions): Promise<unknown> {
    if (this.#isClosed) {
      return Promise.reject(notConnected(method));
    }
    if (options.signal?.aborted === true) {
      return Promise.reject(abortedError(options.signal, `"${method}"`));
    }
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const request = new PendingRequest(id, method, params, options, { resolve, reject });
      this.#pending.add(request);
      options.onId?.(id);
      const { signal } = options;
      if (signal !== undefined) {
        request.onAbort = () => this.#giveUp(request, abortedError(signal, `"${method}"`));
        signal.addEventListener('abort', request.onAbort, { once: true });
      }
      this.#send(request, params);
    });
  }

  /** @throws the error of the transport's `send`. */
  notify(method: string, params?: Params): Promise<void> {
    if (this.#isClosed) {
      return Promise.reject(notConnected(method));
    }
    return this.#transmit({ jsonrpc: '2.0', method, params }) ?? Promise.resolve();
  }

  /**
   * Sets the handlers for the server's requests. Until then requests wait, except `ping`, which is always
   * answered. From then on a method without a handler gets -32601.
   */
  acceptRequests(handlers: ReadonlyMap<string, RequestHandler>): void {
    this.#inbound.accept(handlers);
  }

  /**
   * Declares that the server may send no requests: they are reported and get no reply (BASE-04, BASE-05).
   * Then a `notifications/cancelled` is about a request of ours, and is handed on like any other
   * notification. Ends with {@link beginSession}.
   */
  dropRequests(): void {
    this.#inbound.isDropping = true;
  }

  /** Forgets the conversation, for a new handshake. The server's requests end without a reply; new ones wait again. */
  beginSession(): void {
    this.#inbound.reset();
    this.#transport.beginSession();
  }

  /**
   * Hands on the progress for a token that the caller chose (PROG-01: a string that no other caller uses).
   * The token may outlive the request that carries it in `_meta`.
   */
  followProgress(token: string, onProgress: (progress: Progress) => void): Disposable {
    return this.#followed.follow(token, onProgress);
  }

  /** Until disposed, idle limits pause as they do while a request of the server is handled (TIME-04). */
  pauseIdleLimits(): Disposable {
    this.#pauses++;
    return toDisposable(() => {
      this.#pauses--;
      this.#pending.resume();
    });
  }

  sessionReady(agreed: {
    readonly revision: string;
    readonly sendsVersionHeader: boolean;
    /** Answers the requests of one received batch in one array (BASE-09), otherwise one by one. */
    readonly answersBatches?: boolean;
  }): void {
    this.#inbound.answersBatches = agreed.answersBatches === true;
    this.#transport.sessionReady(agreed);
  }

  /** Adds a diagnostic of a layer above to {@link onDidDiagnose}. */
  diagnose(level: Diagnostic['level'], text: string): void {
    this.#diagnosed.fire({ level, source: 'transport', text });
  }

  /** Rejects pending requests with `closed` at once. Resolves when the channel has ended completely. */
  async close(): Promise<void> {
    this.#end({ kind: 'requested' });
    await this.#transport.close();
  }

  get #isServing(): boolean {
    return this.#pauses > 0 || this.#inbound.isBusy;
  }

  #transmit(message: RpcMessage | RpcReplyBatch, options?: SendOptions): Promise<void> | undefined {
    this.#tap?.recent?.sent(message);
    this.#tap?.observer?.sent(message);
    return this.#transport.send(message, options);
  }

  #send(request: PendingRequest, params: Params | undefined): void {
    const { id, method, options } = request;
    const token = options.progressToken ?? (options.onProgress && id);
    const sent = token === undefined ? params : withProgressToken(params, token);
    try {
      this.#transmit({ jsonrpc: '2.0', id, method, params: sent }, request)?.then(
        undefined,
        (error: unknown) => this.#pending.take(id)?.reject(toError(error)),
      );
    } catch (error) {
      // Arguments that JSON cannot represent: a cycle, a BigInt.
      const message = `"${method}" could not be sent: ${toError(error).message}`;
      this.#pending.take(id)?.reject(new McpError('invalidInput', message, { cause: error }));
    }
  }

  /** Sends a message that nobody waits for. A failure is only logged. Never rejects. */
  #sendDetached(message: RpcMessage | RpcReplyBatch, what: string): Promise<void> | undefined {
    const onFailure = (error: unknown): void =>
      this.diagnose('debug', `${what} could not be sent: ${toError(error).message}`);
    try {
      return this.#transmit(message)?.then(undefined, onFailure);
    } catch (error) {
      onFailure(error);
      return undefined;
    }
  }

  #receive({ message, during, batch }: Inbound): void {
    if (this.#isClosed) {
      return;
    }
    this.#tap?.recent?.received(message, during);
    this.#tap?.observer?.received(message, during);
    if (!('method' in message)) {
      this.#onResponse(message, during);
    } else if ('id' in message) {
      this.#inbound.receive(message, batch);
    } else if (message.method === 'notifications/progress') {
      this.#onProgress(message.params ?? {});
    } else if (message.method === 'notifications/cancelled' && !this.#inbound.isDropping) {
      this.#inbound.cancel(message.params ?? {});
    } else {
      this.#notified.fire({ method: message.method, params: message.params ?? {}, during });
    }
  }

  #onResponse(response: RpcResponse, during: Inbound['during']): void {
    if (!isFailure(response)) {
      const request = this.#pending.take(response.id);
      if (request === undefined) {
        this.#onStrayResponse(response);
      } else {
        request.resolve(response.result);
      }
      return;
    }
    // A reply without an id belongs to the exchange that carried it, if that is known (BASE-07).
    const request = this.#pending.take(response.id ?? during) ?? this.#takeProbe(response);
    if (request === undefined) {
      this.#onStrayResponse(response);
    } else {
      const { code, message, data } = response.error;
      request.reject(new RpcError(code, message, data));
    }
  }

  /** The probe that an error without one of our ids refuses. */
  #takeProbe({ id }: RpcResponse): PendingRequest | undefined {
    const [only, ...others] = this.#pending.all();
    const isItsOwn = others.length === 0 && !isUsed(id, this.#nextId);
    return isItsOwn && only?.options.isProbe === true ? this.#pending.take(only.id) : undefined;
  }

  #onStrayResponse(response: RpcResponse): void {
    const { level, text } = strayReply(response, this.#nextId);
    this.diagnose(level, text);
  }

  #onProgress(params: Params): void {
    if (this.#followed.receive(params)) {
      this.#pending.noteSignFor(params['progressToken']);
      return;
    }
    const request = this.#pending.get(params['progressToken']);
    const onProgress = request?.options.onProgress;
    if (request === undefined || onProgress === undefined) {
      this.diagnose('trace', 'Progress for no request under way was ignored');
      return;
    }
    if (typeof params['progress'] !== 'number') {
      this.diagnose('debug', `Progress of "${request.method}" without a number was ignored`);
      return;
    }
    // A value that does not rise is a sign of life, too.
    request.lastSignAt = performance.now();
    request.progress = deliverProgress(params, request.progress, onProgress);
  }

  /** The caller stops waiting: its deadline passed, or it cancelled. */
  #giveUp(request: PendingRequest, error: McpError): void {
    if (this.#pending.take(request.id) === undefined) {
      return;
    }
    request.reject(error);
    this.diagnose('debug', `"${request.method}" was given up: ${reasonOf(error)}`);
    if (request.options.isCancellable !== false && !this.#transport.cancelsByClosing) {
      // Sent before the reply is abandoned: closing the reply stream alone does not cancel (HTTP-08).
      const params = { requestId: request.id, reason: reasonOf(error) };
      const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params } as const;
      void this.#sendDetached(message, 'A cancellation');
    }
    request.abandon();
  }

  #end(reason: CloseReason): void {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    for (const request of this.#pending.takeAll()) {
      request.reject(endedBefore(request, reason));
    }
    this.#inbound.reset();
    this.#pending.dispose();
  }

  #onTransportClosed(reason: CloseReason): void {
    this.#end(reason);
    this.#closed.fire(reason);
    this.#store.dispose();
  }
}
