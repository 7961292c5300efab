/**
 * Restarts a lost server without a request: after the delay in its state; a remote one also when the machine wakes up
 * or changes its network, even if restarts had ended. Such a start opens no dialog, since nobody may be there to
 * answer. connectionState.ts decides whether a restart is tried at all.
 */
import { type Disposable, MutableDisposable } from '../../base/disposable.ts';
import type { ConnectionServices } from './connectionServices.ts';
import { type ConnectionEvent, type ConnectionState, errorOf } from './connectionState.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { Reach } from './liveness.ts';
import { missingFor, type StoppedBecause } from '../launch/launchGate.ts';

type Services = Pick<ConnectionServices, 'clock' | 'disruptions' | 'gate'>;

interface Server {
  readonly config: ServerConfig;
  readonly state: ConnectionState;
  stop(because: StoppedBecause): Promise<void>;
}

export class AutomaticRestart {
  readonly #services: Services;
  readonly #server: Server;
  readonly #start: (event: ConnectionEvent) => void;
  readonly #retry = new MutableDisposable<Disposable>();
  readonly #watch = new MutableDisposable<Disposable>();

  /** @param start starts the server after that event, and cancels the planned start */
  constructor(services: Services, server: Server, start: (event: ConnectionEvent) => void) {
    this.#services = services;
    this.#server = server;
    this.#start = start;
  }

  /** @param reach of the server; undefined where it was not known yet */
  plan(now: ConnectionState, reach: Reach | undefined): void {
    const { clock, disruptions } = this.#services;
    this.cancel();
    if (now.kind === 'waiting') {
      this.#retry.value = clock.after(now.delayMs, () => void this.#restart());
    }
    const code = errorOf(now)?.code ?? '';
    const mayBeTheWay = ['unreachable', 'timeout', 'closed'].includes(code);
    if (mayBeTheWay && reach === 'network') {
      this.#watch.value = disruptions.watch(() => void this.#restart());
    }
  }

  cancel(): void {
    this.#retry.value = undefined;
    this.#watch.value = undefined;
  }

  async #restart(): Promise<void> {
    const { state, config } = this.#server;
    const because = await missingFor(this.#services.gate, config);
    if (this.#server.state !== state) {
      return;
    }
    const isWaiting = state.kind === 'waiting';
    if (because === undefined) {
      this.#start(isWaiting ? { kind: 'retry' } : { kind: 'start', wasReady: true });
    } else if (isWaiting) {
      await this.#server.stop(because);
    }
  }
}
