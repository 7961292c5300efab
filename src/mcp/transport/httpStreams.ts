/**
 * The event streams of Streamable HTTP over as many connections as they take: the reply to one
 * request, and the standing stream for what the server sends unasked. Both go on with GET and
 * `Last-Event-ID` (HTTP-15, HTTP-19), whichever verb opened them.
 */
import type { IncomingMessage } from 'node:http';
import { delay, linkedController, onAbort, toError } from '../../base/async.ts';
import { McpError, isMcpError } from '../errors.ts';
import { mediaTypeOf, readStart, unknownOutcome } from './httpBody.ts';
import type { RequestId } from '../rpc/message.ts';
import type { HttpEndpoint } from './httpExchange.ts';
import type { HttpLimits } from './httpLimits.ts';
import type { LingeringStreams } from './httpLinger.ts';
import type { HttpSession } from './httpSession.ts';
import { maxWaitMs, putOffText, readRetryAfter } from './httpRetryAfter.ts';
import { readEvents, StreamPosition } from './sseStream.ts';
import type { AbandonSignal, Diagnostic } from './transport.ts';

/** What all streams of one session share. */
export interface StreamContext {
  readonly endpoint: HttpEndpoint;
  readonly session: HttpSession;
  readonly limits: HttpLimits;
  readonly lingering: LingeringStreams;
  readonly loseSession: () => void;
  readonly diagnose: (level: Diagnostic['level'], text: string) => void;
}

/** However long the row of failures. */
const maxDelayMs = 30_000;
/** However short the server's wish: a `retry` of 0 must make no busy loop. */
const minDelayMs = 50;
/** The doublings of the delay while somebody waits for the reply. */
const maxReplyDoublings = 2;
/** Failures in a row after which a stream is given up. A connection that brings events ends the row. */
const maxFailures = 5;
/** However late the server wishes to be asked for what it pushes: a date may be years away. */
const maxPutOffMs = 600_000;

export class ReplyStream {
  readonly #context: StreamContext;
  readonly #onData: (data: string) => boolean;
  readonly id: RequestId;
  readonly #position = new StreamPosition();
  #isAnswered = false;
  /** In parentheses; empty for a connection that just ended. */
  #whyBroken = '';
  /** Of the connection that is being read, until the reply is there. */
  #response: IncomingMessage | undefined;
  #lingerSlot = -1;
  /** Ends the wait for what comes next. */
  #proceed: (() => void) | undefined;

  /** `onData` returns whether the reply to the request of this id was in it. */
  constructor(context: StreamContext, id: RequestId, onData: (data: string) => boolean) {
    this.#context = context;
    this.id = id;
    this.#onData = onData;
  }

  /** The reply is there, over this stream or, being told apart by its id alone, over another one. */
  answered(): void {
    this.#isAnswered = true;
    if (this.#response !== undefined && this.#lingerSlot === -1) {
      this.#lingerSlot = this.#context.lingering.add(this.#response);
    }
    this.#proceed?.();
  }

  /**
   * Reads `response`, then what continues it, until the reply is there.
   * @throws McpError `closed` when the reply cannot be had any more, `cancelled`
   */
  run(response: IncomingMessage, abandoned: AbandonSignal | undefined): Promise<void> {
    // No async function: most replies are in the first chunk, and each is a promise less.
    return new Promise((resolve, reject) => {
      this.#read(response, () => {
        if (this.#isAnswered) {
          resolve();
        } else {
          this.#resumeUntilAnswered(abandoned).then(resolve, reject);
        }
      });
    });
  }

  async #resumeUntilAnswered(abandoned: AbandonSignal | undefined): Promise<void> {
    const link = linkedController(this.#context.session.signal);
    const abandonment = abandoned && onAbort(abandoned, () => link.controller.abort());
    try {
      await this.#goOn(link.controller, abandoned);
    } finally {
      abandonment?.dispose();
      link.dispose();
    }
  }

  async #goOn(controller: AbortController, abandoned: AbandonSignal | undefined): Promise<void> {
    const { signal } = controller;
    let failures = 0;
    for (let fruitless = 0; !this.#isAnswered;) {
      this.#throwIfOver(abandoned);
      if (failures === maxFailures || (this.#position.putOffMs ?? 0) > maxWaitMs) {
        throw new McpError(
          'closed',
          `The reply broke off and could not be resumed; ${unknownOutcome}`,
        );
      }
      if (this.#position.lastEventId === undefined) {
        throw new McpError(
          'closed',
          `The reply broke off before it was complete${this.#whyBroken}; ${unknownOutcome}`,
        );
      }
      const row = Math.min(fruitless, maxReplyDoublings);
      const delayMs = delayBefore(this.#position, row, this.#context.limits);
      // Nothing is waited for any longer once the reply has come over another stream.
      this.#proceed = () => controller.abort();
      await delay(delayMs, signal).catch(() => undefined);
      const seen = this.#position.events;
      const response = await this.#resume(signal, abandoned);
      if (response === undefined) {
        failures += 1;
      } else {
        failures = 0;
        await new Promise<void>((resolve) => this.#read(response, resolve));
      }
      // Nothing new is no failure: a server may let a long call be polled (HTTP-19). It is slowed down.
      fruitless = this.#position.events > seen ? 0 : fruitless + 1;
    }
  }

  /** Calls `proceed` at the end of this connection, or when the reply is there. */
  #read(response: IncomingMessage, proceed: () => void): void {
    const { session, limits, lingering } = this.#context;
    const slot = session.hold(response);
    this.#response = response;
    this.#proceed = proceed;
    const onData = (data: string): void => {
      if (this.#onData(data)) {
        this.answered();
      }
    };
    const onEnd = (error: Error | undefined): void => {
      session.release(slot);
      if (this.#lingerSlot !== -1) {
        lingering.release(this.#lingerSlot);
        this.#lingerSlot = -1;
      }
      this.#response = undefined;
      this.#whyBroken = error === undefined ? '' : ` (${error.message})`;
      if (error !== undefined && !this.#isAnswered && !session.signal.aborted) {
        this.#context.diagnose('debug', `A reply stream ended early: ${error.message}`);
      }
      proceed();
    };
    readEvents(response, this.#position, limits, { onData, onEnd });
    if (this.#isAnswered) {
      response.destroy(); // the reply came over another stream in the meantime
    }
  }

  #throwIfOver(abandoned: AbandonSignal | undefined): void {
    const { session } = this.#context;
    if (abandoned?.aborted === true) {
      throw new McpError('cancelled', 'The reply is no longer waited for');
    }
    if (session.signal.aborted) {
      // It was taken under a session that is gone: whether it was processed is not known.
      const what = session.isLost ? 'The server lost the session' : 'The connection was closed';
      throw new McpError('closed', `${what} before the reply; ${unknownOutcome}`);
    }
  }

  /** Undefined for a failure that may pass, and when the reply is there. */
  async #resume(
    signal: AbortSignal,
    abandoned: AbandonSignal | undefined,
  ): Promise<IncomingMessage | undefined> {
    if (this.#isAnswered) {
      return undefined;
    }
    this.#throwIfOver(abandoned);
    const opened = await open(this.#context, this.#position, signal);
    switch (opened.kind) {
      case 'open':
        return opened.response;
      case 'failed':
        this.#throwIfOver(abandoned);
        return undefined;
      case 'lost':
        this.#context.loseSession();
        this.#throwIfOver(abandoned);
        break;
      case 'refused':
    }
    const text = `The reply broke off and the server does not resume it (${opened.detail})`;
    throw new McpError('closed', `${text}; ${unknownOutcome}`);
  }
}

/** What the push stream is for. */
export interface PushListener {
  onData(data: string): void;
  /** The stream is open, and what the server announced before that may have been missed. */
  onOpen(): void;
}

export class PushStream {
  readonly #context: StreamContext;
  readonly #listener: PushListener;
  readonly #position = new StreamPosition();
  #wasOpen = false;

  constructor(context: StreamContext, listener: PushListener) {
    this.#context = context;
    this.#listener = listener;
  }

  /** Resolves when the session ends, or when the server has no such stream. Reconnects meanwhile. */
  async run(): Promise<void> {
    const { limits, session } = this.#context;
    const { signal } = session;
    for (let failures = 0; !signal.aborted;) {
      const seen = this.#position.events;
      const outcome = await this.#connect(signal);
      if (outcome === 'over') {
        return;
      }
      // A server may end the stream whenever it likes (HTTP-13); only a fruitless row is slowed down.
      failures = outcome === 'ended' && this.#position.events > seen ? 0 : failures + 1;
      if (!this.#wasOpen && failures === maxFailures) {
        this.#context.diagnose('debug', 'The push stream could not be opened and is done without');
        return;
      }
      const delayMs = delayBefore(this.#position, failures - 1, limits);
      await delay(delayMs, signal).catch(() => undefined);
    }
  }

  async #connect(signal: AbortSignal): Promise<'ended' | 'failed' | 'over'> {
    const opened = await open(this.#context, this.#position, signal);
    switch (opened.kind) {
      case 'open':
        await this.#read(opened.response);
        return 'ended';
      case 'failed':
        return 'failed';
      case 'lost':
        if (this.#wasOpen) {
          // The stream was there before: what is gone is the session (TRAP-13).
          this.#context.loseSession();
          return 'over';
        }
        break;
      case 'refused':
        if (this.#wasOpen && opened.status === 409) {
          return 'failed'; // the server has not noticed yet that the stream before broke
        }
    }
    // 405, but also 404 with a page in HTML: the server pushes nothing (HTTP-11).
    this.#context.diagnose('debug', `The server offers no push stream (${opened.detail})`);
    return 'over';
  }

  async #read(response: IncomingMessage): Promise<void> {
    // What was announced while no stream was open is lost, unless the server replays it.
    const mayHaveMissed = !this.#wasOpen || this.#position.lastEventId === undefined;
    this.#wasOpen = true;
    if (mayHaveMissed) {
      this.#listener.onOpen();
    }
    const { limits, diagnose } = this.#context;
    await new Promise<void>((resolve) => {
      readEvents(response, this.#position, limits, {
        onData: (data) => this.#listener.onData(data),
        onEnd: () => resolve(),
        onSkipped: (text) => diagnose('warn', text),
      });
    });
  }
}

type Opened =
  | { readonly kind: 'open'; readonly response: IncomingMessage }
  /** It may pass. */
  | { readonly kind: 'failed' }
  /** The server says that there is no such session; or, at the first attempt, no such thing as this stream. */
  | { readonly kind: 'lost' | 'refused'; readonly status: number; readonly detail: string };

/** Never rejects. The signal ends the stream, too. */
async function open(
  { endpoint, session, limits, diagnose }: StreamContext,
  position: StreamPosition,
  signal: AbortSignal,
): Promise<Opened> {
  const { lastEventId } = position;
  position.putOffMs = undefined;
  const headers = {
    ...session.headers,
    accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  let response: IncomingMessage;
  try {
    response = await endpoint.exchange({ method: 'GET', headers, signal });
  } catch (error) {
    // A redirect elsewhere; or a sign-in that was not had, which another attempt would only ask for again.
    const isRefusal =
      isMcpError(error) && ['http', 'signInNeeded', 'unauthorized'].includes(error.code);
    return isRefusal
      ? { kind: 'refused', status: 0, detail: toError(error).message }
      : { kind: 'failed' };
  }
  const status = response.statusCode ?? 0;
  const type = mediaTypeOf(response);
  if (status === 200 && type === 'text/event-stream') {
    return { kind: 'open', response };
  }
  const start = await readStart(response, limits.lingerMs);
  if (status === 429 || (status >= 500 && status !== 501)) {
    notePutOff(response, position, diagnose);
    return { kind: 'failed' };
  }
  const isLost = session.id !== undefined && (await isSessionLost(response, start));
  const detail = status === 200 ? `HTTP 200 with ${type || 'nothing'}` : `HTTP ${status}`;
  return { kind: isLost ? 'lost' : 'refused', status, detail };
}

function notePutOff(
  { headers }: IncomingMessage,
  position: StreamPosition,
  diagnose: StreamContext['diagnose'],
): void {
  const wishMs = readRetryAfter(headers['retry-after']);
  position.putOffMs = wishMs && Math.min(wishMs, maxPutOffMs);
  if (wishMs !== undefined) {
    diagnose('info', putOffText(wishMs));
  }
}

/** Most servers that refuse have no push stream, and say so with 405. */
async function isSessionLost(response: IncomingMessage, start: string): Promise<boolean> {
  if (response.statusCode !== 404 && response.statusCode !== 400) {
    return false;
  }
  const { isSessionLoss, toRefusal } = await import('./httpErrors.ts');
  return isSessionLoss(toRefusal(response, start));
}

function delayBefore(
  { retryMs, putOffMs = 0 }: StreamPosition,
  failures: number,
  limits: HttpLimits,
): number {
  const ownMs = Math.min(maxDelayMs, limits.firstDelayMs * 2 ** Math.max(0, failures));
  // The server's wish counts (HTTP-18), but no fruitless attempts are made more often for it.
  const leastMs = retryMs === undefined || failures > 0 ? ownMs : minDelayMs;
  return Math.max(retryMs ?? 0, leastMs, putOffMs);
}
