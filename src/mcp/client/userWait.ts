/** Pauses the time limit for opening, and the idle limits of requests, while the client waits for the user. */
import { after } from '../../base/async.ts';
import {
  type Disposable,
  DisposableOwner,
  DisposableStore,
  MutableDisposable,
} from '../../base/disposable.ts';
import type { UserWait } from '../httpAuthorizer.ts';
import type { Peer } from '../rpc/rpcPeer.ts';

/** A time limit that does not count the time spent waiting for the user. */
export class RestingLimit extends DisposableOwner {
  readonly #wait: UserWait | undefined;
  readonly #onOver: () => void;
  readonly #timer = this.store.add(new MutableDisposable<Disposable>());
  #leftMs: number;
  #since = 0;

  constructor(ms: number, wait: UserWait | undefined, onOver: () => void) {
    super();
    this.#leftMs = ms;
    this.#wait = wait;
    this.#onOver = onOver;
    if (wait !== undefined) {
      this.store.add(wait.onDidChange(() => this.#turn()));
    }
    this.#turn();
  }

  #turn(): void {
    const isRunning = this.#timer.value !== undefined;
    if (this.#wait?.isWaiting === true) {
      if (isRunning) {
        this.#leftMs -= performance.now() - this.#since;
        this.#timer.value = undefined;
      }
    } else if (!isRunning) {
      this.#since = performance.now();
      this.#timer.value = after(Math.max(0, this.#leftMs), this.#onOver);
    }
  }
}

/** Applies until the peer closes. */
export function restWhileWaiting(peer: Peer, wait: UserWait | undefined): void {
  if (wait === undefined) {
    return;
  }
  const store = new DisposableStore();
  const pause = store.add(new MutableDisposable<Disposable>());
  const turn = (): void => {
    pause.value = wait.isWaiting ? (pause.value ?? peer.pauseIdleLimits()) : undefined;
  };
  store.add(wait.onDidChange(turn));
  store.add(peer.onDidClose(() => store.dispose()));
  turn();
}
