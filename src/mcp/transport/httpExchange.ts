/**
 * HTTP requests to one endpoint over `node:http` or `node:https`, with keep-alive: redirects within
 * the origin, failures of the network in words, the end of all requests. Knows neither JSON-RPC nor SSE.
 */
import type * as http from 'node:http';
import type * as https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { McpError } from '../errors.ts';
import type { HttpAuthorizer } from '../httpAuthorizer.ts';
import type { MessageTap } from '../messageTap.ts';
import type { Route, RouteRequest } from '../network/route.ts';
import { readStart } from './httpBody.ts';
import type { Place } from './httpErrors.ts';
import { IdleSockets } from './httpIdle.ts';
import { httpModuleFor } from './httpModules.ts';
import type { HttpTransportOptions } from './httpOptions.ts';
import { isPutOff, sendWhenWelcome } from './httpRetryAfter.ts';
import { exchangeSignedIn } from './httpSignedIn.ts';
import { Slots } from './httpSlots.ts';
import { checkUrl } from './plainUrl.ts';
import type { AbandonSignal } from './transport.ts';

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: http.OutgoingHttpHeaders;
  readonly body?: string;
  /** Ends the exchange at any stage, the body of the response included. */
  readonly signal?: AbandonSignal;
  /** Is told how long the request waits before it is sent again, where the server put it off. Absent: it does not. */
  readonly onWait?: (ms: number) => void;
}

export type EndpointOptions = Pick<
  HttpTransportOptions,
  'socketPath' | 'authorizer' | 'route' | 'tap'
>;

const maxRedirects = 3;

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
  readonly #open = new Slots<http.ClientRequest>();
  #options: http.RequestOptions;
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
    this.#options = this.#optionsFor(url);
  }

  /**
   * Resolves with the head of the response, whatever its status; its body is the caller's to read or
   * to destroy. 307 and 308 are followed within the origin, so that no header reaches another one.
   * @throws McpError `unreachable`; `closed` when the connection was cut, or this was closed;
   *   `cancelled` when the signal aborts; `http` for a redirect elsewhere; what the authorizer throws.
   */
  exchange(request: ExchangeRequest): Promise<http.IncomingMessage> {
    const { onWait } = request;
    if (onWait === undefined) {
      return this.#exchange(request);
    }
    const { signal: closing } = this.#cutting;
    const lingerMs = this.#lingerMs;
    const send = (): Promise<http.IncomingMessage> => this.#exchange(request);
    // No async function: each request would be a promise more for what hardly ever happens.
    return send().then((response) =>
      isPutOff(response)
        ? sendWhenWelcome(response, { signal: request.signal, closing, lingerMs, onWait, send })
        : response,
    );
  }

  /** Ends every exchange under way; later ones are still possible. */
  cut(): void {
    this.#cutting.abort();
    this.#cutting = new AbortController();
    for (const outgoing of this.#open.all()) {
      outgoing.destroy();
    }
  }

  /** Ends every exchange, and leaves no socket. */
  close(): void {
    this.#isClosed = true;
    this.cut();
    this.#idle.dispose();
    this.#agent.destroy();
  }

  #exchange(request: ExchangeRequest): Promise<http.IncomingMessage> {
    const authorizer = this.#authorizer;
    return authorizer === undefined
      ? this.#send(this.#options, request, 0)
      : exchangeSignedIn(authorizer, this.url, request, this.#cutting.signal, (signedIn) =>
          this.#send(this.#options, signedIn, 0),
        );
  }

  /** Only what a request needs: the options are copied with each. */
  #optionsFor(url: URL): http.RequestOptions {
    const { protocol, hostname, port, path } = urlToHttpOptions(url);
    const agent = this.#agent;
    // Without the member otherwise: the options are looked through with each request.
    return this.#socketPath === undefined
      ? { protocol, hostname, port, path, agent }
      : { protocol, hostname, path, agent, socketPath: this.#socketPath };
  }

  async #follow(
    { statusCode, headers }: http.IncomingMessage,
    request: ExchangeRequest,
    redirects: number,
  ): Promise<http.IncomingMessage> {
    const options = this.#optionsFor(this.#target(headers.location, redirects));
    if (statusCode === 308) {
      this.#options = options; // moved for good
    }
    return this.#send(options, request, redirects + 1);
  }

  #target(location: string | undefined, redirects: number): URL {
    const target = location === undefined ? null : URL.parse(location, this.url.href);
    if (target === null) {
      throw new McpError('http', `${this.place.origin} redirects to nowhere`);
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
    exchange: ExchangeRequest,
    redirects: number,
  ): Promise<http.IncomingMessage> {
    const { method, headers, body, signal } = exchange;
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
      const outgoing = this.#request({ ...options, method, headers }, (response) => {
        const { statusCode, headers: answered } = response;
        this.#idle.expect(answered['keep-alive']);
        seen?.answered(statusCode ?? 0, answered);
        const refusal = this.#route?.refusalOf(response, this.url);
        if (refusal !== undefined) {
          void readStart(response, this.#lingerMs);
          reject(refusal);
        } else if (statusCode === 307 || statusCode === 308) {
          void readStart(response, this.#lingerMs);
          resolve(this.#follow(response, exchange, redirects));
        } else {
          resolve(response);
        }
      });
      const slot = this.#open.add(outgoing);
      const abort = (): void => {
        outgoing.destroy();
      };
      signal?.addEventListener('abort', abort);
      // Also after the response: a server that answers before it has read all cuts the rest.
      outgoing.on('error', (error) => {
        seen?.ended(error);
        void fail(error, isSecuring(outgoing.socket));
      });
      outgoing.on('close', () => {
        seen?.ended();
        this.#open.release(slot);
        signal?.removeEventListener('abort', abort);
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
    const { networkError } = await import('./httpErrors.ts');
    return networkError(this.place, cause, wasSecuring);
  }
}

/** Nothing has been sent while the two sides are still agreeing on keys. */
function isSecuring(socket: object | null): boolean {
  return socket !== null && 'secureConnecting' in socket && socket.secureConnecting === true;
}
