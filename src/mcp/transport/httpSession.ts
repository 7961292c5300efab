/** One session on Streamable HTTP: the headers that carry it, and the signal that ends what belongs to it. */

const visibleAscii = /^[\x21-\x7e]+$/u;

export class HttpSession {
  readonly #ended = new AbortController();
  #headers: Readonly<Record<string, string>>;
  #id: string | undefined;
  #isLost = false;
  readonly signal = this.#ended.signal;

  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = lowerCased(headers);
  }

  /** A secret: not for logs (HTTP-21). */
  get id(): string | undefined {
    return this.#id;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Of every request in this session (HTTP-20, HTTP-24). */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** @returns false for an id that must not be used. */
  take(id: string): boolean {
    if (!visibleAscii.test(id)) {
      return false;
    }
    this.#id = id;
    this.#headers = { ...this.#headers, 'mcp-session-id': id };
    return true;
  }

  agree(revision: string | undefined): void {
    if (revision !== undefined) {
      this.#headers = { ...this.#headers, 'mcp-protocol-version': revision };
    }
  }

  /** The server has forgotten it. */
  lose(): void {
    this.#isLost = true;
    this.end();
  }

  /** Ends its streams. */
  end(): void {
    this.#ended.abort();
  }
}

/** Names of headers have no case; one spelling keeps a setting from going out beside ours. */
function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
