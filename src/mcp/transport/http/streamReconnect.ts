/**
 * One connection of an event stream of Streamable HTTP, opened with GET and `Last-Event-ID` (HTTP-15, HTTP-19)
 * whichever verb opened the stream, and the pause before it. What goes on over it is httpReplyStream.ts's and
 * httpPushStream.ts's matter.
 */
import type { IncomingMessage } from 'node:http';
import { isSessionLoss, toRefusal } from './httpErrors.ts';
import { toError } from '../../../base/async.ts';
import { isMcpError, isTransientStatus } from '../../errors.ts';
import { mediaTypeOf, readStart } from './httpBody.ts';
import type { HttpEndpoint } from './httpExchange.ts';
import type { HttpLimits } from './httpLimits.ts';
import type { LingeringStreams } from './httpLinger.ts';
import type { HttpSession } from './httpSession.ts';
import { putOffText, readRetryAfter } from './httpRetryAfter.ts';
import type { StreamPosition } from './sseStream.ts';
import type { Diagnostic } from '../transport.ts';

/** What all streams of one session share. */
export interface StreamContext {
  readonly endpoint: HttpEndpoint;
  readonly session: HttpSession;
  readonly limits: HttpLimits;
  readonly lingering: LingeringStreams;
  /** The server answered as if the session were lost: resolves to whether it is, which has ended it. Never rejects. */
  readonly endIfLost: () => Promise<boolean>;
  readonly diagnose: (level: Diagnostic['level'], text: string) => void;
}

/** However long the row of failures. */
const maxDelayMs = 30_000;
/** However short the server's wish: a `retry` of 0 must make no busy loop. */
const minDelayMs = 50;
/** Failures in a row after which a stream is given up. A connection that brings events ends the row. */
export const maxFailures = 5;
/** However late the server wishes to be asked again: a date may be years away. */
const maxPutOffMs = 600_000;

type Opened =
  | { readonly kind: 'open'; readonly response: IncomingMessage }
  /** It may pass. */
  | { readonly kind: 'failed' }
  /** The server may mean that there is no such session, or no such thing as this stream. */
  | { readonly kind: 'lost' | 'refused'; readonly status: number; readonly detail: string };

/** Never rejects. The signal ends the stream, too. */
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
  if (isTransientStatus(status)) {
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
  return isSessionLoss(toRefusal(response, start));
}

export function delayBefore(
  { retryMs, putOffMs = 0 }: StreamPosition,
  failures: number,
  limits: HttpLimits,
): number {
  const ownMs = Math.min(maxDelayMs, limits.firstDelayMs * 2 ** Math.max(0, failures));
  // The server's wish counts (HTTP-18), but no fruitless attempts are made more often for it.
  const leastMs = retryMs === undefined || failures > 0 ? ownMs : minDelayMs;
  return Math.max(retryMs ?? 0, leastMs, putOffMs);
}
