/** One session on Streamable HTTP: the headers that carry it, and the signal that ends what belongs to it. */
import type { IncomingMessage } from 'node:http';
import { McpError } from '../../errors.ts';
import { httpModule } from './httpModules.ts';
import { Slots } from './requestSlots.ts';

type Headers = Readonly<Record<string, string>>;

const visibleAscii = /^[\x21-\x7e]+$/u;
/** A session id shorter than this is no secret, and its letters would be struck out everywhere. */
const minSecretChars = 8;
/** These are the transport's; a setting for one of them would only break it. */
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
 * The headers of the settings, less those that are the transport's, in one spelling: names of
 * headers have no case, and a setting must not go out beside ours.
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
      // Without the cause, which may quote the value.
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
  readonly #held = new Slots<IncomingMessage>();
  #headers: Headers;
  #postHeaders: Headers | undefined;
  #id: string | undefined;
  #isLost = false;
  readonly signal = this.#ended.signal;

  /** `settings`: of {@link readSettings}. */
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

  /** Of every request in this session (HTTP-20, HTTP-24). */
  get headers(): Headers {
    return this.#headers;
  }

  /** Of every message that is posted in this session, in one object for all of them. */
  get postHeaders(): Headers {
    this.#postHeaders ??= { ...this.#headers, ...ofEveryPost };
    return this.#postHeaders;
  }

  /** A handshake begins, perhaps after one that was refused: no id belongs to it yet. */
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

  /** What a server wrote, without the id: for errors and diagnostics. */
  redact(text: string): string {
    return this.#id === undefined || this.#id.length < minSecretChars
      ? text
      : text.replaceAll(this.#id, '…');
  }

  /** The server has forgotten it. */
  lose(): void {
    this.#isLost = true;
    this.end();
  }

  /** Cuts the response when the session ends. @returns what {@link release} takes. */
  hold(response: IncomingMessage): number {
    if (this.signal.aborted) {
      response.destroy();
    }
    return this.#held.add(response);
  }

  release(slot: number): void {
    this.#held.release(slot);
  }

  /** Ends its streams. */
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
