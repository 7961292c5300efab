/**
 * Detects a dead WebSocket: after a silence it sends a ping, and a server that then sends nothing at all is
 * gone. The transport decides what follows.
 */
import type { WebSocket } from 'ws';
import { after } from '../../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../../base/disposable.ts';
import type { WebSocketLimits } from '../limits.ts';

export class Heartbeat implements Disposable {
  readonly #socket: WebSocket;
  readonly #bytesRead: () => number;
  readonly #limits: Pick<WebSocketLimits, 'pingAfterMs' | 'pongMs'>;
  readonly #onSilence: () => void;
  readonly #timer = new MutableDisposable<Disposable>();

  /**
   * @param socket an open socket
   * @param bytesRead bytes received over its connection: a large message can take long, and delays the pong
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

  /** Calls `otherwise` if nothing arrives within `ms` milliseconds; otherwise starts again. */
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
