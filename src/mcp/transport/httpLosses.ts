/**
 * Tells the loss of a session from a message that the server refuses in every session with the same
 * status: an error of one tool sent as 404, a gateway that blocks one call. Opening a session anew
 * for each of these would end in giving the server up. Knows no HTTP.
 */
import type { RpcMessage, RpcReplyBatch } from '../rpc/message.ts';

/** A session that is lost twice in this time is rare, and other questions bring it to light, too. */
const memoryMs = 60_000;

interface Loss {
  /** What was asked when it came to light. */
  readonly question: string;
  readonly at: number;
}

export class Losses {
  #last: Loss | undefined;

  /**
   * `message` was refused as if the session were lost.
   * @returns false when it brought the loss before to light, too, and was not taken since: it is
   *   refused for itself, and a new session does not help it
   */
  isNew(message: RpcMessage | RpcReplyBatch): boolean {
    const question = questionOf(message);
    const now = performance.now();
    const last = this.#last;
    if (last !== undefined && last.question === question && now - last.at < memoryMs) {
      return false;
    }
    this.#last = { question, at: now };
    return true;
  }

  /** `message` was taken: the next time, its refusal is a loss again. */
  taken(message: RpcMessage | RpcReplyBatch): void {
    if (this.#last !== undefined && this.#last.question === questionOf(message)) {
      this.#last = undefined;
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
