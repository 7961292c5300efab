/**
 * `fetch` for the sign-in to a server with network settings of its own, which apply to the server's own
 * network. Other authorization servers are reached with the editor's settings. The MCP server names the
 * authorization servers, so this file decides whose certificate may go unchecked, and who gets the user's
 * own.
 */
import { isIP } from 'node:net';
import { isLoopback } from '../network/loopback.ts';
import type { ConnectionSettings } from '../network/connectionSettings.ts';
import { bareHost, isPrivateAddress } from '../network/privateAddress.ts';
import { Route } from '../network/route.ts';
import { fetchOver } from '../network/routeFetch.ts';
import type { Send } from './authFetch.ts';

/** @param issuer the authorization server named in the entry, if any */
export function routedFetch(
  serverUrl: URL,
  settings: ConnectionSettings,
  issuer?: string,
  elsewhere: Send = globalThis.fetch,
): Send {
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
