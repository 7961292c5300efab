/**
 * Sends a request again that the server put off: 429 and 503 with `Retry-After` say that it was not
 * looked at, and when to come again (RFC 9110 sections 10.2.3 and 15.6.4, RFC 6585 section 4).
 */
import type { IncomingMessage } from 'node:http';
import { delay } from '../../base/async.ts';
import { readStart } from './httpBody.ts';
import { readRetryAfter } from './httpErrors.ts';
import { whileWanted } from './httpSignedIn.ts';
import type { AbandonSignal } from './transport.ts';

/** A longer wait is for people to decide: the refusal then stands, and says how long it would be. */
const maxWaitMs = 30_000;
const maxWaits = 2;

/**
 * Resolves with the head of the last response, also when that is a refusal which stands.
 * @param closing aborts when the channel closes
 * @param onWait is told before each wait, in milliseconds
 * @throws what `send` throws; McpError `cancelled` or `closed` when that happened during a wait
 */
export async function exchangeWhenWelcome(
  request: { readonly signal?: AbandonSignal | undefined },
  closing: AbortSignal,
  lingerMs: number,
  onWait: (ms: number) => void,
  send: () => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  for (let waits = 0; ; waits += 1) {
    const response = await send();
    const waitMs = waits < maxWaits ? wishOf(response) : undefined;
    if (waitMs === undefined) {
      return response;
    }
    void readStart(response, lingerMs);
    onWait(waitMs);
    await whileWanted(request.signal, closing, (signal) => delay(waitMs, signal));
  }
}

function wishOf({ statusCode, headers }: IncomingMessage): number | undefined {
  if (statusCode !== 429 && statusCode !== 503) {
    return undefined;
  }
  const waitMs = readRetryAfter(headers['retry-after']);
  return waitMs !== undefined && waitMs <= maxWaitMs ? waitMs : undefined;
}

/** For the log. */
export function putOffText(ms: number): string {
  return `The server is busy and wants to be asked again in ${Math.ceil(ms / 1_000)} s: the request waits`;
}
