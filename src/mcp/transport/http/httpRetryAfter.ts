/**
 * Sends a request again when the server answers 429 or 503 with `Retry-After`: the server did not process
 * it, and says when to retry (RFC 9110 sections 10.2.3 and 15.6.4, RFC 6585 section 4). If the server wants
 * a longer wait, or refuses a third time, the call fails.
 */
import type { IncomingMessage } from 'node:http';
import { delay } from '../../../base/async.ts';
import { readStart } from './httpBody.ts';
import { whileWanted } from './httpSignedIn.ts';
import type { AbandonSignal } from '../transport.ts';

/** A longer wait is for people to decide: the refusal stands, and says how long the wait would be. */
export const maxWaitMs = 30_000;
const maxWaits = 2;

export interface PutOffRequest {
  /** Aborts when the request is given up. */
  readonly signal: AbandonSignal | undefined;
  /** Aborts when the channel closes. */
  readonly closing: AbortSignal;
  /** Milliseconds for reading the rest of a response with `Retry-After`. */
  readonly lingerMs: number;
  /** Called before each wait, in milliseconds. */
  readonly onWait: (ms: number) => void;
  readonly send: () => Promise<IncomingMessage>;
}

/**
 * Whether a status may say when to retry. A subset of `isTransientStatus`: the others do not say that the
 * request was not processed.
 */
export function isPutOff({ statusCode }: IncomingMessage): boolean {
  return statusCode === 429 || statusCode === 503;
}

/**
 * Sends again after the wait that a response asks for. A response that asks for no wait, or for too long a
 * one, stands.
 * @throws the error of `send`; McpError `cancelled` or `closed` when that happened during a wait
 */
export async function sendWhenWelcome(
  first: IncomingMessage,
  { signal: abandoned, closing, lingerMs, onWait, send }: PutOffRequest,
): Promise<IncomingMessage> {
  let response = first;
  for (let waits = 0; waits < maxWaits; waits += 1) {
    const waitMs = wishOf(response);
    if (waitMs === undefined) {
      break;
    }
    void readStart(response, lingerMs);
    onWait(waitMs);
    await whileWanted(abandoned, closing, (signal) => delay(waitMs, signal));
    response = await send();
  }
  return response;
}

function wishOf(response: IncomingMessage): number | undefined {
  const waitMs = isPutOff(response) ? readRetryAfter(response.headers['retry-after']) : undefined;
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
