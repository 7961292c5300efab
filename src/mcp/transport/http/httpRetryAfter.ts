/**
 * When a server wants a request to be sent again: it answers 429 or 503 with `Retry-After`, has not processed the
 * request, and says when to retry (RFC 9110 sections 10.2.3 and 15.6.4, RFC 6585 section 4).
 */
import type { IncomingMessage } from 'node:http';

/** A longer wait is for people to decide: the refusal stands, and says how long the wait would be. */
export const maxWaitMs = 30_000;
/** Limit of waits of one request. */
export const maxWaits = 2;

/** Milliseconds to wait; undefined for a response that asks for none, or for too long a one: it stands. */
export function waitOf({ statusCode, headers }: IncomingMessage): number | undefined {
  // Other temporary failures do not say that the request was not processed.
  const isPutOff = statusCode === 429 || statusCode === 503;
  const waitMs = isPutOff ? readRetryAfter(headers['retry-after']) : undefined;
  return waitMs !== undefined && waitMs <= maxWaitMs ? waitMs : undefined;
}

/** Milliseconds from now, from seconds or a date. Undefined for any other value, and for a date in the past. */
export function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) {
    return undefined;
  }
  const ms = /^\d+$/u.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return ms > 0 ? ms : undefined;
}

/** For the log. */
export function putOffText(ms: number): string {
  return `The server is busy: it asks us to wait ${Math.ceil(ms / 1_000)} s`;
}
