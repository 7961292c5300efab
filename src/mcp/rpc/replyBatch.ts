/** Collects the replies to the requests of one received batch, which go out as one array (BASE-09). */
import type { RpcReplyBatch, RpcResponse } from '../types/message.ts';

export class ReplyBatch {
  readonly #send: (replies: RpcReplyBatch) => void;
  readonly #replies: RpcResponse[] = [];
  #open: number;

  /** @param requests how many requests have to be settled before `send` is called, once */
  constructor(requests: number, send: (replies: RpcReplyBatch) => void) {
    this.#open = requests;
    this.#send = send;
  }

  /** Once a request; undefined for one that gets no reply (CANC-03). A batch without any reply sends nothing. */
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
