/**
 * Which servers the user trusts: only their annotations count. Trust in a server of the user's settings is a setting
 * that no workspace can write. Trust in a server of a workspace, or in one that names folders of it, counts only in
 * that workspace and while its entry is unchanged.
 */
import { createHash } from 'node:crypto';
import { Sequencer } from '../../base/async.ts';
import { isObject, isString, stableStringify } from '../../base/json.ts';
import { rememberedScopes, type ServerConfig, type ServerId } from '../config/serverConfig.ts';
import type { Memory } from '../storage.ts';

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
    return isNamed(server)
      ? this.#setting.names().includes(server.name)
      : this.#read().get(server.id) === launchHash(server);
  }

  async set(server: ServerConfig, isTrusted: boolean): Promise<void> {
    await this.#writes.run(async () => {
      if (isNamed(server)) {
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

/** Whether it is trusted by its name, in all workspaces. */
function isNamed(server: ServerConfig): boolean {
  return rememberedScopes(server).includes('always');
}

/**
 * Hash of what the entry starts or connects to, and of its bounds. Only variables for workspace folders are replaced.
 */
export function launchHash({ launch, sandbox, dev, folders }: ServerConfig): string {
  return createHash('sha256')
    .update(stableStringify({ launch, sandbox, debug: dev?.debug, folders }))
    .digest('hex');
}
