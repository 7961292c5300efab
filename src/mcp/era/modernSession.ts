/**
 * A Session of the modern era: every request is self-contained and carries the client's identity, a server
 * asks for input in its answer, and changes come over a subscription. The parts are in this folder; this
 * file joins them.
 */
import { t } from '../../base/l10n.ts';
import { toError } from '../../base/async.ts';
import type { JsonObject } from '../../base/json.ts';
import { McpError, isHttpError, isMcpError, isRpcError, rpcCodes } from '../errors.ts';
import { listCapabilities } from '../listItems.ts';
import type { Params } from '../types/message.ts';
import type { InFlight, Notification, RequestOptions } from '../rpc/peer.ts';
import type { Peer } from '../rpc/rpcPeer.ts';
import type { LoggingLevel, Method, ParamsOf, ResultOf } from '../types/methods.ts';
import { callError, checkResultType, mayRepeat, missingCapability, toResult } from './calls.ts';
import { choose, isNoEndpoint, supportedBy } from './classify.ts';
import { type Discovered, DiscoveredServer } from './discovered.ts';
import {
  answerInputs,
  AskingCalls,
  type InputContext,
  isOfType,
  untilComplete,
} from './inputRequired.ts';
import { ChangeFeed } from './listen.ts';
import { ParameterHeaders } from './httpHeaders.ts';
import { envelopeFor, withMeta } from './requestMeta.ts';
import { ResultCache } from './resultCache.ts';
import { SessionBase } from './sessionBase.ts';
import { toServerEvent } from './serverEvents.ts';
import { ExtensionTasks } from './tasks/extensionTasks.ts';
import type {
  CallOptions,
  Channel,
  ClientOptions,
  ServerChange,
  ServerDescription,
  Session,
} from '../session/session.ts';

/** In place of an answer: the task of an earlier connection. */
function keptHandle({ kept }: CallOptions): JsonObject | undefined {
  return kept?.id === undefined
    ? undefined
    : { resultType: 'task', taskId: kept.id, status: 'working' };
}

export class ModernSession extends SessionBase implements Session {
  readonly #hello: ClientOptions;
  readonly #cache: ResultCache;
  readonly #headers: ParameterHeaders | undefined;
  readonly #discovered: DiscoveredServer;
  readonly #feed: ChangeFeed;
  readonly #tasks: ExtensionTasks;
  readonly #asking = new AskingCalls();
  #envelope: JsonObject;
  /** Lists that were read before anybody listened to their changes. */
  readonly #listedUnheard = new Set<ServerChange['kind']>();

  /** From now on the peer serves only this session. */
  constructor(peer: Peer, channel: Channel, hello: ClientOptions, discovered: Discovered) {
    super(peer);
    const { revision } = discovered;
    this.#hello = hello;
    this.#cache = new ResultCache(hello.memory);
    this.#discovered = new DiscoveredServer(channel, discovered, {
      ask: () => this.#send('server/discover', {}, hello.times),
      changed: () => this.#onDescribed(),
      lost: (reason) => this.fail(reason),
      diagnose: (text) => peer.diagnose('debug', text),
    });
    this.#envelope = envelopeFor(hello, revision);
    this.#headers =
      channel.wire === 'http'
        ? new ParameterHeaders((text) => this.peer.diagnose('warn', text))
        : undefined;
    this.#feed = this.store.add(
      new ChangeFeed({
        capabilities: () => this.server.capabilities,
        ackMs: hello.times.idleMs,
        overlapMs: channel.wire === 'http' ? 1_000 : 0,
        listen: (notifications, options) =>
          this.#send('subscriptions/listen', { notifications }, options),
        changed: (change) => this.#onChange(change),
        missed: (changes, isFirst) => this.#onMissed(changes, isFirst),
        diagnose: (level, text) => peer.diagnose(level, text),
      }),
    );
    this.#tasks = new ExtensionTasks({
      answer: (requests, aborted) =>
        answerInputs(requests, this.#inputContext('tools/call', aborted)),
      request: (method, params, options) => this.#send(method, params, options),
      diagnose: (level, text) => peer.diagnose(level, text),
      inFlight: peer.inFlight,
      lifetime: this.lifetime.signal,
    });
    if (channel.onDidChangeAuthorization !== undefined) {
      this.store.add(channel.onDidChangeAuthorization(() => this.#cache.clear()));
    }
    this.store.add(peer.onDidReceiveNotification((received) => this.#onNotified(received)));
    this.store.add(peer.onDidDiagnose((diagnostic) => this.diagnosed.fire(diagnostic)));
    this.#feed.start();
  }

  get inFlight(): InFlight {
    const asking = this.#asking;
    const { inFlight } = this.#tasks.calls;
    return {
      *running() {
        yield* asking.running();
        yield* inFlight.running();
      },
      watch: (listener) => inFlight.watch(listener),
    };
  }

  get server(): ServerDescription {
    return this.#discovered.description;
  }

  async call<M extends Method>(
    method: M,
    params: ParamsOf<M>,
    options: CallOptions = {},
  ): Promise<ResultOf<M>> {
    const renewal = this.#discovered.renew();
    if (renewal !== undefined && missingCapability(method, this.server) !== undefined) {
      await renewal; // the new answer may declare it
    }
    const missing = missingCapability(method, this.server);
    if (missing !== undefined) {
      throw missing;
    }
    const held = options.isFresh === true ? undefined : this.#cache.get(method, params);
    return toResult(method, held ?? (await this.#ask(method, { ...params }, options)));
  }

  watch(uris: readonly string[]): Promise<void> {
    return this.#feed.watch(uris);
  }

  /** Is sent with every request from now on (LOG-01). */
  async setLogLevel(level: LoggingLevel): Promise<void> {
    if (this.server.capabilities.logging !== undefined) {
      this.#envelope = envelopeFor(this.#hello, this.server.revision, level);
    }
  }

  async close(): Promise<void> {
    await this.#tasks.calls.close();
    this.lifetime.abort(new McpError('closed', t('The connection was closed')));
    this.#feed.dispose();
    await this.peer.close();
  }

  /** One call with all its round trips. */
  async #ask(method: Method, params: Params, options: CallOptions): Promise<unknown> {
    // This era has no `ping`: any answer shows that the server is there.
    const sent = method === 'ping' ? 'server/discover' : method;
    const startedAt = performance.now();
    const store = this.#cache.expect(sent, params);
    this.#noteUnheard(sent);
    const leg = async (added: JsonObject): Promise<unknown> => {
      const received = await this.#leg(sent, { ...params, ...added }, options);
      checkResultType(sent, received, this.#hello.features.extensions);
      return received;
    };
    try {
      const answer = keptHandle(options) ?? (await leg({}));
      let result = answer;
      if (isOfType(result, 'input_required')) {
        const context = this.#inputContext(method, options.signal);
        const call = { method, params, origin: options.origin, startedAt };
        const supply = (requests: JsonObject) => this.#asking.answer(requests, call, context);
        result = await untilComplete(result, leg, supply, context);
      }
      if (isOfType(result, 'task')) {
        const times = { ...this.#hello.times, ...options.times };
        result = await this.#tasks.outcome(params, result, { ...options, times });
      }
      const admitted = this.#headers?.admit(sent, params, result) ?? result;
      if (result === answer) {
        store(admitted); // MRTR-18
      }
      return admitted;
    } catch (error) {
      throw this.#translate(method, params, error);
    }
  }

  #inputContext(method: Method, signal: AbortSignal | undefined): InputContext {
    const lifetime = this.lifetime.signal;
    return {
      method,
      features: this.#hello.features,
      revision: this.server.revision,
      signal: signal === undefined ? lifetime : AbortSignal.any([lifetime, signal]),
    };
  }

  /** Sends one request, and again at most once if its error says what to correct. */
  async #leg(method: string, params: Params, options: CallOptions): Promise<unknown> {
    const { signal, onProgress, origin } = options;
    const times = { ...this.#hello.times, ...options.times };
    const request: RequestOptions = { ...times, signal, onProgress, origin };
    const send = (): Promise<unknown> => this.#send(method, params, request);
    try {
      return await send();
    } catch (error) {
      if (supportedBy(error) !== undefined) {
        this.#agreeAgain(error);
        return send();
      }
      const isMismatch = isRpcError(error) && error.rpcCode === rpcCodes.headerMismatch;
      if (isMismatch && method === 'tools/call' && this.#headers !== undefined) {
        this.#cache.clear();
        const limits = { ...this.#hello.times, signal };
        await this.#headers.learn((page) => this.#send('tools/list', page, limits)); // HDR-15
        return send();
      }
      // Over HTTP a broken connection affects only this request.
      const isBroken = isMcpError(error) && error.code === 'closed' && this.#headers !== undefined;
      if (isBroken && mayRepeat(method, options, this.lifetime.signal)) {
        this.peer.diagnose('info', `"${method}" is sent again: ${toError(error).message}`);
        return send();
      }
      throw error;
    }
  }

  #send(method: string, params: Params, options: RequestOptions): Promise<unknown> {
    const sent = withMeta(params, this.#envelope);
    const headers = this.#headers?.headersFor(method, sent);
    return this.peer.request(method, sent, headers ? { ...options, headers } : options);
  }

  /** @throws the error, if no revision of this era is left: the conversation is then over (ERA-06). */
  #agreeAgain(error: unknown): void {
    const { revision } = this.server;
    if (choose(supportedBy(error) ?? [], [revision]) === undefined) {
      this.fail(
        new McpError('unsupported', t('The server no longer speaks revision {0}', revision)),
      );
      throw error;
    }
  }

  #translate(method: Method, params: Params, error: unknown): Error {
    const isRefused = isRpcError(error) && error.rpcCode === rpcCodes.invalidParams;
    if (isRefused && params['cursor'] !== undefined) {
      this.#cache.clear();
    }
    if (isHttpError(error) && error.code === 'http' && isNoEndpoint(error.status)) {
      // A proxy may block only this request (ERA-06).
      this.#discovered.confirm();
    }
    return callError(error, method, this.server);
  }

  #noteUnheard(method: string): void {
    if (!method.endsWith('/list')) {
      return;
    }
    const kind = listCapabilities.find((one) => method.startsWith(`${one}/`));
    if (kind !== undefined) {
      this.#listedUnheard.add(kind);
    }
  }

  #onNotified(notification: Notification): void {
    if (this.#feed.receive(notification)) {
      return;
    }
    const event = toServerEvent(notification);
    if (event?.kind === 'log') {
      this.logged.fire(event.message);
    } else {
      this.peer.diagnose('debug', `The notification "${notification.method}" was ignored`);
    }
  }

  #onChange(change: ServerChange): void {
    this.#cache.clear();
    this.changed.fire(change);
  }

  /** As after a reopened conversation: listeners read `server` again. */
  #onDescribed(): void {
    this.#feed.follow();
    listCapabilities.forEach((kind) => this.#onChange({ kind }));
  }

  #onMissed(changes: readonly ServerChange[], isFirst: boolean): void {
    for (const change of changes) {
      // A list that nobody has read yet cannot be out of date.
      if (!isFirst || change.kind === 'resource' || this.#listedUnheard.has(change.kind)) {
        this.#onChange(change);
      }
    }
  }
}
