/**
 * Gets the bytes of an icon: out of a `data:` URI, or over https from the origin of the server itself, without
 * cookies or tokens (https://modelcontextprotocol.io/specification/2025-11-25/basic#icons). Whether they
 * are an image is looked at elsewhere.
 */
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { after } from '../../base/async.ts';
import { maxIconBytes } from './iconImage.ts';

const limitMs = 10_000;
const maxRedirects = 3;
const accept = 'image/png, image/jpeg, image/webp, image/svg+xml';

/** @throws Error for an address that is not allowed, an answer that is none, and what is too large */
export type FetchIcon = (src: string, origin: string | undefined) => Promise<Uint8Array>;

/** @param origin of the server; none for one that is no remote one: nothing is fetched for it */
export const fetchIcon: FetchIcon = async (src, origin) => {
  const data = /^data:[^,]*;base64,(?<base64>.*)$/isu.exec(src)?.groups?.['base64'];
  if (data !== undefined) {
    return Buffer.from(data, 'base64');
  }
  const limit = new AbortController();
  const timer = after(limitMs, () => limit.abort(new Error('The icon did not come in time')));
  try {
    let url = allowed(URL.parse(src), origin);
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const answer = await get(url, limit.signal);
      if (!('location' in answer)) {
        return answer.bytes;
      }
      url = allowed(URL.parse(answer.location, url.href), origin);
    }
    throw new Error('The icon is redirected too often');
  } finally {
    timer.dispose();
  }
};

/** ICON-02, ICON-03: the first address and each that it is redirected to. */
function allowed(url: URL | null, origin: string | undefined): URL {
  if (url?.protocol !== 'https:' || url.origin !== origin || url.username + url.password !== '') {
    throw new Error('The icon is not of the origin of its server');
  }
  return url;
}

type Answer = { readonly location: string } | { readonly bytes: Uint8Array };

function get(url: URL, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // As a property of the module: the editor replaces it, for proxies and certificates.
    const request = https.get(url, { headers: { accept }, signal }, (response) => {
      read(response).then(resolve, reject);
    });
    request.on('error', reject);
  });
}

async function read(response: IncomingMessage): Promise<Answer> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    response.destroy();
    return { location: headers.location };
  }
  if (statusCode !== 200) {
    response.destroy();
    throw new Error(`The icon was refused with status ${statusCode}`);
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
