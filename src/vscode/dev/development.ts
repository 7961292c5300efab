/**
 * Loads the code for developing servers when the first entry asks for it, and notes the debug addresses of servers that
 * are about to start.
 */
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { DebugTarget } from '../../host/launch/debugLaunch.ts';
import type { Resolution } from '../../host/launch/launchGate.ts';
import type { ServerConfig, ServerId } from '../../host/config/serverConfig.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { OutputLogs } from '../editor/logs.ts';
import type { DevServers } from './devServers.ts';

export class Development implements Disposable {
  readonly #load: () => { readonly DevServers: typeof DevServers };
  readonly #store = new DisposableStore();
  readonly #targets = new Map<ServerId, DebugTarget>();
  #servers: DevServers | undefined;

  constructor(load: () => { readonly DevServers: typeof DevServers }) {
    this.#load = load;
  }

  /** Notes the debug address of a server's resolved start, and returns the resolution unchanged. */
  noted({ id }: ServerConfig, resolution: Resolution): Resolution {
    if (resolution.debug === undefined) {
      this.#targets.delete(id);
    } else {
      this.#targets.set(id, resolution.debug);
    }
    return resolution;
  }

  follow(host: McpHost, logs: OutputLogs): this {
    const look = (): void => {
      const isWanted = [...host.servers.values()].some(({ config }) => config.dev !== undefined);
      if (isWanted && this.#servers === undefined) {
        const bundle = this.#load();
        this.#servers = this.#store.add(new bundle.DevServers(host, logs, this.#targets));
      }
    };
    this.#store.add(host.onDidChangeServers(look));
    look();
    return this;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
