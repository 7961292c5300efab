/**
 * HTTP requests to one endpoint over `node:http` or `node:https`, with keep-alive: redirects within the
 * origin, network failures as errors, and a way to end all requests. Knows neither JSON-RPC nor SSE.
 */
import type * as http from 'node:http';
import type * as https from 'node:https';
import { networkError } from './httpErrors.ts';
import { urlToHttpOptions } from 'node:url';
import { toError } from '../../../base/async.ts';
import { McpError } from '../../errors.ts';
import type { HttpAuthorizer } from '../../httpAuthorizer.ts';
import type { MessageTap } from '../../messageTap.ts';
import type { Route, RouteRequest } from '../../network/route.ts';
import { readStart, unknownOutcome } from './httpBody.ts';
import type { Place } from './httpErrors.ts';
import { IdleSockets } from './httpIdle.ts';
import { httpModuleFor } from './httpModules.ts';
import type { HttpTransportOptions } from './httpOptions.ts';
import { isPutOff, sendWhenWelcome } from './httpRetryAfter.ts';
import { exchangeSignedIn, type SignInTries } from './httpSignedIn.ts';
import { Slab } from './slab.ts';
import { checkUrl } from './plainUrl.ts';
import type { AbandonSignal } from '../transport.ts';

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: http.OutgoingHttpHeaders;
  readonly body?: string;
  /** Ends the exchange at any stage, including the body of the response. */
  readonly signal?: AbandonSignal;
  /**
   * Called with the wait before the request is sent again, when the server sent `Retry-After`. Absent: it
   * is not sent again.
   */
  readonly onWait?: (ms: number) => void;
}

export type EndpointOptions = Pick<
  HttpTransportOptions,
  'socketPath' | 'authorizer' | 'route' | 'tap'
>;

const maxRedirects = 3;

/** What has happened to an exchange across its redirects. */
interface Course {
  readonly tries: SignInTries;
  readonly redirects: number;
}

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
  readonly #socketPath: string | undefined;
  readonly #authorizer: HttpAuthorizer | undefined;
  readonly #tap: MessageTap | undefined;
  readonly #route: Route | undefined;
  readonly #agent: http.Agent | https.Agent;
  readonly #idle: IdleSockets;
  readonly #open = new Slab<http.ClientRequest>();
  /** The address of the URL, until the server says that it has moved permanently. */
  #address: Address;
  /** Aborts with {@link cut}: nobody waits for a sign-in any more. */
  #cutting = new AbortController();
  #isClosed = false;

  /** @throws McpError `invalidConfig` for a URL that is not plain http(s). */
  constructor(
    url: URL,
    lingerMs: number,
    { socketPath, authorizer, route, tap }: EndpointOptions = {},
  ) {
    checkUrl(url, 'http');
    this.url = url;
    this.place = { origin: socketPath ?? url.origin };
    this.#socketPath = socketPath;
    this.#authorizer = authorizer;
    this.#route = route;
    this.#tap = tap;
    this.#lingerMs = lingerMs;
    const options = { keepAlive: true, scheduling: 'lifo' } as const;
    this.#agent = route?.createAgent(url, options) ?? new (httpModuleFor(url).Agent)(options);
    this.#idle = new IdleSockets(this.#agent);
    this.#address = this.#addressOf(url);
  }

  /**
   * Resolves with the head of the response, whatever its status. The caller must read or destroy the body.
   * 307 and 308 are followed within the origin, so that no header reaches another origin.
   * @throws McpError `unreachable`; `closed` when the connection was cut, or this was closed;
   *   `invalidConfig` for a header that cannot be sent; `cancelled` when the signal aborts; `http` for a
   *   redirect to another origin; any error of the authorizer.
   */
  exchange(request: ExchangeRequest): Promise<http.IncomingMessage> {
    const { onWait } = request;
    const course = { tries: { count: 0 }, redirects: 0 };
    if (onWait === undefined) {
      return this.#exchange(request, course);
    }
    const { signal: closing } = this.#cutting;
    const lingerMs = this.#lingerMs;
    const send = (): Promise<http.IncomingMessage> => this.#exchange(request, course);
    // Not an async function: it would cost each request another promise, for a rare case.
    return send().then((response) =>
      isPutOff(response)
        ? sendWhenWelcome(response, { signal: request.signal, closing, lingerMs, onWait, send })
        : response,
    );
  }

  /** Ends every exchange under way; later exchanges are still possible. */
  cut(): void {
    this.#cutting.abort();
    this.#cutting = new AbortController();
    for (const outgoing of this.#open.all()) {
      outgoing.destroy();
    }
  }

  /** Ends every exchange, and closes all sockets. */
  close(): void {
    this.#isClosed = true;
    this.cut();
    this.#idle.dispose();
    this.#agent.destroy();
  }

  /** A redirected request is signed in again: a DPoP proof names the URL (RFC 9449 section 4.2). */
  #exchange(
    request: ExchangeRequest,
    course: Course,
    { url, options } = this.#address,
  ): Promise<http.IncomingMessage> {
    const authorizer = this.#authorizer;
    const follow: Follow = (response) => this.#follow(response, request, course);
    if (authorizer === undefined) {
      return this.#send(options, request, follow);
    }
    const send = (signedIn: ExchangeRequest): Promise<http.IncomingMessage> =>
      this.#send(options, signedIn);
    const { signal: closing } = this.#cutting;
    const way = { authorizer, url, closing, tries: course.tries };
    return exchangeSignedIn(way, request, send).then((response) =>
      isRedirect(response) ? follow(response) : response,
    );
  }

  #addressOf(url: URL): Address {
    const { protocol, hostname, port, path } = urlToHttpOptions(url);
    const agent = this.#agent;
    // Leaves the member out if undefined: Node goes through the options at each request.
    const options =
      this.#socketPath === undefined
        ? { protocol, hostname, port, path, agent }
        : { protocol, hostname, path, agent, socketPath: this.#socketPath };
    return { url, options };
  }

  async #follow(
    response: http.IncomingMessage,
    request: ExchangeRequest,
    { tries, redirects }: Course,
  ): Promise<http.IncomingMessage> {
    void readStart(response, this.#lingerMs);
    const address = this.#addressOf(this.#target(response.headers.location, redirects));
    if (response.statusCode === 308) {
      this.#address = address;
    }
    return this.#exchange(request, { tries, redirects: redirects + 1 }, address);
  }

  #target(location: string | undefined, redirects: number): URL {
    const target = location === undefined ? null : URL.parse(location, this.url.href);
    if (target === null) {
      throw new McpError('http', `${this.place.origin} redirects without a valid "Location"`);
    }
    if (target.origin !== this.url.origin) {
      const to = target.origin === 'null' ? target.protocol : target.origin;
      throw new McpError(
        'http',
        `${this.place.origin} redirects to another origin, ${to}, which is not followed: if that is right, set the server's URL to it`,
      );
    }
    if (redirects === maxRedirects) {
      throw new McpError('http', `${this.place.origin} redirects more than ${maxRedirects} times`);
    }
    return target;
  }

  #send(
    options: http.RequestOptions,
    { method, headers, body, signal }: ExchangeRequest,
    follow?: Follow,
  ): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const fail = async (error: Error | undefined, wasSecuring: boolean): Promise<void> =>
        reject(await this.#toError(error, signal, wasSecuring));
      if (signal?.aborted === true || this.#isClosed) {
        void fail(undefined, false);
        return;
      }
      const seen = this.#tap?.observer?.exchanged({
        method,
        url: `${this.url.origin}${options.path ?? ''}`,
        headers,
        body,
      });
      let isAnswered = false;
      const onResponse = (response: http.IncomingMessage): void => {
        isAnswered = true;
        const { statusCode, headers: answered } = response;
        this.#idle.expect(answered['keep-alive']);
        seen?.answered(statusCode ?? 0, answered);
        const refusal = this.#route?.refusalOf(response, this.url);
        if (refusal !== undefined) {
          void readStart(response, this.#lingerMs);
          reject(refusal);
        } else {
          resolve(follow !== undefined && isRedirect(response) ? follow(response) : response);
        }
      };
      let outgoing: http.ClientRequest;
      try {
        outgoing = this.#request({ ...options, method, headers }, onResponse);
      } catch (error) {
        // The authorizer may return a header that cannot be sent.
        seen?.ended(toError(error));
        void fail(toError(error), false);
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
        void fail(error, isSecuring(outgoing.socket));
      });
      outgoing.on('close', () => {
        seen?.ended();
        this.#open.release(slot);
        signal?.removeEventListener('abort', abort);
        if (!isAnswered && outgoing.errored === null) {
          const text = `${this.place.origin} ended the exchange without an answer, as with a change to another protocol (HTTP 101); ${unknownOutcome}`;
          void fail(new McpError('closed', text), false);
        }
      });
      outgoing.end(body);
    });
  }

  #request(
    options: RouteRequest,
    onResponse: (response: http.IncomingMessage) => void,
  ): http.ClientRequest {
    if (this.#route !== undefined) {
      return this.#route.request(options, onResponse);
    }
    const { request } = httpModuleFor(this.url);
    return request(options, onResponse);
  }

  async #toError(
    cause: Error | undefined,
    signal: AbandonSignal | undefined,
    wasSecuring: boolean,
  ): Promise<McpError> {
    if (signal?.aborted === true) {
      return new McpError('cancelled', 'The request was given up', { cause });
    }
    if (this.#isClosed || cause === undefined) {
      return new McpError('closed', 'The connection is closed', { cause });
    }
    return networkError(this.place, cause, wasSecuring);
  }
}

type Follow = (response: http.IncomingMessage) => Promise<http.IncomingMessage>;

function isRedirect({ statusCode }: http.IncomingMessage): boolean {
  return statusCode === 307 || statusCode === 308;
}

/** Nothing has been sent during the TLS handshake. */
function isSecuring(socket: object | null): boolean {
  return socket !== null && 'secureConnecting' in socket && socket.secureConnecting === true;
}
