/**
 * Fetches a JSON document from a registry: over https, or http on this machine, only from the registry's origin, with
 * limits of time, size and redirects. Does not interpret the document.
 */
import { after, toError } from '../../base/async.ts';
import { trimmedEnd } from '../../base/text.ts';
import { abortedError, isMcpError, McpError } from '../../mcp/errors.ts';
import { isLoopback } from '../../mcp/network/loopback.ts';

export interface FetchLimits {
  /** Milliseconds for the exchange, including its body. */
  readonly timeMs?: number;
  /** Bytes of the body. */
  readonly bytes?: number;
  readonly fetch?: typeof globalThis.fetch;
}

const defaultTimeMs = 20_000;
const defaultBytes = 4 * 1024 * 1024;
const maxRedirects = 3;

/**
 * @throws McpError `invalidConfig` for a URL that is not allowed, `unreachable` (also for a status other than 2xx),
 * `timeout`, `protocol` for invalid JSON or an exceeded limit, `cancelled`
 */
export async function fetchJson(
  address: string | URL,
  signal: AbortSignal,
  limits: FetchLimits = {},
): Promise<unknown> {
  const { timeMs = defaultTimeMs, bytes = defaultBytes, fetch = globalThis.fetch } = limits;
  let url = allowed(address);
  const limit = new AbortController();
  const timer = after(timeMs, () => limit.abort());
  try {
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await fetch(url, {
        headers: { accept: 'application/json' },
        redirect: 'manual',
        signal: AbortSignal.any([signal, limit.signal]),
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) {
        return await readJsonBody(response, url, bytes);
      }
      url = redirected(location, url);
    }
    throw new McpError('protocol', `${url.origin} redirects more than ${maxRedirects} times`);
  } catch (error) {
    if (signal.aborted) {
      throw abortedError(signal, 'The look-up');
    }
    if (limit.signal.aborted) {
      throw new McpError('timeout', `${url.origin} did not answer within ${timeMs / 1000} s`);
    }
    if (isMcpError(error)) {
      throw error;
    }
    // fetch itself only says "fetch failed".
    const reason = toError(toError(error).cause ?? error).message;
    throw new McpError('unreachable', `${url.origin} cannot be reached: ${reason}`, {
      cause: error,
    });
  } finally {
    timer.dispose();
  }
}

/** A path below a base URL, whether or not the base ends with a slash. @throws McpError `invalidConfig` */
export function below(base: string, path: string): URL {
  const url = allowed(base);
  url.pathname = `${trimmedEnd(url.pathname, '/')}/${path}`;
  return url;
}

/** @throws McpError `protocol` for another origin, which may be one that only this machine or its network can reach */
function redirected(location: string, from: URL): URL {
  const url = URL.parse(location, from.href);
  if (url?.origin !== from.origin) {
    throw new McpError(
      'protocol',
      `${from.origin} redirects to ${url?.origin ?? 'a text that is not a URL'}, which is not followed: if you trust it, name it in the settings instead`,
    );
  }
  return url;
}

function allowed(address: string | URL): URL {
  const url = typeof address === 'string' ? URL.parse(address) : address;
  if (url === null) {
    throw new McpError('invalidConfig', `${JSON.stringify(address)} is not a URL`);
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    throw new McpError(
      'invalidConfig',
      `${url.origin} is not used: a registry needs https, or http on this machine`,
    );
  }
  return new URL(url);
}

async function readJsonBody(response: Response, url: URL, maxBytes: number): Promise<unknown> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new McpError('unreachable', `${url.origin} answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new McpError(
        'protocol',
        `${url.origin} sent more than ${maxBytes / 1024 / 1024} MB, which is not read`,
      );
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new McpError('protocol', `${url.origin} did not send JSON`);
  }
}
