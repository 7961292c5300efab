/** Searches MCP registries for servers, a private one with its token. Shows nothing. */
import { t } from '../../base/l10n.ts';
import { isIP } from 'node:net';
import type { Surroundings } from './importedServer.ts';
import type { SecretStore } from '../storage.ts';
import { readRegistry, type RegistryHit } from './registryServers.ts';
import { isObject, isString } from '../../base/json.ts';
import { trimmedEnd } from '../../base/text.ts';
import { HttpError, McpError } from '../../mcp/errors.ts';
import { isLoopback } from '../../mcp/network/loopback.ts';
import { bareHost, isPrivateAddress } from '../../mcp/network/privateAddress.ts';
import { fetchFailure, readBody } from '../../mcp/network/routeFetch.ts';

const pageSize = 50;

export interface RegistrySearch {
  /** A part of a name; empty: the first of all. */
  readonly text: string;
  /** How many pages of 50 servers; default 1. */
  readonly pages?: number;
}

export interface RegistryFound {
  readonly hits: readonly RegistryHit[];
  /** The registry has another page. */
  readonly hasMore: boolean;
}

/**
 * `GET /v0.1/servers?search=…`, or `/v0` where there is no `/v0.1`: the newest version of each.
 * @param base URL of the registry, without the version
 * @throws McpError as {@link fetchJson}
 */
export async function searchRegistry(
  base: string,
  { text, pages = 1 }: RegistrySearch,
  around: Surroundings,
  signal: AbortSignal,
  limits?: FetchLimits,
): Promise<RegistryFound> {
  const search = async (version: string): Promise<RegistryFound> => {
    const url = below(base, `${version}/servers`);
    if (text !== '') {
      url.searchParams.set('search', text);
    }
    url.searchParams.set('version', 'latest');
    url.searchParams.set('limit', String(pageSize));
    const hits: RegistryHit[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await fetchJson(url, signal, limits);
      hits.push(...readRegistry(answer, { ...around, registry: base }));
      const next = nextCursor(answer);
      if (next === undefined || page >= pages) {
        return { hits, hasMore: next !== undefined };
      }
      url.searchParams.set('cursor', next);
    }
  };
  return search('v0.1').catch((error: unknown) => {
    if (error instanceof HttpError && error.status === 404) {
      return search('v0');
    }
    throw error;
  });
}

function nextCursor(answer: unknown): string | undefined {
  const metadata = isObject(answer) ? answer['metadata'] : undefined;
  const next = isObject(metadata) ? (metadata['nextCursor'] ?? metadata['next_cursor']) : undefined;
  return isString(next) && next !== '' ? next : undefined;
}

/** The token that the user gave for a registry. By the whole URL: another one on the same host has another token. */
export class RegistryTokens {
  readonly #store: SecretStore;

  constructor(store: SecretStore) {
    this.#store = store;
  }

  async get(base: string): Promise<string | undefined> {
    return this.#store.get(tokenKey(base));
  }

  /** @param token empty: forgets it */
  async set(base: string, token: string): Promise<void> {
    await (token === ''
      ? this.#store.delete(tokenKey(base))
      : this.#store.set(tokenKey(base), token));
  }
}

function tokenKey(base: string): string {
  return `mcpHost.registryToken/${base}`;
}

/** Whether an error of {@link searchRegistry} may go away with a token, or with another one. */
export function wantsToken(error: unknown): boolean {
  return error instanceof HttpError && (error.status === 401 || error.status === 403);
}

export interface FetchLimits {
  /** Milliseconds for the exchange, including its body. */
  readonly timeMs?: number;
  /** Bytes of the body. */
  readonly bytes?: number;
  /** Sent as a bearer token, to the origin of the address and to no other. */
  readonly token?: string;
  /** Redirects may lead to other public sites, as those of downloads do: what comes is shown before it is used. */
  readonly mayLeave?: boolean;
  readonly fetch?: typeof globalThis.fetch;
}

const defaultTimeMs = 20_000;
const defaultBytes = 4 * 1024 * 1024;
const maxRedirects = 3;

/** @throws McpError as {@link fetchBytes}, and `protocol` for invalid JSON */
export async function fetchJson(
  address: string | URL,
  signal: AbortSignal,
  limits: FetchLimits = {},
): Promise<unknown> {
  const bytes = await fetchBytes(address, signal, limits, 'application/json');
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new McpError('protocol', t('{0} did not send JSON', new URL(address).origin));
  }
}

/**
 * @throws McpError `invalidConfig` for a URL that is not allowed, `unreachable`, `http` for a status other than 2xx,
 * `timeout`, `protocol` for an exceeded limit, `cancelled`
 */
export async function fetchBytes(
  address: string | URL,
  signal: AbortSignal,
  limits: FetchLimits = {},
  accept = '*/*',
): Promise<Uint8Array> {
  const { timeMs = defaultTimeMs, bytes = defaultBytes, fetch = globalThis.fetch } = limits;
  let url = allowed(address);
  const limit = AbortSignal.timeout(timeMs);
  try {
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await fetch(url, {
        headers: headersOf(accept, limits),
        redirect: 'manual',
        signal: AbortSignal.any([signal, limit]),
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) {
        return await bodyOf(response, url, bytes);
      }
      url = ledTo(location, url, limits);
    }
    throw new McpError(
      'protocol',
      t('{0} redirects more than {1} times', url.origin, maxRedirects),
    );
  } catch (error) {
    throw fetchFailure(error, url, { signal, what: 'The look-up', limit, limitMs: timeMs });
  }
}

function headersOf(accept: string, { token }: FetchLimits): Record<string, string> {
  return token === undefined ? { accept } : { accept, authorization: `Bearer ${token}` };
}

/** A path below a base URL, whether or not the base ends with a slash. @throws McpError `invalidConfig` */
export function below(base: string, path: string): URL {
  const url = allowed(base);
  url.pathname = `${trimmedEnd(url.pathname, '/')}/${path}`;
  return url;
}

/**
 * Where an answer leads: a redirect, a next page, a place for tokens.
 * @throws McpError `protocol` for another origin, which may be one that only this machine or its network can reach
 */
export function ledTo(
  location: string,
  from: URL,
  { mayLeave = false, token }: FetchLimits = {},
): URL {
  const url = URL.parse(location, from.href);
  const isFree = mayLeave && token === undefined;
  if (url === null || (url.origin !== from.origin && !(isFree && mayLead(from, url)))) {
    const where = url?.origin ?? t('a text that is not a URL');
    const text = mayLeave
      ? t('{0} leads to {1}, which is not followed', from.origin, where)
      : t(
          '{0} leads to {1}, which is not followed: if you trust it, name it in the settings instead',
          from.origin,
          where,
        );
    throw new McpError('protocol', text);
  }
  return url;
}

function mayLead(from: URL, to: URL): boolean {
  if (isLoopback(to)) {
    return isLoopback(from);
  }
  const host = bareHost(to);
  return to.protocol === 'https:' && (isIP(host) === 0 || !isPrivateAddress(host));
}

function allowed(address: string | URL): URL {
  const url = typeof address === 'string' ? URL.parse(address) : address;
  if (url === null) {
    throw new McpError('invalidConfig', t('{0} is not a URL', JSON.stringify(address)));
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    throw new McpError(
      'invalidConfig',
      t('{0} is not used: a registry needs https, or http on this machine', url.origin),
    );
  }
  return new URL(url);
}

async function bodyOf(response: Response, url: URL, maxBytes: number): Promise<Uint8Array> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new HttpError(
      'http',
      response.status,
      t('{0} answered {1}', url.origin, response.status),
    );
  }
  const body = await readBody(response, maxBytes);
  if (body === undefined) {
    const megabytes = maxBytes / 1024 / 1024;
    const text = t('{0} sent more than {1} MB, which is not read', url.origin, megabytes);
    throw new McpError('protocol', text);
  }
  return body;
}
