/**
 * One connection of an event stream of Streamable HTTP, opened with GET and `Last-Event-ID` (HTTP-15,
 * HTTP-19) whatever method opened the stream first, and the pause before it. httpReplyStream.ts and
 * httpPushStream.ts decide what to read.
 */
import type { IncomingMessage } from 'node:http';
import { isSessionLoss, toRefusal } from './httpErrors.ts';
import { toError } from '../../../base/async.ts';
import { isMcpError, isTransientStatus } from '../../errors.ts';
import { mediaTypeOf, readStart } from './httpBody.ts';
import type { HttpEndpoint } from './httpExchange.ts';
import type { HttpLimits } from '../limits.ts';
import type { HttpSession } from './httpSession.ts';
import { putOffText, readRetryAfter } from './httpRetryAfter.ts';
import type { StreamPosition } from './sseStream.ts';
import type { Diagnostic } from '../transport.ts';

/** Shared by all streams of one session. */
export interface StreamContext {
  readonly endpoint: HttpEndpoint;
  readonly session: HttpSession;
  readonly limits: HttpLimits;
  /**
   * Call when a response looks like a session loss. Resolves to whether the session is lost, and is then
   * ended. Never rejects.
   */
  readonly endIfLost: () => Promise<boolean>;
  readonly diagnose: (level: Diagnostic['level'], text: string) => void;
}

/** Longest delay, however many failures in a row. */
const maxDelayMs = 30_000;
/** Shortest delay, however short the server's `retry`: 0 must not make a busy loop. */
const minDelayMs = 50;
/** Failures in a row after which a stream is given up. A connection that brings events resets the count. */
export const maxFailures = 5;
/** Longest wait for `Retry-After`: its date may be years away. */
const maxPutOffMs = 600_000;

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
    response = await endpoint.exchange({ method: 'GET', headers, signal });
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
  if (isTransientStatus(status)) {
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
