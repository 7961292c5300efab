/**
 * Sends a request again that the server put off: 429 and 503 with `Retry-After` say that it was not
 * looked at, and when to come again (RFC 9110 sections 10.2.3 and 15.6.4, RFC 6585 section 4).
 */
import type { IncomingMessage } from 'node:http';
import { delay } from '../../base/async.ts';
import { readStart } from './httpBody.ts';
import { whileWanted } from './httpSignedIn.ts';
import type { AbandonSignal } from './transport.ts';

/** A longer wait is for people to decide: the refusal then stands, and says how long it would be. */
const maxWaitMs = 30_000;
const maxWaits = 2;

/**
 * `response` as it is, which is the usual case and costs nothing; for a request that it puts off, what
 * `send` leads to after the wait, also when that is a refusal which stands.
 * @param closing aborts when the channel closes
 * @param onWait is told before each wait, in milliseconds
 * @throws what `send` throws; McpError `cancelled` or `closed` when that happened during a wait
 */
export function whenWelcome(
  response: IncomingMessage,
  request: { readonly signal?: AbandonSignal | undefined },
  closing: AbortSignal,
  lingerMs: number,
  onWait: (ms: number) => void,
  send: () => Promise<IncomingMessage>,
): IncomingMessage | Promise<IncomingMessage> {
  return response.statusCode === 429 || response.statusCode === 503
    ? askAgain(response, request, closing, lingerMs, onWait, send)
    : response;
}

async function askAgain(
  first: IncomingMessage,
  request: { readonly signal?: AbandonSignal | undefined },
  closing: AbortSignal,
  lingerMs: number,
  onWait: (ms: number) => void,
  send: () => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  let response = first;
  for (let waits = 0; waits < maxWaits; waits += 1) {
    const waitMs = wishOf(response);
    if (waitMs === undefined) {
      break;
    }
    void readStart(response, lingerMs);
    onWait(waitMs);
    await whileWanted(request.signal, closing, (signal) => delay(waitMs, signal));
    response = await send();
  }
  return response;
}

function wishOf({ statusCode, headers }: IncomingMessage): number | undefined {
  if (statusCode !== 429 && statusCode !== 503) {
    return undefined;
  }
  const waitMs = readRetryAfter(headers['retry-after']);
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
  return `The server is busy and wants to be asked again in ${Math.ceil(ms / 1_000)} s: the request waits`;
}
