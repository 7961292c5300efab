/**
 * Which servers the user has marked as trusted: only their annotations count. A server of the user's
 * own settings is trusted by a setting that no workspace can write; a server of a workspace only in
 * that workspace, and only for as long as its entry stays what it was.
 */
import { createHash } from 'node:crypto';
import { Sequencer } from '../../base/async.ts';
import { isObject, isString, stableStringify } from '../../base/json.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { Memory } from '../ports.ts';

const memoryKey = 'mcpHost.trustedServers';

/** `mcpHost.trustedServers`: names of servers of the user's settings. */
export interface TrustSetting {
  names(): readonly string[];
  set(names: readonly string[]): Promise<void>;
}

export class TrustedServers {
  readonly #setting: TrustSetting;
  readonly #workspaceMemory: Memory;
  readonly #writes = new Sequencer();

  constructor(setting: TrustSetting, workspaceMemory: Memory) {
    this.#setting = setting;
    this.#workspaceMemory = workspaceMemory;
  }

  isTrusted(server: ServerConfig): boolean {
    return server.scope.kind === 'user'
      ? this.#setting.names().includes(server.name)
      : this.#read().get(server.id) === launchHash(server);
  }

  async set(server: ServerConfig, isTrusted: boolean): Promise<void> {
    await this.#writes.run(async () => {
      if (server.scope.kind === 'user') {
        const others = this.#setting.names().filter((name) => name !== server.name);
        await this.#setting.set(isTrusted ? [...others, server.name] : others);
        return;
      }
      const trusted = this.#read();
      trusted.delete(server.id);
      if (isTrusted) {
        trusted.set(server.id, launchHash(server));
      }
      await this.#workspaceMemory.set(memoryKey, Object.fromEntries(trusted));
    });
  }

  #read(): Map<ServerId, string> {
    const stored = this.#workspaceMemory.get(memoryKey);
    const pairs = Object.entries(isObject(stored) ? stored : {});
    return new Map(pairs.filter((pair): pair is [string, string] => isString(pair[1])));
  }
}

/** Of what the entry starts or reaches, variables not replaced. */
export function launchHash({ launch }: ServerConfig): string {
  return createHash('sha256').update(stableStringify(launch)).digest('hex');
}
