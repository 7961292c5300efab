/**
 * All HTTP requests for authorization: limited in time, size and redirects, over https unless it stays on
 * this machine. It contacts private addresses only if the server itself has one, or the user agrees. Other
 * files decide what to request and what a response means.
 */
import { t } from '../../base/l10n.ts';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { after } from '../../base/async.ts';
import { McpError } from '../errors.ts';
import { isLoopback } from '../network/loopback.ts';
import { bareHost, isPrivateAddress } from '../network/privateAddress.ts';
import { fetchFailure, readBody, type RoutedRequest } from '../network/routeFetch.ts';

export type AuthFetch = (url: string | URL, init?: RoutedRequest) => Promise<Response>;

/** The part of `fetch` that is used. Redirects are not followed. */
export type Send = (
  url: URL,
  init: RoutedRequest & { readonly redirect?: 'manual' },
) => Promise<Response>;

export interface AuthFetchOptions {
  /** The MCP server's URL: metadata of a public server must not lead into a private network. */
  readonly serverUrl: URL;
  /** Called each time before a private address is contacted for a public server: it knows earlier answers. */
  readonly confirmPrivateAddress: (url: URL) => Promise<boolean>;
  readonly signal: AbortSignal;
  /** Replaces the global `fetch`, which applies the editor's settings. */
  readonly fetch?: Send | undefined;
  /** Returns the addresses of a host name; rejects for an unknown name. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** Time limit for one exchange including its body, in milliseconds. */
const maxExchangeMs = 20_000;
/** Limit of bytes in one response. Real metadata and token responses have a few kilobytes. */
const maxBodyBytes = 256 * 1024;
const maxRedirects = 3;

/**
 * Reads responses whole, so later code needs no limits of its own.
 * @throws McpError (from the returned function) `unreachable`; `timeout`; `protocol` for a response that
 *   breaks a limit; `unauthorized` for an address that must not be contacted; `cancelled`
 */
export function createAuthFetch(options: AuthFetchOptions): AuthFetch {
  const guard = new AddressGuard(options);
  const send = options.fetch ?? globalThis.fetch;
  return async (target, init = {}) => {
    let url = new URL(target);
    const { method = 'GET' } = init;
    for (let redirects = 0; ; redirects += 1) {
      await guard.check(url);
      const response = await exchange(send, url, { ...init, method }, options.signal);
      const next = redirectOf(response, url, method, redirects);
      if (next === undefined) {
        return response;
      }
      url = next;
    }
  };
}

/**
 * A token sent in cleartext can be read by anybody (RFC 6750 section 5.3).
 * @throws McpError `unauthorized` for a server that would get it over the network without encryption
 */
export function requireEncryption(serverUrl: URL): void {
  if (serverUrl.protocol !== 'https:' && !isLoopback(serverUrl)) {
    throw new McpError(
      'unauthorized',
      t(
        '{0} requires authorization, but a token would be sent without encryption: use its https:// URL',
        serverUrl.origin,
      ),
    );
  }
}

/** Decides by scheme and address whether a URL may be contacted. Asks one question at a time about an origin. */
class AddressGuard {
  readonly #options: AuthFetchOptions;
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(options: AuthFetchOptions) {
    this.#options = options;
  }

  async check(url: URL): Promise<void> {
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
      throw new McpError(
        'unauthorized',
        t('{0} is not used for authorization: only https is, or http on this machine', url.origin),
      );
    }
    const { serverUrl } = this.#options;
    const isUsual =
      url.host === serverUrl.host ||
      !(await this.#isPrivate(url)) ||
      (await this.#isPrivate(serverUrl));
    if (!isUsual && !(await this.#confirm(url))) {
      throw new McpError(
        'unauthorized',
        t(
          '{0} was not contacted: its address is in a private network, and that of {1} is not',
          url.origin,
          serverUrl.origin,
        ),
      );
    }
  }

  #confirm(url: URL): Promise<boolean> {
    const { origin } = url;
    const answer =
      this.#asking.get(origin) ??
      this.#options.confirmPrivateAddress(url).finally(() => this.#asking.delete(origin));
    this.#asking.set(origin, answer);
    return answer;
  }

  async #isPrivate(url: URL): Promise<boolean> {
    if (isLoopback(url)) {
      return true;
    }
    const host = bareHost(url);
    try {
      const addresses =
        isIP(host) === 0 ? await (this.#options.resolve ?? resolveHost)(host) : [host];
      return addresses.some(isPrivateAddress);
    } catch {
      return false; // behind a proxy only the proxy resolves names; an unknown name fails later
    }
  }
}

async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

async function exchange(
  send: Send,
  url: URL,
  init: RoutedRequest,
  outer: AbortSignal,
): Promise<Response> {
  const limit = new AbortController();
  const timer = after(maxExchangeMs, () => limit.abort());
  const own = init.signal === undefined ? [] : [init.signal];
  try {
    const response = await send(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.any([outer, limit.signal, ...own]),
    });
    const body = await readBody(response, maxBodyBytes);
    if (body === undefined) {
      throw new McpError(
        'protocol',
        t(
          '{0} sent more than {1} KiB, far more than authorization needs',
          url.origin,
          maxBodyBytes / 1024,
        ),
      );
    }
    return new Response(body.byteLength === 0 ? null : body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  } catch (error) {
    const ends = { signal: outer, what: 'Signing in', limit: limit.signal, limitMs: maxExchangeMs };
    throw fetchFailure(error, url, ends);
  } finally {
    timer.dispose();
  }
}

/** Metadata requests may be redirected within their origin; a request with a secret is never sent again elsewhere. */
function redirectOf(
  response: Response,
  url: URL,
  method: string,
  redirects: number,
): URL | undefined {
  const location = response.headers.get('location');
  if (response.status < 300 || response.status > 399 || location === null) {
    return undefined;
  }
  const next = URL.parse(location, url.href);
  if (method !== 'GET' || next?.origin !== url.origin) {
    throw new McpError(
      'protocol',
      t(
        '{0} redirects to {1}, which is not followed when signing in',
        url.origin,
        next?.origin ?? t('a text that is not a URL'),
      ),
    );
  }
  if (redirects === maxRedirects) {
    throw new McpError(
      'protocol',
      t('{0} redirects more than {1} times', url.origin, maxRedirects),
    );
  }
  return next;
}
