/**
 * The event streams of Streamable HTTP over as many connections as they take: the reply to one
 * request, and the standing stream for what the server sends unasked. Both go on with GET and
 * `Last-Event-ID` (HTTP-15, HTTP-19), whichever verb opened them.
 */
import type { IncomingMessage } from 'node:http';
import { after, delay, linkedController } from '../../base/async.ts';
import { McpError } from '../errors.ts';
import { type HttpEndpoint, mediaTypeOf } from './httpExchange.ts';
import type { HttpSession } from './httpSession.ts';
import { readEvents, StreamPosition } from './sseStream.ts';
import type { Diagnostic } from './transport.ts';

interface StreamListener {
  onSessionLost(): void;
  diagnose(level: Diagnostic['level'], text: string): void;
}

/** Milliseconds before a new attempt when the server names none: doubled with each failure in a row. */
const firstDelayMs = 1_000;
const maxDelayMs = 30_000;
/** Failures in a row after which a reply is given up. A connection that brings events ends the row. */
const maxFailures = 5;
/** A server ends a reply stream after the reply (SHOULD); one that does not is cut off after this long. */
const lingerMs = 5_000;

export class ReplyStream {
  readonly #endpoint: HttpEndpoint;
  readonly #session: HttpSession;
  readonly #listener: ReplyListener;
  readonly #position = new StreamPosition();
  #isAnswered = false;

  constructor(endpoint: HttpEndpoint, session: HttpSession, listener: ReplyListener) {
    this.#endpoint = endpoint;
    this.#session = session;
    this.#listener = listener;
  }

  /**
   * Reads `response`, then what continues it, until the reply is there.
   * @throws McpError `closed` when the reply cannot be had any more, `sessionExpired`, `cancelled`
   */
  async run(response: IncomingMessage, abandoned: AbortSignal | undefined): Promise<void> {
    const link = linkedController(this.#session.signal);
    const { controller } = link;
    const abort = (): void => controller.abort();
    abandoned?.addEventListener('abort', abort, { once: true });
    if (abandoned?.aborted === true) {
      abort();
    }
    try {
      await this.#follow(response, controller.signal);
    } finally {
      abandoned?.removeEventListener('abort', abort);
      link.dispose();
    }
  }

  async #follow(first: IncomingMessage, signal: AbortSignal): Promise<void> {
    let response: IncomingMessage | undefined = first;
    let failures = 0;
    for (;;) {
      const seen = this.#position.events;
      if (response !== undefined) {
        await this.#read(response, signal);
      }
      if (this.#isAnswered) {
        return;
      }
      this.#throwIfOver(signal);
      if (this.#position.lastEventId === undefined) {
        throw new McpError('closed', `The reply broke off before it was complete; ${unknown}`);
      }
      failures = response !== undefined && this.#position.events > seen ? 0 : failures;
      await this.#pause(failures, signal);
      response = await this.#resume(signal);
      failures = response === undefined ? failures + 1 : failures;
      if (failures >= maxFailures) {
        throw new McpError('closed', `The reply broke off and could not be resumed; ${unknown}`);
      }
    }
  }

  async #read(response: IncomingMessage, signal: AbortSignal): Promise<void> {
    const cut = (): void => {
      response.destroy();
    };
    signal.addEventListener('abort', cut, { once: true });
    if (signal.aborted) {
      cut();
    }
    await new Promise<void>((resolve) => {
      const onData = (data: string): void => {
        if (this.#listener.onData(data) && !this.#isAnswered) {
          this.#isAnswered = true;
          // What the caller waited for is there; the rest of the stream is let go by.
          const linger = after(lingerMs, cut);
          response.once('close', () => linger.dispose());
          resolve();
        }
      };
      readEvents(response, this.#position, onData, (error) => {
        if (error !== undefined && !this.#isAnswered && !signal.aborted) {
          this.#listener.diagnose('debug', `A reply stream ended early: ${error.message}`);
        }
        resolve();
      });
    });
    signal.removeEventListener('abort', cut);
  }

  #throwIfOver(signal: AbortSignal): void {
    if (this.#session.isLost) {
      // It was taken under a session that is gone: whether it was processed is not known.
      throw new McpError('closed', `The server lost the session before it replied; ${unknown}`);
    }
    if (signal.aborted) {
      throw new McpError('cancelled', 'The reply is no longer waited for');
    }
  }

  async #pause(failures: number, signal: AbortSignal): Promise<void> {
    try {
      await delay(delayBefore(this.#position, failures), signal);
    } catch {
      this.#throwIfOver(signal);
    }
  }

  /** Undefined for a failure that may pass. */
  async #resume(signal: AbortSignal): Promise<IncomingMessage | undefined> {
    let response: IncomingMessage;
    try {
      response = await get(this.#endpoint, this.#session, this.#position, signal);
    } catch {
      this.#throwIfOver(signal);
      return undefined;
    }
    const status = response.statusCode ?? 0;
    if (status === 200 && mediaTypeOf(response) === 'text/event-stream') {
      return response;
    }
    response.resume();
    if (status === 404 && this.#session.id !== undefined) {
      this.#listener.onSessionLost();
      this.#throwIfOver(signal);
    }
    if (status >= 500 || status === 429) {
      return undefined;
    }
    throw new McpError(
      'closed',
      `The server does not resume the reply (HTTP ${status}); ${unknown}`,
    );
  }
}

interface ReplyListener extends StreamListener {
  /** @returns whether the reply was in it. */
  onData(data: string): boolean;
}

/** Of a call whose reply is lost. */
const unknown = 'whether the request took effect is unknown';

export class PushStream {
  readonly #endpoint: HttpEndpoint;
  readonly #session: HttpSession;
  readonly #listener: PushListener;
  readonly #position = new StreamPosition();
  #wasOpen = false;

  constructor(endpoint: HttpEndpoint, session: HttpSession, listener: PushListener) {
    this.#endpoint = endpoint;
    this.#session = session;
    this.#listener = listener;
  }

  /** Resolves when the session ends, or when the server has no such stream. Reconnects meanwhile. */
  async run(): Promise<void> {
    const { signal } = this.#session;
    let failures = 0;
    while (!signal.aborted) {
      const seen = this.#position.events;
      const outcome = await this.#connect(signal);
      if (outcome === 'none') {
        return;
      }
      // A server may end the stream whenever it likes (HTTP-13); only a fruitless row is slowed down.
      failures = outcome === 'ended' && this.#position.events > seen ? 0 : failures + 1;
      await delay(delayBefore(this.#position, failures - 1), signal).catch(() => undefined);
    }
  }

  async #connect(signal: AbortSignal): Promise<'ended' | 'failed' | 'none'> {
    let response: IncomingMessage;
    try {
      response = await get(this.#endpoint, this.#session, this.#position, signal);
    } catch {
      return 'failed';
    }
    const status = response.statusCode ?? 0;
    if (status === 200 && mediaTypeOf(response) === 'text/event-stream') {
      await this.#read(response, signal);
      return 'ended';
    }
    response.resume();
    if (status >= 500 || status === 429) {
      return 'failed';
    }
    if (status === 404 && this.#wasOpen && this.#session.id !== undefined) {
      // The stream was there before: what is gone is the session (TRAP-13).
      this.#listener.onSessionLost();
      return 'none';
    }
    // 405, but also 404 with a page in HTML: the server pushes nothing (HTTP-11).
    this.#listener.diagnose('debug', `The server offers no push stream (HTTP ${status})`);
    return 'none';
  }

  async #read(response: IncomingMessage, signal: AbortSignal): Promise<void> {
    // What was announced while no stream was open is lost, unless the server replays it.
    const mayHaveMissed = !this.#wasOpen || this.#position.lastEventId === undefined;
    this.#wasOpen = true;
    const cut = (): void => {
      response.destroy();
    };
    signal.addEventListener('abort', cut, { once: true });
    if (mayHaveMissed) {
      this.#listener.onOpen();
    }
    await new Promise<void>((resolve) => {
      readEvents(
        response,
        this.#position,
        (data) => this.#listener.onData(data),
        () => resolve(),
      );
    });
    signal.removeEventListener('abort', cut);
  }
}

interface PushListener extends StreamListener {
  onData(data: string): void;
  /** The stream is open, and what the server announced before that may have been missed. */
  onOpen(): void;
}

function get(
  endpoint: HttpEndpoint,
  session: HttpSession,
  { lastEventId }: StreamPosition,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers = {
    ...session.headers,
    accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  return endpoint.exchange({ method: 'GET', headers, signal });
}

function delayBefore({ retryMs }: StreamPosition, failures: number): number {
  const ownMs = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.max(0, failures));
  // The server's wish counts (HTTP-18), but no failing server is asked more often for it.
  return retryMs === undefined ? ownMs : failures > 0 ? Math.max(retryMs, ownMs) : retryMs;
}
