/**
 * Tells that a WebSocket is dead: silence is broken by a ping, and a server that does not answer it, and says nothing
 * else, is gone. What follows from that is the transport's matter.
 */
import type { WebSocket } from 'ws';
import { after } from '../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../base/disposable.ts';
import type { WebSocketLimits } from './webSocketLimits.ts';

export class Heartbeat implements Disposable {
  readonly #socket: WebSocket;
  readonly #limits: Pick<WebSocketLimits, 'pingAfterMs' | 'pongMs'>;
  readonly #onSilence: () => void;
  readonly #timer = new MutableDisposable<Disposable>();
  #hasHeard = false;

  /** @param socket is open */
  constructor(
    socket: WebSocket,
    limits: Pick<WebSocketLimits, 'pingAfterMs' | 'pongMs'>,
    onSilence: () => void,
  ) {
    this.#socket = socket;
    this.#limits = limits;
    this.#onSilence = onSilence;
    for (const sign of ['message', 'ping', 'pong']) {
      socket.on(sign, () => {
        this.#hasHeard = true;
      });
    }
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

  /** Calls `otherwise` if nothing is heard for so many milliseconds; else begins anew. */
  #within(ms: number, otherwise: () => void): void {
    this.#hasHeard = false;
    this.#timer.value = after(ms, () => {
      if (this.#hasHeard) {
        this.#listen();
      } else {
        otherwise();
      }
    });
  }
}
