/** Requests over a {@link Route} in the form of `fetch`, and bodies of limited length. */
import { t } from '../../base/l10n.ts';
import type { IncomingMessage } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { Readable } from 'node:stream';
import { onAbort, toError } from '../../base/async.ts';
import { abortedError, isMcpError, McpError } from '../errors.ts';
import type { Route } from './route.ts';

export interface RoutedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly body?: string | URLSearchParams | Uint8Array<ArrayBuffer> | null;
  readonly signal?: AbortSignal;
}

/** `fetch` over a route. Follows no redirect. */
export function fetchOver(route: Route, url: URL, init: RoutedRequest): Promise<Response> {
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

/** The body of a response; undefined if it has more than `maxBytes`. */
export async function readBody(
  { body }: Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      return undefined;
    }
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}

interface FetchEnds {
  /** Of the caller, who does `what`. */
  readonly signal: AbortSignal;
  readonly what: string;
  /** Aborts after `limitMs`. */
  readonly limit: AbortSignal;
  readonly limitMs: number;
}

/** What a fetch that failed means. An McpError stays. */
export function fetchFailure(
  error: unknown,
  { origin }: URL,
  { signal, what, limit, limitMs }: FetchEnds,
): McpError {
  if (signal.aborted) {
    return abortedError(signal, what);
  }
  if (limit.aborted) {
    return new McpError('timeout', t('{0} did not answer within {1} s', origin, limitMs / 1000));
  }
  if (isMcpError(error)) {
    return error;
  }
  // fetch itself only says "fetch failed".
  const reason = toError(toError(error).cause ?? error).message;
  return new McpError('unreachable', t('{0} cannot be reached: {1}', origin, reason), {
    cause: error,
  });
}
