/**
 * Sends a request again that the server put off: 429 and 503 with `Retry-After` say that it was not
 * looked at, and when to come again (RFC 9110 sections 10.2.3 and 15.6.4, RFC 6585 section 4). A wish for a longer
 * wait, and a third refusal, are the call's error.
 */
import type { IncomingMessage } from 'node:http';
import { delay } from '../../../base/async.ts';
import { readStart } from './httpBody.ts';
import { whileWanted } from './httpSignedIn.ts';
import type { AbandonSignal } from '../transport.ts';

/** A longer wait is for people to decide: the refusal then stands, and says how long it would be. */
export const maxWaitMs = 30_000;
const maxWaits = 2;

export interface PutOffRequest {
  /** Aborts when the request is given up. */
  readonly signal: AbandonSignal | undefined;
  /** Aborts when the channel closes. */
  readonly closing: AbortSignal;
  /** Milliseconds for the rest of an answer that puts the request off. */
  readonly lingerMs: number;
  /** Is told before each wait, in milliseconds. */
  readonly onWait: (ms: number) => void;
  readonly send: () => Promise<IncomingMessage>;
}

/**
 * Whether an answer may say when to come again. Fewer than those of `isTransientStatus`: the others do not say that the
 * request was left undone.
 */
export function isPutOff({ statusCode }: IncomingMessage): boolean {
  return statusCode === 429 || statusCode === 503;
}

/**
 * What `send` leads to after the wait that an answer asks for; an answer that asks for none, or for too long a one,
 * stands.
 * @throws what `send` throws; McpError `cancelled` or `closed` when that happened during a wait
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

/** Milliseconds from now: seconds, or a date. Undefined for what is neither, and for what is over. */
export function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) {
    return undefined;
  }
  const ms = /^\d+$/u.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return ms > 0 ? ms : undefined;
}

/** For the log. */
export function putOffText(ms: number): string {
  return `The server is busy and wants to be asked again in ${Math.ceil(ms / 1_000)} s`;
}
