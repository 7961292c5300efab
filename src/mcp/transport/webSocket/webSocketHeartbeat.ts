/**
 * Tells that a WebSocket is dead: silence is broken by a ping, and a server that does not answer it, and says nothing
 * else, is gone. What follows from that is the transport's matter.
 */
import type { WebSocket } from 'ws';
import { after } from '../../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../../base/disposable.ts';
import type { WebSocketLimits } from './webSocketLimits.ts';

export class Heartbeat implements Disposable {
  readonly #socket: WebSocket;
  readonly #bytesRead: () => number;
  readonly #limits: Pick<WebSocketLimits, 'pingAfterMs' | 'pongMs'>;
  readonly #onSilence: () => void;
  readonly #timer = new MutableDisposable<Disposable>();

  /**
   * @param socket is open
   * @param bytesRead what has come over its connection: a large message can be under way for long, and no pong with it
   */
  constructor(
    socket: WebSocket,
    bytesRead: () => number,
    limits: Pick<WebSocketLimits, 'pingAfterMs' | 'pongMs'>,
    onSilence: () => void,
  ) {
    this.#socket = socket;
    this.#bytesRead = bytesRead;
    this.#limits = limits;
    this.#onSilence = onSilence;
    this.#listen();
  }

  dispose(): void {
    this.#timer.dispose();
  }

  #listen(): void {
    const { pingAfterMs, pongMs } = this.#limits;
    this.#within(pingAfterMs, () => {
      this.#socket.ping();
      this.#within(pongMs, this.#onSilence);
    });
  }

  /** Calls `otherwise` if nothing comes for so many milliseconds; else begins anew. */
  #within(ms: number, otherwise: () => void): void {
    const before = this.#bytesRead();
    this.#timer.value = after(ms, () => {
      if (this.#bytesRead() > before) {
        this.#listen();
      } else {
        otherwise();
      }
    });
  }
}
