/**
 * The redirect URI on this machine (RFC 8252 section 7.3): one path on 127.0.0.1, open until the answer with the right
 * `state` has come. The authorizer judges the answer; the browser's page, which has no text of a server, waits for that.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { after, raceSignal } from '../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../base/disposable.ts';
import { listenOnLoopback, silenceLimits } from '../../host/silentConnections.ts';
import { html } from '../text/html.ts';
import { McpError } from '../../mcp/errors.ts';

/** Bytes of a request's headers: the longest known codes have 4 kB. */
const maxHeaderBytes = 32 * 1024;
/** Milliseconds that the page waits for the result of the sign-in. */
const pageLimitMs = 15_000;
const ownNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);

export class LoopbackRedirect implements Disposable {
  readonly port: number;
  readonly #server: Server;
  readonly #words: PageWords;
  readonly #pageLimit = new MutableDisposable<Disposable>();
  #expected:
    | { readonly state: string; readonly resolve: (parameters: URLSearchParams) => void }
    | undefined;
  readonly #silent: Disposable;
  /** The browser's request that still waits for the result. */
  #page: ServerResponse | undefined;

  /** @param server is listening */
  constructor(
    server: Server,
    listening: Awaited<ReturnType<typeof listenOnLoopback>>,
    words: PageWords,
  ) {
    this.port = listening.port;
    this.#server = server;
    this.#words = words;
    this.#silent = listening;
    // A connection that cannot be taken: the browser tries again, or the sign-in ends with its time.
    server.on('error', () => undefined);
    server.on('request', (request, response) => this.#onRequest(request, response));
  }

  /**
   * @param words what the page in the browser says
   * @param port any free one when absent
   * @throws McpError `unreachable` when the port is not free
   */
  static async listen(words: PageWords, port = 0): Promise<LoopbackRedirect> {
    const server = createServer({
      maxHeaderSize: maxHeaderBytes,
      ...silenceLimits,
      requestTimeout: silenceLimits.headersTimeout,
    });
    const listening = await listenOnLoopback(server, port).catch((cause: unknown) => {
      throw new McpError('unreachable', `Port ${port} of this machine is in use`, { cause });
    });
    return new LoopbackRedirect(server, listening, words);
  }

  /** The redirect URI. */
  get uri(): string {
    return `http://127.0.0.1:${this.port}${wayBack}`;
  }

  /**
   * The parameters of the answer. An answer with another `state`, or without one, is ignored (RFC 6749 section 10.12).
   * @throws McpError `cancelled`, or the signal's own
   */
  returned(state: string, signal: AbortSignal): Promise<URLSearchParams> {
    const answered = new Promise<URLSearchParams>((resolve) => {
      this.#expected = { state, resolve };
    });
    return raceSignal(answered, signal);
  }

  dispose(): void {
    this.#expected = undefined;
    this.finish('failed'); // has no effect once it was told
    // A half-sent page is not cut off; a browser's idle connections are.
    this.#server.close();
    this.#silent.dispose();
  }

  /** Tells the page in the browser the result. */
  finish(outcome: ReturnOutcome): void {
    const page = this.#page;
    this.#page = undefined;
    this.#pageLimit.value = undefined;
    if (page !== undefined) {
      send(page, 200, 'text/html; charset=utf-8', pageFor(outcome, this.#words));
    }
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const { method, headers } = request;
    const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
    if (method !== 'GET' || url?.pathname !== wayBack || !ownNames.has(host)) {
      send(response, 404, 'text/plain; charset=utf-8', 'Not found\n');
      return;
    }
    const expected = this.#expected;
    if (expected === undefined || url.searchParams.get('state') !== expected.state) {
      send(response, 400, 'text/html; charset=utf-8', pageFor('unexpected', this.#words));
      return;
    }
    this.#expected = undefined;
    this.#page = response;
    this.#pageLimit.value = after(pageLimitMs, () => this.finish('answered'));
    expected.resolve(url.searchParams);
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    // The URL contains the code: it must not be cached or sent on as a referrer.
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(body);
}

/** The path of the redirect URI, on this machine and in the editor's own addresses. */
export const wayBack = '/oauth/callback';

/** The result of the visit. `answered`: the editor has the answer, and still processes it. */
type ReturnOutcome = 'signedIn' | 'failed' | 'answered' | 'unexpected';

export type PageWords = Readonly<
  Record<ReturnOutcome, { readonly title: string; readonly text: string }>
> & {
  /** Of the words: a BCP 47 tag. */
  readonly language: string;
};

const pageStyle =
  ':root { color-scheme: light dark; } body { font: 16px/1.5 system-ui, sans-serif; margin: 20vh auto 0; max-width: 32rem; padding: 0 1.5rem; } h1 { font-size: 1.4rem; font-weight: 600; }';

function pageFor(outcome: ReturnOutcome, words: PageWords): string {
  const { title, text } = words[outcome];
  return html`<!doctype html>
    <html lang="${words.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${{ markup: pageStyle }}
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        <p>${text}</p>
      </body>
    </html> `.markup;
}
