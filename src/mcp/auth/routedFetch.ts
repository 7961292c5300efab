/**
 * `fetch` for the sign-in to a server with network settings of its own, which apply to the server's own
 * network. Other authorization servers are reached with the editor's settings. The MCP server names the
 * authorization servers, so this file decides whose certificate may go unchecked, and who gets the user's
 * own.
 */
import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { Readable } from 'node:stream';
import { onAbort, toError } from '../../base/async.ts';
import { isLoopback } from '../network/loopback.ts';
import type { ConnectionSettings } from '../network/connectionSettings.ts';
import { bareHost, isPrivateAddress } from '../network/privateAddress.ts';
import { Route } from '../network/route.ts';
import type { AuthRequest } from './authFetch.ts';

type Fetch = (url: URL, init: AuthRequest) => Promise<Response>;

/** @param issuer the authorization server named in the entry, if any */
export function routedFetch(
  serverUrl: URL,
  settings: ConnectionSettings,
  issuer?: string,
  elsewhere: Fetch = globalThis.fetch,
): Fetch {
  const named: ReadonlySet<unknown> = new Set([serverUrl.host, URL.parse(issuer ?? '')?.host]);
  const routes = new Map<string, Route>();
  const routeTo = (url: URL): Route => {
    const isHere = isLoopback(url);
    const isNamed = named.has(url.host);
    const key = `${isHere} ${isNamed}`;
    const route = routes.get(key) ?? new Route(restricted(settings, isHere, isNamed));
    routes.set(key, route);
    return route;
  };
  return async (url, init) => {
    const isNear = isSameNetwork(bareHost(serverUrl), bareHost(url));
    return isNear ? fetchOver(routeTo(url), url, init) : elsewhere(url, init);
  };
}

/**
 * Skips the certificate check only on this machine, and sends the user's certificate only to hosts that the
 * entry names: other hosts of their domain may be strangers, as below `github.io`.
 */
function restricted(
  { tls, ...others }: ConnectionSettings,
  isHere: boolean,
  isNamed: boolean,
): ConnectionSettings {
  const { isInsecure, client, ca } = tls ?? {};
  return {
    ...others,
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(isNamed && client !== undefined ? { client } : {}),
      ...(isHere && isInsecure === true ? { isInsecure } : {}),
    },
  };
}

/**
 * True for the same host, and for a host of the same domain (what follows the first label of the server's
 * name). For a name without a domain, a loopback address or a private address: true for another one of that
 * kind. Does no DNS lookup.
 * @param server, other hosts; an IPv6 address without brackets
 */
export function isSameNetwork(server: string, other: string): boolean {
  if (server === other) {
    return true;
  }
  const own = domainOf(server);
  return own === undefined
    ? isLocal(server) && isLocal(other)
    : isIP(other) === 0 && (other === own || other.endsWith(`.${own}`));
}

/**
 * `corp.example` for `mcp.corp.example`; `example.com` for `example.com`. Undefined for addresses and single labels.
 */
function domainOf(host: string): string | undefined {
  const labels = host.split('.');
  return isIP(host) !== 0 || labels.length < 2
    ? undefined
    : (labels.length === 2 ? labels : labels.slice(1)).join('.');
}

function isLocal(host: string): boolean {
  return isIP(host) === 0 ? !host.includes('.') : isPrivateAddress(host);
}

/** Follows no redirect, as the caller expects. */
function fetchOver(route: Route, url: URL, init: AuthRequest): Promise<Response> {
  const { method = 'GET', body, signal } = init;
  const { protocol, hostname, port, path } = urlToHttpOptions(url);
  const agent = route.createAgent(url, { keepAlive: false });
  const payload = body instanceof URLSearchParams ? body.toString() : (body ?? undefined);
  const headers = Object.fromEntries(new Headers(init.headers));
  if (body instanceof URLSearchParams) {
    headers['content-type'] ??= 'application/x-www-form-urlencoded;charset=UTF-8';
  }
  return new Promise<Response>((resolve, reject) => {
    const request = route.request(
      { protocol, hostname, port, path, agent, method, headers },
      (response) => {
        const refusal = route.refusalOf(response, url);
        try {
          if (refusal !== undefined) {
            throw refusal;
          }
          resolve(toResponse(response));
        } catch (error) {
          response.destroy();
          reject(toError(error));
        }
      },
    );
    // The signal may have aborted while the route was loaded.
    const abortion =
      signal &&
      onAbort(signal, () => {
        reject(toError(signal.reason));
        agent.destroy();
        request.destroy();
      });
    request.on('error', reject);
    request.on('close', () => {
      abortion?.dispose();
      agent.destroy();
    });
    request.end(payload);
  });
}

/**
 * @throws RangeError or TypeError for a response that fetch does not allow: `HTTP/1.1 999`, control
 *   characters in the reason
 */
function toResponse(response: IncomingMessage): Response {
  const { statusCode = 0, statusMessage = '', rawHeaders } = response;
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  const hasNoBody = statusCode === 204 || statusCode === 205 || statusCode === 304;
  if (hasNoBody) {
    response.resume();
  }
  return new Response(hasNoBody ? null : Readable.toWeb(response), {
    status: statusCode,
    statusText: statusMessage,
    headers,
  });
}
