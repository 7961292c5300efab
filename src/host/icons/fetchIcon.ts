/**
 * Gets the bytes of an icon: from a `data:` URI, or over https from the origin of the server itself, without cookies or
 * tokens (https://modelcontextprotocol.io/specification/2025-11-25/basic#icons). iconImage.ts checks whether they are
 * an image.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { after } from '../../base/async.ts';
import type { ConnectionSettings } from '../../mcp/network/connectionSettings.ts';
import { Route } from '../../mcp/network/route.ts';
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
  const limit = new AbortController();
  const timer = after(limitMs, () => limit.abort(new Error('The icon took too long to load')));
  try {
    let url = allowed(URL.parse(src), origin);
    const route = connection && routeFor(connection);
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const answer = await get(url, limit.signal, route);
      if (!('location' in answer)) {
        return answer.bytes;
      }
      url = allowed(URL.parse(answer.location, url.href), origin);
    }
    throw new Error('The icon was redirected too often');
  } finally {
    timer.dispose();
  }
};

/** Creating a route parses some hundred certificates, and a server may have many icons. */
const routes = new WeakMap<ConnectionSettings, Route>();

/** The route to the server, without client credentials: icons are fetched anonymously. */
function routeFor(settings: ConnectionSettings): Route {
  const { tls: { client: _client, ...tls } = {}, ...others } = settings;
  const route = routes.get(settings) ?? new Route({ ...others, tls });
  routes.set(settings, route);
  return route;
}

/** ICON-02, ICON-03: checks the first URL and each redirect. */
function allowed(url: URL | null, origin: string | undefined): URL {
  if (url?.protocol !== 'https:' || url.origin !== origin || url.username + url.password !== '') {
    throw new Error('The icon is not from the origin of its server');
  }
  return url;
}

type Answer = { readonly location: string } | { readonly bytes: Uint8Array };

function get(url: URL, signal: AbortSignal, route: Route | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { headers: { accept }, signal };
    const onResponse = (response: IncomingMessage): void => {
      read(response).then(resolve, reject);
    };
    const request =
      route === undefined
        ? // As a property of the module: the editor replaces it, for proxies and certificates.
          https.get(url, options, onResponse)
        : getOver(route, url, options, onResponse);
    request.on('error', reject);
  });
}

function getOver(
  route: Route,
  url: URL,
  options: https.RequestOptions & { readonly headers: Readonly<Record<string, string>> },
  onResponse: (response: IncomingMessage) => void,
): ClientRequest {
  const { protocol, hostname, port, path } = urlToHttpOptions(url);
  const agent = route.createAgent(url, { keepAlive: false });
  const request = route.request({ ...options, protocol, hostname, port, path, agent }, onResponse);
  request.on('close', () => agent.destroy());
  request.end();
  return request;
}

async function read(response: IncomingMessage): Promise<Answer> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    response.destroy();
    return { location: headers.location };
  }
  if (statusCode !== 200) {
    response.destroy();
    throw new Error(`The request for the icon failed with status ${statusCode}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > maxIconBytes) {
      response.destroy();
      throw new Error('The icon is too large');
    }
    chunks.push(bytes);
  }
  return { bytes: Buffer.concat(chunks) };
}
