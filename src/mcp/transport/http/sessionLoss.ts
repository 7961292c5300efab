/**
 * Tells a lost session from a message that is refused with the same status in a live session: an error of
 * one tool sent as 404, a gateway that blocks one call. Normally such a refusal counts as a loss (HTTP-22).
 * But if a session was lost a short while ago, or a broken reply is refused, a ping is sent in the session; a
 * server that has ended the session refuses the ping, too. A new session would not help the one refused
 * message, and would fail all other requests under way.
 *
 * The ping is used only for a while: some servers may answer a ping in any session, and would stay unreachable.
 */
import { isSessionLoss, toRefusal } from './httpErrors.ts';
import { readStart } from './httpBody.ts';
import type { HttpEndpoint } from './httpExchange.ts';
import type { HttpSession } from './httpSession.ts';

/** For how many milliseconds after a loss the next one is doubted. */
export const doubtMs = 60_000;
/** Milliseconds for the answer to the ping. A session that does not answer is not taken as lost. */
const answerMs = 5_000;

let pings = 0;

/** Resolves to whether a ping in the session is refused as if there were no such session. Never rejects. */
export async function isLostByPing(
  endpoint: HttpEndpoint,
  { postHeaders: headers }: HttpSession,
  lingerMs: number,
): Promise<boolean> {
  pings += 1;
  // A string id, because the peer's ids are numbers.
  const body = JSON.stringify({ jsonrpc: '2.0', id: `session-${pings}`, method: 'ping' });
  const signal = AbortSignal.timeout(answerMs);
  try {
    const response = await endpoint.exchange({ method: 'POST', headers, body, signal });
    return isSessionLoss(toRefusal(response, await readStart(response, lingerMs)));
  } catch {
    return false; // the next request in the session finds out
  }
}
