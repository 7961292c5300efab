/**
 * Tells the loss of a session from a message that the server refuses in every session with the same
 * status: an error of one tool sent as 404, a gateway that blocks one call. Opening a session anew
 * for each of these would end in giving the server up. Knows no HTTP.
 */
import type { RpcMessage, RpcReplyBatch } from '../rpc/message.ts';

/** A session that is lost twice in this time is rare, and other questions bring it to light, too. */
const memoryMs = 60_000;

/** Questions that are remembered; the oldest goes. */
const maxQuestions = 100;

export class Losses {
  /** What was asked when a loss came to light, and when that was; the newest last. */
  readonly #questions = new Map<string, number>();

  /**
   * `message` was refused as if the session were lost.
   * @returns false when it brought a loss before to light, too, and was not taken since: it is
   *   refused for itself, and a new session does not help it
   */
  isNew(message: RpcMessage | RpcReplyBatch): boolean {
    const question = questionOf(message);
    const now = performance.now();
    const lastAt = this.#questions.get(question);
    if (lastAt !== undefined && now - lastAt < memoryMs) {
      return false;
    }
    this.#questions.delete(question);
    this.#questions.set(question, now);
    const [oldest] = this.#questions.keys();
    if (oldest !== undefined && this.#questions.size > maxQuestions) {
      this.#questions.delete(oldest);
    }
    return true;
  }

  /** `message` was taken: the next time, its refusal is a loss again. */
  taken(message: RpcMessage | RpcReplyBatch): void {
    if (this.#questions.size > 0) {
      this.#questions.delete(questionOf(message));
    }
  }
}

/** The arguments make no difference: a tool fails with many. */
function questionOf(message: RpcMessage | RpcReplyBatch): string {
  if (!('method' in message)) {
    return '';
  }
  const { name, uri } = message.params ?? {};
  return JSON.stringify([message.method, name, uri]);
}
