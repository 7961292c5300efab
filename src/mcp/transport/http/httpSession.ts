/** One session on Streamable HTTP: its headers, and the signal that ends what belongs to it. */
import type { IncomingMessage } from 'node:http';
import { McpError } from '../../errors.ts';
import { httpModule } from './httpModules.ts';
import { Slab } from './slab.ts';

type Headers = Readonly<Record<string, string>>;

const visibleAscii = /^[\x21-\x7e]+$/u;
/** A shorter session id is not a secret, and redacting it would remove its letters everywhere. */
const minSecretChars = 8;
/** The transport sets these headers; a setting for one of them would break it. */
const ownNames: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'content-length',
  'content-type',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
]);

/** Node adds the length of the body. */
export const ofEveryPost: Headers = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

/**
 * The headers from the settings, without those of the transport, in one spelling: header names are
 * case-insensitive, and a setting must not go out beside the transport's own header.
 * @throws McpError `invalidConfig` naming the header that HTTP does not allow
 */
export function readSettings(headers: Headers): Headers {
  const kept: Record<string, string> = {};
  const { validateHeaderName, validateHeaderValue } = httpModule();
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      // No `cause`: it may quote the value.
      const message = `The header "${name}" holds a character that HTTP does not allow`;
      throw new McpError('invalidConfig', message);
    }
    if (!ownNames.has(name.toLowerCase())) {
      kept[name.toLowerCase()] = value;
    }
  }
  return kept;
}

export class HttpSession {
  readonly #ended = new AbortController();
  readonly #settings: Headers;
  readonly #held = new Slab<IncomingMessage>();
  #headers: Headers;
  #postHeaders: Headers | undefined;
  #id: string | undefined;
  #isLost = false;
  readonly signal = this.#ended.signal;

  /** @param settings the result of {@link readSettings} */
  constructor(settings: Headers) {
    this.#settings = settings;
    this.#headers = settings;
  }

  /** A secret: not for logs (HTTP-21). */
  get id(): string | undefined {
    return this.#id;
  }

  get isLost(): boolean {
    return this.#isLost;
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

  /** The server has forgotten the session. */
  lose(): void {
    this.#isLost = true;
    this.end();
  }

  /** Cuts the response when the session ends. @returns the slot for {@link release}. */
  hold(response: IncomingMessage): number {
    if (this.signal.aborted) {
      response.destroy();
    }
    return this.#held.add(response);
  }

  release(slot: number): void {
    this.#held.release(slot);
  }

  /** Ends the streams of the session. */
  end(): void {
    this.#ended.abort();
    for (const response of this.#held.all()) {
      response.destroy();
    }
  }

  #carry(headers: Headers): void {
    this.#headers = headers;
    this.#postHeaders = undefined;
  }
}
