/**
 * A Session of the handshake era: capability checks, events from notifications, the server's requests, and
 * the replacement of a session that the server forgot. The handshake itself is in legacyHandshake.ts.
 */
import { t } from '../../base/l10n.ts';
import { raceSignal, toError } from '../../base/async.ts';
import { toDisposable } from '../../base/disposable.ts';
import { requiredElicitations } from '../elicitParams.ts';
import { abortedError, isMcpError, McpError } from '../errors.ts';
import { listCapabilities } from '../listItems.ts';
import type { Params } from '../types/message.ts';
import type { InFlight, Notification } from '../rpc/peer.ts';
import type { Peer } from '../rpc/rpcPeer.ts';
import type { LoggingLevel, Method, ParamsOf, ResultOf } from '../types/methods.ts';
import { callError, knownParams, mayAsk, mayRepeat, missingCapability, toResult } from './calls.ts';
import { shakeHands } from './legacyHandshake.ts';
import { isSessionExpired, notRepeated, Reopening } from './reopening.ts';
import { SessionBase } from './sessionBase.ts';
import { toServerEvent } from './serverEvents.ts';
import { createRequestHandlers, type RequestHandlers } from './featureHandlers.ts';
import { ServerState } from './serverState.ts';
import type {
  CallOptions,
  ClientOptions,
  OpenEra,
  ServerDescription,
  Session,
} from '../session/session.ts';
import { TaskEnded } from './tasks/followTask.ts';
import { ToolTasks } from './tasks/toolTasks.ts';
import type { TaskCallOptions } from './tasks/taskCalls.ts';
import type { LegacyTaskOwner } from './tasks/task.ts';

/** Opens a conversation of revisions 2024-11-05 to 2025-11-25. @throws McpError; the peer is then still open */
export const openLegacy: OpenEra = async (peer, { label }, hello, signal) => {
  const session = new LegacySession(peer, label, hello);
  try {
    await session.open(signal);
  } catch (error) {
    session.abandon();
    throw error;
  }
  return { kind: 'open', session };
};

class LegacySession extends SessionBase implements Session {
  readonly #transport: string;
  readonly #hello: ClientOptions;
  readonly #state: ServerState;
  readonly #reopening = new Reopening(() => this.#openAgain());
  readonly #toolTasks: ToolTasks;
  readonly #requestHandlers: RequestHandlers;
  #server: ServerDescription | undefined;

  constructor(peer: Peer, transport: string, hello: ClientOptions) {
    super(peer);
    this.#transport = transport;
    this.#hello = hello;
    const taskOwner: LegacyTaskOwner = {
      server: () => this.server,
      request: (method, params, options) =>
        this.#inSession(method, options, () => peer.request(method, params, options)),
      notify: (method, params) => this.#notify(method, params),
      followProgress: (token, onProgress) => peer.followProgress(token, onProgress),
      pauseIdleLimits: () => peer.pauseIdleLimits(),
      diagnose: (level, text) => peer.diagnose(level, text),
      inFlight: peer.inFlight,
      lifetime: this.lifetime.signal,
    };
    this.#toolTasks = new ToolTasks(taskOwner);
    this.#requestHandlers = createRequestHandlers(hello.features, taskOwner, (taskId) =>
      this.#toolTasks.calls.signalOf(taskId),
    );
    this.store.add(toDisposable(() => this.#requestHandlers.clear()));
    // Before the handshake: some servers log, or announce list changes, before their first reply.
    this.store.add(peer.onDidReceiveNotification((received) => this.#onNotified(received)));
    this.store.add(peer.onDidLoseSession(() => this.#onSessionLost()));
    this.store.add(peer.onDidOpenPushStream(() => this.#onPushStreamOpened()));
    this.#state = new ServerState({
      capabilities: () => this.server.capabilities,
      request: (method, params) =>
        peer.request(method, params, { ...hello.times, signal: this.lifetime.signal }),
      diagnose: (text) => peer.diagnose('warn', text),
    });
  }

  get inFlight(): InFlight {
    return this.#toolTasks.calls.inFlight;
  }

  get server(): ServerDescription {
    if (this.#server === undefined) {
      throw new McpError('closed', t('The conversation has not been opened'));
    }
    return this.#server;
  }

  async open(signal: AbortSignal): Promise<void> {
    this.#server = await shakeHands(this.peer, this.#transport, this.#hello, signal);
    // The caller that opens the connection gets the earlier diagnostics.
    this.store.add(this.peer.onDidDiagnose((diagnostic) => this.diagnosed.fire(diagnostic)));
    this.peer.acceptRequests(this.#requestHandlers.handlers);
  }

  /** Stops listening to the peer, which may serve another era next. */
  abandon(): void {
    this.store.dispose();
  }

  async call<M extends Method>(
    method: M,
    params: ParamsOf<M>,
    options: CallOptions = {},
  ): Promise<ResultOf<M>> {
    const once = async (): Promise<ResultOf<M>> => {
      const result = await this.#inSession(method, options, () =>
        this.#perform(method, params, options),
      );
      return toResult(method, result);
    };
    try {
      return await once().catch(async (error: unknown) => {
        if (await this.#areVisited(method, error, options.signal)) {
          return once();
        }
        throw error;
      });
    } catch (error) {
      throw callError(error, method, this.server);
    }
  }

  /** Whether the user has visited the pages that error -32042 requires before a request is sent again, once (ELIC-29). */
  async #areVisited(
    method: Method,
    error: unknown,
    signal = this.lifetime.signal,
  ): Promise<boolean> {
    const required = mayAsk.has(method)
      ? requiredElicitations(error, this.server.revision)
      : undefined;
    const { visitAll } = this.#hello.features;
    return required !== undefined && (await visitAll?.(required, signal)) === true;
  }

  watch(uris: readonly string[]): Promise<void> {
    this.#state.watched = new Set(uris);
    return this.#inSession('resources/subscribe', {}, () => this.#state.subscribe());
  }

  setLogLevel(level: LoggingLevel): Promise<void> {
    this.#state.logLevel = level;
    return this.#inSession('logging/setLevel', {}, () => this.#state.sendLogLevel());
  }

  rootsChanged(): void {
    if (this.#hello.features.listRoots !== undefined) {
      this.#notify('notifications/roots/list_changed');
    }
  }

  async close(): Promise<void> {
    await this.#toolTasks.calls.close();
    this.lifetime.abort(new McpError('closed', t('The connection was closed')));
    await this.peer.close();
  }

  #notify(method: string, params?: Params): void {
    this.peer
      .notify(method, params)
      .catch((error: unknown) =>
        this.peer.diagnose('debug', `"${method}" was not sent: ${toError(error).message}`),
      );
  }

  #perform(method: Method, params: object, options: CallOptions): Promise<unknown> {
    const { times } = this.#hello;
    const limited = { ...options, times: options.times ? { ...times, ...options.times } : times };
    const sent = { ...params };
    const send = (): Promise<unknown> => this.#request(method, sent, limited);
    return this.#toolTasks.perform(method, sent, limited, send);
  }

  #request(method: Method, params: Params, options: TaskCallOptions): Promise<unknown> {
    const missing = missingCapability(method, this.server);
    if (missing !== undefined) {
      return Promise.reject(missing);
    }
    const { signal, times, onProgress, origin } = options;
    const sent = knownParams(method, params, this.server);
    return this.peer.request(method, sent, { ...times, signal, onProgress, origin });
  }

  /**
   * Sends in the current session. When the server has forgotten that, another is opened; what may be repeated is then
   * sent again, once, as it is when its own connection broke.
   * @param send is called when a session is open
   */
  async #inSession<T>(
    method: string,
    options: Pick<CallOptions, 'isRepeatable' | 'signal'>,
    send: () => Promise<T>,
  ): Promise<T> {
    const opening = this.#whenOpen(method, options);
    if (opening !== undefined) {
      await opening;
    }
    const { generation } = this.#reopening;
    try {
      return await send();
    } catch (error) {
      const isLost = isSessionExpired(error);
      const isBroken =
        isMcpError(error) && error.code === 'closed' && !(error instanceof TaskEnded);
      const isRepeated = mayRepeat(method, options, this.lifetime.signal);
      if (!isLost && !(isBroken && isRepeated)) {
        throw error;
      }
      const next = isLost ? this.#reopening.replacing(generation) : undefined;
      if (!isRepeated) {
        // Refused because of the session, but perhaps not by all: a proxy may have sent the request twice.
        await next;
        throw notRepeated(method);
      }
      this.peer.diagnose('info', `"${method}" is sent again: ${toError(error).message}`);
    }
    await this.#whenOpen(method, options);
    return send();
  }

  /** Returns undefined if a session is open. */
  #whenOpen(method: string, { signal }: Pick<CallOptions, 'signal'>): Promise<void> | undefined {
    const { current } = this.#reopening;
    if (current === undefined || signal === undefined) {
      return current;
    }
    return raceSignal(current, signal).catch((error: unknown) => {
      throw signal.aborted ? abortedError(signal, `"${method}"`) : error;
    });
  }

  #onNotified(notification: Notification): void {
    if (this.#toolTasks.receive(notification)) {
      return;
    }
    const event = toServerEvent(notification);
    switch (event?.kind) {
      case 'change':
        this.changed.fire(event.change);
        break;
      case 'log':
        this.logged.fire(event.message);
        break;
      case 'elicitationCompleted':
        this.#hello.features.elicitationCompleted?.(event.elicitationId);
        break;
      case undefined:
        this.peer.diagnose('debug', `The notification "${notification.method}" was ignored`);
        break;
    }
  }

  /** Lists may have changed while the server could not say so: after a dropped stream, or right after the handshake. */
  #onPushStreamOpened(): void {
    for (const kind of listCapabilities) {
      if (this.#server?.capabilities[kind]?.listChanged === true) {
        this.changed.fire({ kind });
      }
    }
  }

  #onSessionLost(): void {
    if (this.#server !== undefined) {
      // Its failure closes the session, which tells everybody.
      this.#reopening.begin().catch(() => undefined);
    }
  }

  async #openAgain(): Promise<void> {
    this.#requestHandlers.clear();
    const { signal } = this.lifetime;
    try {
      signal.throwIfAborted();
      this.#reopening.throwIfTooOften();
      this.peer.diagnose('info', 'The server no longer knows the session: opening a new one');
      this.peer.beginSession();
      this.#server = await shakeHands(this.peer, this.#transport, this.#hello, signal);
      this.peer.acceptRequests(this.#requestHandlers.handlers);
      await this.#state.restore();
    } catch (error) {
      if (!signal.aborted) {
        this.fail(toError(error));
      }
      throw error;
    }
    for (const kind of listCapabilities) {
      this.changed.fire({ kind });
    }
  }
}
