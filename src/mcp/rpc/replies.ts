/** Our replies to the requests of a server. */
import type { Diagnostic } from '../transport/transport.ts';
import type { RpcReplyBatch, RpcResponse } from '../types/message.ts';

/** Limit of replies that the server has not accepted. Beyond it, further requests of the server are ignored. */
export const maxUnsent = 100;

/**
 * Counts replies on their way to the server. Over HTTP each reply is a request of its own, which the server
 * answers when it likes. A server that asks but does not accept the replies must not hold any number of
 * connections.
 */
export class UnsentReplies {
  readonly #send: (reply: RpcResponse | RpcReplyBatch) => Promise<void> | undefined;
  readonly #diagnose: (level: Diagnostic['level'], text: string) => void;
  #count = 0;
  #ignored = 0;

  /** @param send resolves when the reply was accepted or failed; undefined for at once. Never rejects */
  constructor(
    send: (reply: RpcResponse | RpcReplyBatch) => Promise<void> | undefined,
    diagnose: (level: Diagnostic['level'], text: string) => void,
  ) {
    this.#send = send;
    this.#diagnose = diagnose;
  }

  get count(): number {
    return this.#count;
  }

  send(reply: RpcResponse | RpcReplyBatch): void {
    const sent = this.#send(reply);
    if (sent !== undefined) {
      this.#count += 1;
      void sent.then(() => this.#taken());
    }
  }

  /** Whether to ignore a request. The first ignored request is logged. */
  ignores(method: string): boolean {
    if (this.#count < maxUnsent) {
      return false;
    }
    this.#ignored += 1;
    if (this.#ignored === 1) {
      const text = `The server has not accepted ${maxUnsent} replies. Until it does, its requests are ignored, first "${method}"`;
      this.#diagnose('warn', text);
    }
    return true;
  }

  #taken(): void {
    this.#count -= 1;
    if (this.#count === 0 && this.#ignored > 0) {
      this.#diagnose('warn', `${this.#ignored} requests of the server were ignored`);
      this.#ignored = 0;
    }
  }
}

/** Collects the replies to the requests of one received batch, to be sent as one array (BASE-09). */
export class ReplyBatch {
  readonly #send: (replies: RpcReplyBatch) => void;
  readonly #replies: RpcResponse[] = [];
  #open: number;

  /** @param requests the number of requests to settle before `send` is called, once */
  constructor(requests: number, send: (replies: RpcReplyBatch) => void) {
    this.#open = requests;
    this.#send = send;
  }

  /**
   * Call once per request; undefined if the request gets no reply (CANC-03). A batch without any reply sends nothing.
   */
  settle(reply: RpcResponse | undefined): void {
    if (reply !== undefined) {
      this.#replies.push(reply);
    }
    this.#open -= 1;
    if (this.#open === 0 && this.#replies.length > 0) {
      this.#send(this.#replies);
    }
  }
}
