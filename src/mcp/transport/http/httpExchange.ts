/**
 * HTTP requests to one endpoint over `node:http` or `node:https`, with keep-alive: redirects within the
 * origin, network failures as errors, and a way to end all requests. Knows neither JSON-RPC nor SSE.
 */
import { t } from '../../../base/l10n.ts';
import type * as http from 'node:http';
import type * as https from 'node:https';
import { networkError, type Place, redirectTarget } from './httpErrors.ts';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { after, delay, toError } from '../../../base/async.ts';
import { McpError } from '../../errors.ts';
import type { AuthorizationHeaders, HttpAuthorizer } from '../../httpAuthorizer.ts';
import type { MessageTap } from '../../messageTap.ts';
import type { Route, RouteRequest } from '../../network/route.ts';
import { readStart, unknownOutcome } from './httpBody.ts';
import { httpModuleFor } from './httpModules.ts';
import { maxWaits, waitOf } from './httpRetryAfter.ts';
import { SignedInAttempts } from './httpSignedIn.ts';
import { checkUrl } from './httpSettings.ts';
import type { RpcMessage, RpcReplyBatch } from '../../types/message.ts';
import type { HttpLimits } from '../limits.ts';

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: http.OutgoingHttpHeaders;
  readonly body?: string;
  /** Ends the exchange at any stage, including the body of the response. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the wait before the request is sent again, when the server sent `Retry-After`. Absent: it
   * is not sent again.
   */
  readonly onWait?: (ms: number) => void;
}

export interface EndpointOptions {
  /** A Unix socket, or a Windows named pipe, to connect to instead of the URL's host. */
  readonly socketPath?: string;
  /** Authorizes the requests. */
  readonly authorizer?: HttpAuthorizer | undefined;
  /** Lets an observer see the requests. */
  readonly tap?: MessageTap | undefined;
  /** Set if the server has network settings of its own. */
  readonly route?: Route | undefined;
}

/** The options of every HTTP transport. */
export interface HttpTransportOptions extends EndpointOptions {
  /** The URL of the endpoint; over HTTP+SSE the URL of the event stream. */
  readonly url: URL;
  /** From the settings. The transport's own headers override them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Override the default limits. */
  readonly limits?: Partial<HttpLimits>;
}

/**
 * Milliseconds that a connection may idle. Servers commonly close theirs after 5 s without notice, and a request that
 * meets such a close is lost with its outcome unknown.
 */
const longestIdleMs = 4_000;
/** How long before the time in the server's `Keep-Alive` we close, in milliseconds. */
const aheadMs = 1_000;
/** As Node sets it for a connection that it keeps, in milliseconds. */
const tcpKeepAliveMs = 1_000;

/** Where requests go: a URL within the endpoint's origin. */
interface Address {
  readonly url: URL;
  /** Only what a request needs: they are copied for each request. */
  readonly options: http.RequestOptions;
}

export class HttpEndpoint {
  readonly url: URL;
  /** For errors. */
  readonly place: Place;
  readonly #lingerMs: number;
  readonly #options: EndpointOptions;
  readonly #agent: http.Agent | https.Agent;
  readonly #open = new Slab<http.ClientRequest>();
  /** Where requests go first: the URL, or where it has moved for good. */
  #address: Address;
  #idleMs = longestIdleMs;
  /** Aborts with {@link cut}: nobody waits for a sign-in any more. */
  #cutting = new AbortController();
  #isClosed = false;

  /** @throws McpError `invalidConfig` for a URL that is not plain http(s). */
  constructor(url: URL, lingerMs: number, options: EndpointOptions = {}) {
    checkUrl(url, 'http');
    this.url = url;
    this.place = { origin: options.socketPath ?? url.origin };
    this.#lingerMs = lingerMs;
    this.#options = options;
    const ofAgent = { keepAlive: true, scheduling: 'lifo' } as const;
    this.#agent =
      options.route?.createAgent(url, ofAgent) ?? new (httpModuleFor(url).Agent)(ofAgent);
    // Node's `timeout` of an agent would take a twentieth of the time of each request.
    this.#agent.keepSocketAlive = (socket: Socket) => {
      if (this.#idleMs <= 0) {
        return false; // the server may be closing it
      }
      socket.setKeepAlive(true, tcpKeepAliveMs);
      socket.unref();
      if (socket.timeout !== this.#idleMs) {
        socket.setTimeout(this.#idleMs);
      }
      return true;
    };
    this.#address = this.#addressOf(url);
  }

  /**
   * Resolves with the head of the response, whatever its status. The caller must read or destroy the body.
   * 307 and 308 are followed within the origin, so that no header reaches another origin; later requests go at once to
   * where 308 led (RFC 9110 section 15.4.9). Signs in again after each: a DPoP proof names the URL (RFC 9449 section 4.2).
   * @throws McpError `unreachable`; `closed` when the connection was cut, or this was closed;
   *   `invalidConfig` for a header that cannot be sent; `cancelled` when the signal aborts; `http` for a
   *   redirect to another origin; any error of the authorizer.
   */
  async exchange(request: ExchangeRequest): Promise<http.IncomingMessage> {
    const { signal, onWait } = request;
    const { authorizer } = this.#options;
    const { signal: closing } = this.#cutting;
    const wanted = (): AbortSignal => AbortSignal.any(signal ? [signal, closing] : [closing]);
    const attempts = authorizer && new SignedInAttempts(authorizer, request, wanted);
    let address = this.#address;
    let isPermanent = true;
    for (let redirects = 0, waits = 0; ;) {
      const sent = attempts && (await attempts.headersFor(address.url));
      const response = await this.#send(address.options, request, sent);
      const { statusCode: status, headers } = response;
      if (status === 307 || status === 308) {
        void readStart(response, this.#lingerMs);
        address = this.#addressOf(
          redirectTarget(this.place, headers.location, address.url, redirects),
        );
        redirects += 1;
        isPermanent &&= status === 308;
        if (isPermanent) {
          this.#address = address;
        }
        continue;
      }
      const waitMs = waits < maxWaits ? waitOf(response) : undefined;
      if (onWait !== undefined && waitMs !== undefined) {
        void readStart(response, this.#lingerMs);
        onWait(waitMs);
        waits += 1;
        await delay(waitMs, wanted());
        continue;
      }
      const mending = attempts?.mends(response).catch((error: unknown) => {
        response.destroy(); // nobody will read it
        throw error;
      });
      if (mending === undefined || !(await mending)) {
        return response;
      }
      response.destroy();
    }
  }

  /** Ends every exchange under way; later exchanges are still possible. */
  cut(): void {
    this.#cutting.abort(closedError());
    this.#cutting = new AbortController();
    for (const outgoing of this.#open.all()) {
      outgoing.destroy();
    }
  }

  /** Ends every exchange, and closes all sockets. */
  close(): void {
    this.#isClosed = true;
    this.cut();
    this.#agent.destroy();
  }

  #addressOf(url: URL): Address {
    const { protocol, hostname, port, path } = urlToHttpOptions(url);
    const { socketPath } = this.#options;
    // Leaves the member out if undefined: Node goes through the options at each request.
    const place = socketPath === undefined ? { port } : { socketPath };
    return { url, options: { protocol, hostname, path, agent: this.#agent, ...place } };
  }

  #send(
    options: http.RequestOptions,
    { method, headers: ofRequest, body, signal }: ExchangeRequest,
    signedIn: AuthorizationHeaders | undefined,
  ): Promise<http.IncomingMessage> {
    const headers = signedIn === undefined ? ofRequest : { ...ofRequest, ...signedIn };
    return new Promise((resolve, reject) => {
      const { tap, route } = this.#options;
      const fail = (error?: Error, wasSecuring = false): void =>
        reject(this.#toError(error, signal, wasSecuring));
      if (signal?.aborted === true || this.#isClosed) {
        fail();
        return;
      }
      const seen = tap?.observer?.exchanged({
        method,
        url: `${this.url.origin}${options.path ?? ''}`,
        headers,
        body,
      });
      let isAnswered = false;
      const onResponse = (response: http.IncomingMessage): void => {
        isAnswered = true;
        const { statusCode, headers: answered } = response;
        this.#idleMs = idleMsOf(answered['keep-alive']);
        seen?.answered(statusCode ?? 0, answered);
        const refusal = route?.refusalOf(response, this.url);
        if (refusal === undefined) {
          resolve(response);
        } else {
          void readStart(response, this.#lingerMs);
          reject(refusal);
        }
      };
      let outgoing: http.ClientRequest;
      try {
        outgoing = this.#request({ ...options, method, headers }, onResponse);
      } catch (error) {
        // The authorizer may return a header that cannot be sent.
        seen?.ended(toError(error));
        fail(toError(error));
        return;
      }
      const slot = this.#open.add(outgoing);
      const abort = (): void => {
        outgoing.destroy();
      };
      signal?.addEventListener('abort', abort);
      // Also after the response: a server that responds before it has read the whole request cuts the rest.
      outgoing.on('error', (error) => {
        seen?.ended(error);
        fail(error, isSecuring(outgoing.socket));
      });
      outgoing.on('close', () => {
        seen?.ended();
        this.#open.release(slot);
        signal?.removeEventListener('abort', abort);
        if (!isAnswered && outgoing.errored === null) {
          const text = t(
            '{0} ended the exchange without an answer, as with a change to another protocol (HTTP 101); {1}',
            this.place.origin,
            unknownOutcome(),
          );
          fail(new McpError('closed', text));
        }
      });
      // Requests of one turn of the event loop are written together: each write that finds the server idle wakes it up,
      // which costs more than the request.
      setImmediate(() => {
        if (!outgoing.destroyed) {
          outgoing.end(body);
        }
      });
    });
  }

  #request(
    options: RouteRequest,
    onResponse: (response: http.IncomingMessage) => void,
  ): http.ClientRequest {
    const { route } = this.#options;
    if (route !== undefined) {
      return route.request(options, onResponse);
    }
    const { request } = httpModuleFor(this.url);
    return request(options, onResponse);
  }

  #toError(
    cause: Error | undefined,
    signal: AbortSignal | undefined,
    wasSecuring: boolean,
  ): McpError {
    if (signal?.aborted === true) {
      return givenUp(cause);
    }
    if (this.#isClosed || cause === undefined) {
      return closedError(cause);
    }
    return networkError(this.place, cause, wasSecuring);
  }
}

/** Nothing has been sent during the TLS handshake. */
function isSecuring(socket: object | null): boolean {
  return socket !== null && 'secureConnecting' in socket && socket.secureConnecting === true;
}

/** Reads `Keep-Alive: timeout=5, max=99` (RFC 2068 section 19.7.1.1). */
function idleMsOf(keepAlive: string | string[] | undefined): number {
  const [, seconds] = /^timeout=(\d+)/u.exec(String(keepAlive)) ?? [];
  const allowedMs = seconds === undefined ? Infinity : Number(seconds) * 1_000 - aheadMs;
  return Math.min(longestIdleMs, allowedMs);
}

/**
 * Limits the time of a message without a reply, because no caller waits for it with a limit of its own.
 * @throws McpError `timeout` after `limitMs`; otherwise the error of `post`
 */
export async function takenInTime(
  message: RpcMessage | RpcReplyBatch,
  limitMs: number,
  post: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const tooLate = new AbortController();
  const limit = after(limitMs, () => tooLate.abort());
  try {
    await post(tooLate.signal);
  } catch (error) {
    if (tooLate.signal.aborted) {
      const what = 'method' in message ? `"${message.method}"` : t('a reply');
      throw new McpError(
        'timeout',
        t('The server did not accept {0} within {1} s', what, limitMs / 1000),
      );
    }
    throw error;
  } finally {
    limit.dispose();
  }
}

/** Replaces the outcome of a request that nobody waits for any more. */
export function givenUp(cause?: unknown): McpError {
  return new McpError('cancelled', 'The request was given up', { cause });
}

function closedError(cause?: Error): McpError {
  return new McpError('closed', t('The connection is closed'), { cause });
}

/**
 * Items under way, each in a slot of an array. A Set would be rebuilt again and again for so many additions and
 * deletions, and each old table would keep its former entries from an early garbage collection: for requests that costs
 * a seventh of their time and a third more memory.
 */
class Slab<T> {
  readonly #slots: (T | undefined)[] = [];
  readonly #free: number[] = [];

  /** @returns the slot for {@link release}. */
  add(item: T): number {
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = item;
    return slot;
  }

  /** Call once per item. */
  release(slot: number): void {
    this.#slots[slot] = undefined;
    this.#free.push(slot);
  }

  /** A copy of the current items. */
  all(): readonly T[] {
    return this.#slots.filter((item) => item !== undefined);
  }
}
