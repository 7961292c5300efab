/**
 * When a server that was lost is started again without anybody asking: after the delay that its state names, and one
 * out in the network also when the machine woke up or came into another network, even if it was given up before.
 * Whether it is worth a delay is connectionState.ts's business.
 */
import { type Disposable, MutableDisposable } from '../../base/disposable.ts';
import type { Clock } from './clock.ts';
import type { ConnectionEvent, ConnectionState } from './connectionState.ts';
import type { Disruptions } from './disruptions.ts';
import { errorOf } from '../diagnosis/errorOf.ts';
import type { Reach } from './liveness.ts';

export class Comeback {
  readonly #services: { readonly clock: Clock; readonly disruptions: Disruptions };
  readonly #server: { readonly state: ConnectionState };
  readonly #start: (event: ConnectionEvent) => void;
  readonly #retry = new MutableDisposable<Disposable>();
  readonly #watch = new MutableDisposable<Disposable>();

  /** @param start starts the server after that event; called once at most for each {@link plan} */
  constructor(
    services: { readonly clock: Clock; readonly disruptions: Disruptions },
    server: { readonly state: ConnectionState },
    start: (event: ConnectionEvent) => void,
  ) {
    this.#services = services;
    this.#server = server;
    this.#start = start;
  }

  /** @param reach of the server; undefined where it was not known yet */
  plan(before: ConnectionState, now: ConnectionState, reach: Reach | undefined): void {
    const { clock, disruptions } = this.#services;
    this.cancel();
    if (now.kind === 'waiting') {
      this.#retry.value = clock.after(now.delayMs, () => this.#comeBack());
    }
    const wasReady = before.kind === 'ready' || (before.kind === 'starting' && before.wasReady);
    const code = errorOf(now)?.code ?? '';
    const mayBeTheWay = ['unreachable', 'timeout', 'closed'].includes(code);
    if (wasReady && mayBeTheWay && reach === 'network') {
      this.#watch.value = disruptions.watch(() => this.#comeBack());
    }
  }

  cancel(): void {
    this.#retry.value = undefined;
    this.#watch.value = undefined;
  }

  #comeBack(): void {
    this.cancel();
    const isDue = this.#server.state.kind === 'waiting';
    this.#start(isDue ? { kind: 'retry' } : { kind: 'start', wasReady: true });
  }
}
