/**
 * HTTP requests to one endpoint over `node:http` or `node:https`, with keep-alive: redirects within
 * the origin, failures of the network in words, bodies within limits. Knows neither JSON-RPC nor SSE.
 *
 * The modules are used as namespaces, and `request` is looked up at each call: VS Code replaces it in
 * the module so that its settings for proxies and certificates count.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { toError } from '../../base/async.ts';
import { McpError } from '../errors.ts';

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: http.OutgoingHttpHeaders;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Characters of a JSON body. */
export const maxBodyChars = 64 * 1024 * 1024;
/** Characters of a body that an error quotes. */
const excerptChars = 2_000;
const maxRedirects = 3;
/**
 * A connection that idles for this long is closed by us. Servers commonly close theirs after 5 s
 * without saying so, and a request that meets such a close is lost with its outcome unknown.
 */
const idleSocketMs = 4_000;

export class HttpEndpoint {
  readonly url: URL;
  readonly #agent: http.Agent | https.Agent;
  #options: http.RequestOptions;

  /** @throws McpError `invalidConfig` for a URL that is not plain http(s). */
  constructor(url: URL) {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new McpError('invalidConfig', `"${url.protocol}" is not http: or https:`);
    }
    if (url.username !== '' || url.password !== '') {
      const message = `The URL of ${url.origin} holds a user name or password: use a header instead`;
      throw new McpError('invalidConfig', message);
    }
    this.url = url;
    this.#options = urlToHttpOptions(url);
    const options = { keepAlive: true, scheduling: 'lifo', timeout: idleSocketMs } as const;
    this.#agent = isSecure(url) ? new https.Agent(options) : new http.Agent(options);
  }

  /**
   * Resolves with the head of the response, whatever its status; its body is the caller's to read or
   * to destroy. 307 and 308 are followed within the origin, so that no header reaches another one.
   * @throws McpError `unreachable`, `cancelled` when the signal aborts, `http` for a redirect elsewhere.
   */
  async exchange(request: ExchangeRequest): Promise<http.IncomingMessage> {
    let options = this.#options;
    for (let redirects = 0; ; redirects++) {
      const response = await this.#send(options, request);
      const { statusCode, headers } = response;
      if (statusCode !== 307 && statusCode !== 308) {
        return response;
      }
      response.resume();
      options = urlToHttpOptions(this.#target(headers.location, redirects));
      if (statusCode === 308) {
        this.#options = options; // moved for good
      }
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #target(location: string | undefined, redirects: number): URL {
    const target = location === undefined ? null : URL.parse(location, this.url.href);
    if (target === null) {
      throw new McpError('http', `${this.url.origin} redirects to nowhere`);
    }
    if (target.origin !== this.url.origin) {
      throw new McpError(
        'http',
        `${this.url.origin} redirects to another origin, ${target.origin}, which is not followed: if that is right, set the server's URL to it`,
      );
    }
    if (redirects === maxRedirects) {
      throw new McpError('http', `${this.url.origin} redirects more than ${maxRedirects} times`);
    }
    return target;
  }

  #send(
    options: http.RequestOptions,
    { method, headers, body, signal }: ExchangeRequest,
  ): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { request } = isSecure(this.url) ? https : http;
      const outgoing = request({ ...options, agent: this.#agent, method, headers }, (response) =>
        resolve(response),
      );
      outgoing.on('error', (error) => reject(this.#toError(error, signal)));
      if (signal !== undefined) {
        const abort = (): void => {
          outgoing.destroy();
        };
        if (signal.aborted) {
          abort();
        }
        signal.addEventListener('abort', abort, { once: true });
        outgoing.on('close', () => signal.removeEventListener('abort', abort));
      }
      outgoing.end(body);
    });
  }

  #toError(error: Error, signal: AbortSignal | undefined): McpError {
    return signal?.aborted === true
      ? new McpError('cancelled', 'The request was given up', { cause: error })
      : networkError(this.url, error);
  }
}

function isSecure(url: URL): boolean {
  return url.protocol === 'https:';
}

/** Names the origin alone: path and query of a URL may hold a secret. */
export function networkError(url: URL, error: unknown): McpError {
  const cause = toError(error);
  const code = 'code' in cause ? String(cause.code) : '';
  const reason = reasons.get(code) ?? tlsReason(code, cause) ?? cause.message;
  return new McpError('unreachable', `${url.origin} cannot be reached: ${reason}`, { cause });
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there, is the server running?'],
  ['ECONNRESET', 'the connection was cut'],
  ['EPIPE', 'the connection was cut'],
  ['ENOTFOUND', 'the host name is unknown'],
  ['EAI_AGAIN', 'the host name cannot be looked up, is there a network?'],
  ['ETIMEDOUT', 'the host does not answer'],
  ['EHOSTUNREACH', 'there is no way to the host'],
  ['ENETUNREACH', 'there is no network'],
  ['EPROTO', 'it does not speak TLS the way it was asked to: http and https mixed up?'],
]);

function tlsReason(code: string, cause: Error): string | undefined {
  return /CERT|SIGNATURE|TLS|SSL/u.test(code)
    ? `its certificate is not accepted (${cause.message})`
    : undefined;
}

/**
 * The whole body as text.
 * @throws McpError `protocol` beyond `maxChars`, `closed` when it breaks off.
 */
export function readText(response: http.IncomingMessage, maxChars = maxBodyChars): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      // A character has at least one byte, so this is never too early by more than the encoding.
      if (length > maxChars) {
        response.destroy();
        reject(new McpError('protocol', `The answer is larger than ${maxChars} bytes`));
      }
    });
    response.on('end', () => {
      const [first] = chunks;
      const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
      resolve(whole.toString('utf8'));
    });
    response.on('error', reject);
    response.on('close', () => {
      reject(new McpError('closed', 'The connection broke off within the answer'));
    });
  });
}

/** The beginning of a body, for an error; never throws. */
export async function readExcerpt(response: http.IncomingMessage): Promise<string> {
  try {
    return await readText(response, 64 * 1024);
  } catch {
    return '';
  }
}

export function excerptOf(text: string): string {
  return text.slice(0, excerptChars);
}

/** `text/event-stream; charset=utf-8` gives `text/event-stream`. */
export function mediaTypeOf(response: http.IncomingMessage): string {
  return (response.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
