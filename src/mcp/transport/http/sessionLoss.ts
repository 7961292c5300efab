/**
 * Tells a lost session from a message that is refused with the same status in a live session: an error of
 * one tool sent as 404, a gateway that blocks one call. Normally such a refusal counts as a loss (HTTP-22).
 * But if a session was lost a short while ago, a ping is sent in the new session; a server that has ended
 * the session refuses the ping, too. A new session would not help the one refused message, and would fail
 * all other requests under way.
 *
 * The ping is used only for a while: some servers may answer a ping in any session, and would stay unreachable.
 */
import { isSessionLoss, toRefusal } from './httpErrors.ts';
import { isSuccess, readStart } from './httpBody.ts';
import type { HttpEndpoint } from './httpExchange.ts';
import type { HttpSession } from './httpSession.ts';

/** For how many milliseconds after a loss the next one is doubted. */
const doubtMs = 60_000;
/** Milliseconds for the answer to the ping. A session that does not answer is not taken as lost. */
const answerMs = 5_000;

interface Question {
  readonly session: HttpSession;
  readonly answer: Promise<boolean>;
}

export class SessionLosses {
  readonly #endpoint: HttpEndpoint;
  readonly #lingerMs: number;
  #lastAt = -Infinity;
  #pings = 0;
  #open: Question | undefined;

  constructor(endpoint: HttpEndpoint, lingerMs: number) {
    this.#endpoint = endpoint;
    this.#lingerMs = lingerMs;
  }

  /** Whether a refusal counts as a loss without a ping. */
  get isBelieved(): boolean {
    return performance.now() - this.#lastAt >= doubtMs;
  }

  /** A session was lost. */
  note(): void {
    this.#lastAt = performance.now();
  }

  /** Resolves to whether the session of a refused message is lost. Concurrent callers share one ping. Never rejects. */
  ask(session: HttpSession): Promise<boolean> {
    if (this.#open?.session === session) {
      return this.#open.answer;
    }
    const answer = this.#isLost(session).finally(() => {
      if (this.#open?.session === session) {
        this.#open = undefined;
      }
    });
    this.#open = { session, answer };
    return answer;
  }

  async #isLost({ postHeaders: headers }: HttpSession): Promise<boolean> {
    this.#pings += 1;
    // A string id, because the peer's ids are numbers.
    const body = JSON.stringify({ jsonrpc: '2.0', id: `session-${this.#pings}`, method: 'ping' });
    const signal = AbortSignal.timeout(answerMs);
    try {
      const response = await this.#endpoint.exchange({ method: 'POST', headers, body, signal });
      const start = readStart(response, this.#lingerMs);
      if (isSuccess(response)) {
        return false;
      }
      return isSessionLoss(toRefusal(response, await start));
    } catch {
      return false; // the next request in the session finds out
    }
  }
}
