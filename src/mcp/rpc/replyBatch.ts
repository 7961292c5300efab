/** Collects the replies to the requests of one received batch, to be sent as one array (BASE-09). */
import type { RpcReplyBatch, RpcResponse } from '../types/message.ts';

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
