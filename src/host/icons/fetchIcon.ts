/**
 * Gets the bytes of an icon: from a `data:` URI, or over https from the origin of the server itself, without cookies or
 * tokens (https://modelcontextprotocol.io/specification/2025-11-25/basic#icons). iconImage.ts checks whether they are
 * an image.
 */
import { perObject } from '../../base/lazily.ts';
import type { ConnectionSettings } from '../../mcp/network/connectionSettings.ts';
import { Route } from '../../mcp/network/route.ts';
import { fetchOver, readBody } from '../../mcp/network/routeFetch.ts';
import { maxIconBytes } from './iconImage.ts';

const limitMs = 10_000;
const maxRedirects = 3;
const accept = 'image/png, image/jpeg, image/webp, image/svg+xml';

/** Where an icon may come from, and the connection settings for it. */
export interface IconSource {
  /** The server's origin; undefined for a server that is not remote: nothing is fetched for it. */
  readonly origin: string | undefined;
  /** From the server's entry; absent where only the editor's settings count. */
  readonly connection?: ConnectionSettings | undefined;
}

/** @throws Error for a URL that is not allowed, a failed request, and too many bytes */
export type FetchIcon = (src: string, from: IconSource) => Promise<Uint8Array>;

export const fetchIcon: FetchIcon = async (src, { origin, connection }) => {
  const data = /^data:[^,]*;base64,(?<base64>.*)$/isu.exec(src)?.groups?.['base64'];
  if (data !== undefined) {
    return Buffer.from(data, 'base64');
  }
  const init = { headers: { accept }, signal: AbortSignal.timeout(limitMs) };
  const route = connection && routeFor(connection);
  let url = allowed(URL.parse(src), origin);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await (route === undefined
      ? globalThis.fetch(url, { ...init, redirect: 'manual', credentials: 'omit' })
      : fetchOver(route, url, init));
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) {
      return bytesOf(response);
    }
    await response.body?.cancel();
    url = allowed(URL.parse(location, url.href), origin);
  }
  throw new Error('The icon was redirected too often');
};

async function bytesOf(response: Response): Promise<Uint8Array> {
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`The request for the icon failed with status ${response.status}`);
  }
  const bytes = await readBody(response, maxIconBytes);
  if (bytes === undefined) {
    throw new Error('The icon is too large');
  }
  return bytes;
}

/**
 * The route to the server, without client credentials: icons are fetched anonymously. Creating one parses some hundred
 * certificates, and a server may have many icons.
 */
const routeFor = perObject(
  ({ tls: { client: _client, ...tls } = {}, ...others }: ConnectionSettings) =>
    new Route({ ...others, tls }),
);

/** ICON-02, ICON-03: checks the first URL and each redirect. */
function allowed(url: URL | null, origin: string | undefined): URL {
  if (url?.protocol !== 'https:' || url.origin !== origin || url.username + url.password !== '') {
    throw new Error('The icon is not from the origin of its server');
  }
  return url;
}
