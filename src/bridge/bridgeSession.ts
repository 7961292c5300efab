/**
 * One client's session with one served server: its pending requests, its subscriptions and its notifications.
 * httpEndpoint.ts does HTTP; requestForwarder.ts talks to the server.
 *
 * It never sends a request to the client: the host answers the server's requests.
 */
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { onUnexpectedError } from '../base/event.ts';
import { isObject, isString } from '../base/json.ts';
import { loggingLevels } from '../host/servers/logLevels.ts';
import type { ServerNotice } from '../host/servers/serverOutput.ts';
import { isMcpError, McpError, rpcCodes, RpcError } from '../mcp/errors.ts';
import { appsExtension } from '../mcp/extensions.ts';
import { viewMimeType } from '../mcp/types/apps.ts';
import type { Params, RequestId, RpcNotification, RpcRequest } from '../mcp/types/message.ts';
import type { LoggingLevel, ServerCapabilities } from '../mcp/types/methods.ts';
import { type EventStream, UnsolicitedStream } from './eventStream.ts';
import { agreedRevision, introduce } from './introduction.ts';
import { forward, toErrorObject } from './requestForwarder.ts';
import type { ServedServer } from './servedServer.ts';

/** Concurrent requests of one session. */
const maxRequests = 1_000;
/** A client opens its stream soon after the handshake, or never. */
const firstStreamMs = 30_000;

interface Running {
  readonly method: string;
  readonly controller: AbortController;
  readonly reply: EventStream;
}

export interface SessionParts {
  readonly server: ServedServer;
  /** How the server introduces itself. */
  readonly name: () => string;
  /** Called when the session may have become idle. */
  readonly onRelease: () => void;
}

export class BridgeSession implements Disposable {
  readonly #parts: SessionParts;
  readonly #store = new DisposableStore();
  readonly #running = new Map<RequestId, Running>();
  readonly #unsolicited = new UnsolicitedStream();
  /** By URI. */
  readonly #watched = new Map<string, Disposable>();
  #declared: ServerCapabilities = {};
  #showsApps = false;
  #level: LoggingLevel | undefined;
  #isDisposed = false;
  readonly #bornAt = performance.now();
  /** `performance.now()` at the client's last message. */
  lastHeardAt = performance.now();

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#store.add(parts.server.onDidNotice((notice) => this.#onNotice(notice)));
  }

  /** No request is running, and no stream is open. */
  get isIdle(): boolean {
    return this.#running.size === 0 && !this.#unsolicited.isOpen;
  }

  /** A client is connected and hears of changes. */
  get isInUse(): boolean {
    const isYoung = !this.#unsolicited.hadAny && performance.now() - this.#bornAt < firstStreamMs;
    return !this.#isDisposed && (isYoung || !this.isIdle);
  }

  /** Never rejects: a failure becomes the error response. A cancelled request gets none. */
  async request({ id, method, params = {} }: RpcRequest, reply: EventStream): Promise<void> {
    this.lastHeardAt = performance.now();
    const problem = this.#problemOf(id);
    if (problem !== undefined) {
      reply.answer({ jsonrpc: '2.0', id, error: toErrorObject(problem) });
      reply.dispose();
      return;
    }
    const controller = new AbortController();
    const running: Running = { method, controller, reply };
    this.#running.set(id, running);
    const isRunning = (): boolean => this.#running.get(id) === running;
    reply.onDidClose(() => isRunning() && this.#cancel(id, 'The client disconnected'));
    try {
      const result = await this.#answer(method, params, running);
      if (isRunning()) {
        reply.answer({ jsonrpc: '2.0', id, result });
      }
    } catch (error) {
      if (isRunning()) {
        this.#logFailure(method, error);
        reply.answer({ jsonrpc: '2.0', id, error: toErrorObject(error) });
      }
    } finally {
      if (isRunning()) {
        this.#running.delete(id);
      }
      reply.dispose();
      this.lastHeardAt = performance.now();
      this.#parts.onRelease();
    }
  }

  notification({ method, params = {} }: RpcNotification): void {
    this.lastHeardAt = performance.now();
    if (method !== 'notifications/cancelled') {
      return; // `initialized`, and notifications that concern only requests to the client
    }
    const id = params['requestId'];
    if (isString(id) || typeof id === 'number') {
      this.#cancel(id, 'The client cancelled the request');
    }
  }

  /** Takes a stream for unsolicited messages. Waiting notifications are sent at once. */
  open(stream: EventStream): void {
    this.lastHeardAt = performance.now();
    this.#unsolicited.open(stream, () => this.#parts.onRelease());
  }

  dispose(): void {
    if (this.#isDisposed) {
      return;
    }
    this.#isDisposed = true;
    this.#store.dispose();
    for (const id of this.#running.keys()) {
      this.#cancel(id, 'The session ended');
    }
    this.#unsolicited.dispose();
    for (const watch of this.#watched.values()) {
      watch.dispose();
    }
    this.#watched.clear();
    this.#parts.server.setLogLevel(undefined, this);
    this.#parts.onRelease();
  }

  #problemOf(id: RequestId): RpcError | undefined {
    if (this.#running.has(id)) {
      return new RpcError(rpcCodes.invalidRequest, 'A request with this id is under way');
    }
    return this.#running.size >= maxRequests
      ? new RpcError(
          rpcCodes.internalError,
          `Too many requests at a time: more than ${maxRequests}`,
        )
      : undefined;
  }

  #answer(method: string, params: Params, running: Running): Promise<unknown> {
    const { signal } = running.controller;
    switch (method) {
      case 'initialize':
        return this.#initialize(params, signal);
      case 'ping':
        return Promise.resolve({});
      case 'logging/setLevel':
        return this.#setLevel(params['level']);
      case 'resources/subscribe':
        return this.#subscribe(params['uri']);
      case 'resources/unsubscribe':
        return this.#unsubscribe(params['uri']);
      default:
        return forward(this.#parts.server, {
          method,
          params,
          signal,
          declared: this.#declared,
          showsApps: this.#showsApps,
          ...this.#progressOf(params, running),
        });
    }
  }

  async #initialize(params: Params, signal: AbortSignal): Promise<unknown> {
    const { server, name } = this.#parts;
    const description = await server.describe(signal);
    const introduction = introduce(name(), description);
    this.#declared = introduction.capabilities;
    this.#showsApps = rendersApps(params);
    return { protocolVersion: agreedRevision(params['protocolVersion']), ...introduction };
  }

  #progressOf(params: Params, { reply }: Running) {
    const meta = params['_meta'];
    const token = isObject(meta) ? meta['progressToken'] : undefined;
    if (!isString(token) && typeof token !== 'number') {
      return {};
    }
    return {
      onProgress: (progress: object): void =>
        reply.send({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { ...progress, progressToken: token },
        }),
    };
  }

  async #setLevel(wanted: unknown): Promise<unknown> {
    const level = loggingLevels.find((one) => one === wanted);
    if (this.#declared.logging === undefined) {
      throw new McpError('unsupported', 'The server does not declare "logging"');
    }
    if (level === undefined) {
      const levels = loggingLevels.join(', ');
      throw new RpcError(rpcCodes.invalidParams, `"level" must be one of ${levels}`);
    }
    this.#level = level;
    this.#parts.server.setLogLevel(level, this);
    return {};
  }

  async #subscribe(uri: unknown): Promise<unknown> {
    const wanted = this.#checkUri(uri);
    if (!this.#watched.has(wanted)) {
      const watch = await this.#parts.server.watch(wanted);
      if (this.#isDisposed || this.#watched.has(wanted)) {
        watch.dispose();
      } else {
        this.#watched.set(wanted, watch);
      }
    }
    return {};
  }

  async #unsubscribe(uri: unknown): Promise<unknown> {
    const known = this.#checkUri(uri);
    this.#watched.get(known)?.dispose();
    this.#watched.delete(known);
    return {};
  }

  #checkUri(uri: unknown): string {
    const { resources } = this.#declared;
    if (resources?.subscribe !== true) {
      throw new McpError('unsupported', 'The server does not report changes of resources');
    }
    if (!isString(uri)) {
      throw new RpcError(rpcCodes.invalidParams, '"uri" must be a string');
    }
    return uri;
  }

  #onNotice(notice: ServerNotice): void {
    const { _meta } = notice.kind === 'log' ? notice.message : notice;
    const meta = _meta && { _meta };
    switch (notice.kind) {
      case 'tools':
      case 'prompts':
      case 'resources':
        if (this.#declared[notice.kind] !== undefined) {
          this.#tell(`notifications/${notice.kind}/list_changed`, meta);
        }
        break;
      case 'resource':
        // The server may report a sub-resource of a subscribed one.
        if ([...this.#watched.keys()].some((uri) => notice.uri.startsWith(uri))) {
          this.#tell('notifications/resources/updated', { uri: notice.uri, ...meta });
        }
        break;
      case 'log': {
        const { level, logger, data } = notice.message;
        if (this.#level === undefined || isAtLeast(level, this.#level)) {
          const named = logger === undefined ? {} : { logger };
          const params = { level, ...named, data, ...meta };
          this.#tell('notifications/message', params, this.#callUnderWay());
        }
        break;
      }
    }
  }

  /** A log message most likely belongs to the newest tool call. */
  #callUnderWay(): EventStream | undefined {
    return [...this.#running.values()].findLast(({ method }) => method === 'tools/call')?.reply;
  }

  #tell(
    method: string,
    params?: Params,
    stream: Pick<EventStream, 'send'> = this.#unsolicited,
  ): void {
    stream.send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  #cancel(id: RequestId, why: string): void {
    const running = this.#running.get(id);
    if (running !== undefined) {
      this.#running.delete(id);
      running.controller.abort(new McpError('cancelled', why));
      running.reply.dispose();
    }
  }

  #logFailure(method: string, error: unknown): void {
    const { server } = this.#parts;
    const { log } = server.parts;
    if (isMcpError(error)) {
      log.debug(`"${method}" of a client of "${server.config.name}" failed: ${error.message}`);
    } else {
      onUnexpectedError(error);
    }
  }
}

function isAtLeast(level: LoggingLevel, least: LoggingLevel): boolean {
  return loggingLevels.indexOf(level) >= loggingLevels.indexOf(least);
}

/** Whether a client says in `initialize` that it renders MCP apps. */
function rendersApps({ capabilities }: Params): boolean {
  const { extensions } = isObject(capabilities) ? capabilities : {};
  const apps = isObject(extensions) ? extensions[appsExtension] : undefined;
  const types: unknown = isObject(apps) ? apps['mimeTypes'] : undefined;
  return Array.isArray(types) && types.includes(viewMimeType);
}
