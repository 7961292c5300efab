/**
 * One connection of a server-sent event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html): opens
 * it with GET and `Last-Event-ID` (HTTP-15, HTTP-19) whatever method opened the stream first, and reads it to its end.
 * httpReplyStream.ts and httpPushStream.ts decide what to read, and how often.
 */
import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import { toError } from '../../../base/async.ts';
import { type HeldMemory, textBytes } from '../../../base/memory.ts';
import { McpError, isMcpError, isTransientStatus } from '../../errors.ts';
import { type HttpLimits, type MessageLimits, sizeText } from '../limits.ts';
import type { Diagnostic } from '../transport.ts';
import { mediaTypeOf, onOver, readStart } from './httpBody.ts';
import { isSessionLoss, toRefusal } from './httpErrors.ts';
import type { HttpEndpoint } from './httpExchange.ts';
import { httpModule } from './httpModules.ts';
import { putOffText, readRetryAfter } from './httpRetryAfter.ts';
import type { HttpSession } from './httpSession.ts';

/** Memory that the parser takes for a line of an incomplete event, in addition to the characters. */
const lineBytes = 100;
/** No header can hold a longer id. */
const maxIdChars = 8_192;

/** Longest delay, however many failures in a row. */
const maxDelayMs = 30_000;
/** Shortest delay, however short the server's `retry`: 0 must not make a busy loop. */
const minDelayMs = 50;
/** Failures in a row after which a stream is given up. A connection that brings events resets the count. */
export const maxFailures = 5;
/** Longest wait for `Retry-After`: its date may be years away. */
const maxPutOffMs = 600_000;

/** Shared by all streams of one session. */
export interface StreamContext {
  readonly endpoint: HttpEndpoint;
  readonly session: HttpSession;
  readonly limits: HttpLimits;
  /**
   * Call when a response looks like a session loss. Resolves to whether the session is lost, and is then
   * ended. Never rejects. If it is doubtful, a ping decides.
   */
  readonly endIfLost: (isDoubtful?: boolean) => Promise<boolean>;
  readonly diagnose: (level: Diagnostic['level'], text: string) => void;
}

/** The state needed to resume a stream over another connection. */
export class StreamPosition {
  /** Of this stream only: no cursor spans streams (HTTP-16). Undefined if the stream cannot be resumed. */
  lastEventId: string | undefined;
  /** Milliseconds before the next attempt, set by the server (HTTP-18). */
  retryMs: number | undefined;
  /** Milliseconds that the last response asked to wait (`Retry-After`), if it did. */
  putOffMs: number | undefined;
  /** Number of events over all connections. */
  events = 0;
}

/** Receives the events of a stream. */
export interface StreamListener {
  /** Called with the data of each `message` event; events without a name count as such. */
  readonly onData: (data: string) => void;
  /** Called once; with an error if the stream did not end cleanly. */
  readonly onEnd: (error: Error | undefined) => void;
  /** Called with the name and the data of events with another name. */
  readonly onOther?: (event: string, data: string) => void;
}

/**
 * Reads the events of a response. Events without data (priming, HTTP-17) and unwanted events only move the
 * position. An event counts when it is complete: the server resends one that was cut off. An event that is too large
 * ends the stream, which then cannot be resumed: it would be too large again.
 */
export function readEvents(
  response: IncomingMessage,
  position: StreamPosition,
  { maxMessageBytes, limitHint, memory }: MessageLimits,
  { onData, onEnd, onOther }: StreamListener,
): void {
  /** Memory of the event whose end has not arrived. */
  let pendingBytes = 0;
  let held: HeldMemory | undefined;
  // No `onError`: each line with an unknown field would create an error.
  const parser = createParser({
    onId: (id) => {
      position.lastEventId = toHeaderValue(id);
      position.events += 1;
    },
    onRetry: (ms) => {
      position.retryMs = ms;
    },
    onEvent: ({ event = 'message', data }) => {
      pendingBytes = 0;
      position.events += 1;
      if (event !== 'message') {
        onOther?.(event, data);
      } else if (data !== '') {
        onData(data);
      }
    },
  });
  const keep = (bytes: number): void => {
    pendingBytes = bytes;
    if (bytes > 0) {
      held ??= memory?.hold();
    }
    const isTooLarge = bytes > maxMessageBytes;
    if (held?.set(bytes) === false || isTooLarge) {
      position.lastEventId = undefined;
      const reason = isTooLarge
        ? `is larger than ${sizeText(maxMessageBytes, limitHint)}`
        : memory?.refusal;
      response.destroy(new McpError('protocol', `an event ${reason}`));
    }
  };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    parser.feed(chunk);
    keep(endsEvent(chunk) ? 0 : pendingBytes + bytesOf(chunk));
  });
  onOver(response, (error) => {
    held?.set(0);
    onEnd(error);
  });
}

function endsEvent(chunk: string): boolean {
  return ['\n\n', '\r\n\r\n', '\r\r'].some((end) => chunk.endsWith(end));
}

function bytesOf(chunk: string): number {
  return textBytes(chunk) + lineBytes * (chunk.match(/[\r\n]/gu)?.length ?? 0);
}

/** Encodes as UTF-8, as the standard requires; undefined if no header can hold the id, or if it was reset. */
function toHeaderValue(id: string): string | undefined {
  if (id === '' || id.length > maxIdChars) {
    return undefined;
  }
  const value = Buffer.from(id, 'utf8').toString('latin1');
  try {
    httpModule().validateHeaderValue('last-event-id', value);
    return value;
  } catch {
    return undefined;
  }
}

type Opened =
  | { readonly kind: 'open'; readonly response: IncomingMessage }
  /** A temporary failure. */
  | { readonly kind: 'failed' }
  /** The server may mean that there is no such session, or no such stream. */
  | { readonly kind: 'lost' | 'refused'; readonly status: number; readonly detail: string };

/** Never rejects. The signal also ends the stream. */
export async function openStream(
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
    response = await endpoint.exchange({
      method: 'GET',
      headers,
      signal,
    });
  } catch (error) {
    // A redirect to another origin, or a failed sign-in that another attempt would only ask for again.
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
  if (mayPass(status)) {
    const wishMs = readRetryAfter(response.headers['retry-after']);
    position.putOffMs = wishMs && Math.min(wishMs, maxPutOffMs);
    if (wishMs !== undefined) {
      diagnose('info', putOffText(wishMs));
    }
    return { kind: 'failed' };
  }
  const isLost = session.id !== undefined && isSessionLoss(toRefusal(response, start));
  const detail = status === 200 ? `HTTP 200 with ${type || 'nothing'}` : `HTTP ${status}`;
  return { kind: isLost ? 'lost' : 'refused', status, detail };
}

/** 409: the server has not noticed yet that the previous connection broke. */
function mayPass(status: number): boolean {
  return status === 409 || isTransientStatus(status);
}

export function delayBefore(
  { retryMs, putOffMs = 0 }: StreamPosition,
  failures: number,
  limits: HttpLimits,
): number {
  const ownMs = Math.min(maxDelayMs, limits.firstDelayMs * 2 ** Math.max(0, failures));
  // The server's `retry` counts (HTTP-18), but does not make fruitless attempts more frequent.
  const leastMs = retryMs === undefined || failures > 0 ? ownMs : minDelayMs;
  return Math.max(retryMs ?? 0, leastMs, putOffMs);
}
