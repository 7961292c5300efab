/** What happens to servers during the soak: they die, are stopped, restarted and changed, alone and many at once. */
import { delay } from '../../src/base/async.ts';
import type { SoakServers } from './servers.ts';
import type { SoakHost } from './soakHost.ts';
import { act } from './traffic.ts';

const farmIsGoneMs = 1_500;

export class Disturbances {
  readonly counts = new Map<string, number>();
  readonly #servers: SoakServers;
  readonly #host: SoakHost;
  readonly #names: readonly string[];

  constructor(servers: SoakServers, host: SoakHost) {
    this.#servers = servers;
    this.#host = host;
    this.#names = [...servers.byName.keys()];
  }

  /** One of them, on another server each time. What goes wrong shows in the state of the server. */
  async next(turn: number): Promise<void> {
    const name = this.#names[(turn * 7) % this.#names.length] ?? '';
    const connection = this.#host.connection(name);
    switch (turn % 5) {
      case 0:
        this.#count('crash');
        await act('crash', connection, turn);
        break;
      case 1:
        this.#count('restart');
        await connection.restart().catch(() => undefined);
        break;
      case 2:
        this.#count('entry changed');
        this.#host.change(name);
        break;
      case 3:
        this.#count('stop and start');
        await connection.stop();
        await connection.start().catch(() => undefined);
        break;
      default:
        this.#count('process of many servers killed');
        await this.#killFarm(turn);
    }
  }

  async #killFarm(turn: number): Promise<void> {
    const farm = this.#servers.farms[Math.floor(turn / 5) % this.#servers.farms.length];
    await farm?.kill();
    await delay(farmIsGoneMs);
    await farm?.start();
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}
