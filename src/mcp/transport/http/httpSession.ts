/** One session on Streamable HTTP: its headers, and the signal that ends what belongs to it. */
type Headers = Readonly<Record<string, string>>;

const visibleAscii = /^[\x21-\x7e]+$/u;
/** A shorter session id is not a secret, and redacting it would remove its letters everywhere. */
const minSecretChars = 8;
/** Node adds the length of the body. */
export const ofEveryPost: Headers = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

export class HttpSession {
  readonly #ended = new AbortController();
  readonly #settings: Headers;
  #headers: Headers;
  #postHeaders: Headers | undefined;
  #id: string | undefined;
  /** The server has forgotten the session. */
  isLost = false;
  /** A ping under way that tells whether it has: all who doubt share one. */
  ping: Promise<boolean> | undefined;
  readonly signal = this.#ended.signal;

  /** @param settings the result of `readSettings` */
  constructor(settings: Headers) {
    this.#settings = settings;
    this.#headers = settings;
  }

  /** A secret: not for logs (HTTP-21). */
  get id(): string | undefined {
    return this.#id;
  }

  /** The headers of every request in this session (HTTP-20, HTTP-24). */
  get headers(): Headers {
    return this.#headers;
  }

  /** The headers of every POST in this session: one object for all of them. */
  get postHeaders(): Headers {
    this.#postHeaders ??= { ...this.#headers, ...ofEveryPost };
    return this.#postHeaders;
  }

  /** A handshake begins, perhaps after a refused one: it has no session id yet. */
  forget(): void {
    this.#id = undefined;
    this.#carry(this.#settings);
  }

  /** @returns false for an id that must not be used. */
  take(id: string): boolean {
    if (!visibleAscii.test(id)) {
      return false;
    }
    this.#id = id;
    this.#carry({ ...this.#headers, 'mcp-session-id': id });
    return true;
  }

  agree(revision: string | undefined): void {
    if (revision !== undefined) {
      this.#carry({ ...this.#headers, 'mcp-protocol-version': revision });
    }
  }

  /** The server's text without the session id, for errors and diagnostics. */
  redact(text: string): string {
    return this.#id === undefined || this.#id.length < minSecretChars
      ? text
      : text.replaceAll(this.#id, '…');
  }

  end(): void {
    this.#ended.abort();
  }

  #carry(headers: Headers): void {
    this.#headers = headers;
    this.#postHeaders = undefined;
  }
}
