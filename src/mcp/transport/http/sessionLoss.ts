/**
 * Tells the end of a session from a message that is refused with the same status in a session that lives: an error of
 * one tool sent as 404, a gateway that blocks one call. Such a refusal is taken at its word (HTTP-22), but where a
 * session was lost a short while ago, a ping is sent in the new one, which a server that has ended it refuses, too:
 * yet another session would not help that one message, and would cost all others that are under way.
 *
 * Not for longer: there may be servers that answer a ping in any session, and would be out of reach otherwise.
 */
import { isSessionLoss, toRefusal } from './httpErrors.ts';
import { after } from '../../../base/async.ts';
import { isSuccess, readStart } from './httpBody.ts';
import type { HttpEndpoint } from './httpExchange.ts';
import type { HttpSession } from './httpSession.ts';

/** Milliseconds after a loss in which the next one is doubted. */
const doubtMs = 60_000;
/** Milliseconds for the answer to the ping. A session that says nothing is not known to be lost. */
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

  /** Whether a refusal is taken at its word. */
  get isBelieved(): boolean {
    return performance.now() - this.#lastAt >= doubtMs;
  }

  /** A session was lost. */
  note(): void {
    this.#lastAt = performance.now();
  }

  /** Resolves to whether the session that refused something is lost; one ping for all who ask at a time. Never rejects. */
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
    // A text: the ids of the peer are numbers.
    const body = JSON.stringify({ jsonrpc: '2.0', id: `session-${this.#pings}`, method: 'ping' });
    const tooLate = new AbortController();
    const limit = after(answerMs, () => tooLate.abort());
    try {
      const { signal } = tooLate;
      const response = await this.#endpoint.exchange({ method: 'POST', headers, body, signal });
      const start = readStart(response, this.#lingerMs);
      if (isSuccess(response)) {
        return false;
      }
      return isSessionLoss(toRefusal(response, await start));
    } catch {
      return false; // whoever uses the session next finds out
    } finally {
      limit.dispose();
    }
  }
}
