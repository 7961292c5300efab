/** Servers that the user has switched off or on for this workspace alone, without a change of their entries. */
import { Emitter } from '../../base/event.ts';
import { isObject } from '../../base/json.ts';
import type { Memory } from '../storage.ts';
import type { ServerConfig, ServerId } from './serverConfig.ts';

const memoryKey = 'mcpHost.switchedServers';

export class WorkspaceSwitches {
  readonly #memory: Memory;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(workspaceMemory: Memory) {
    this.#memory = workspaceMemory;
  }

  /** Whether a server is on, for those that are switched. */
  get servers(): ReadonlyMap<ServerId, boolean> {
    const stored = this.#memory.get(memoryKey);
    const entries = Object.entries(isObject(stored) ? stored : {});
    return new Map(
      entries.flatMap(([id, isOn]) => (typeof isOn === 'boolean' ? [[id, isOn] as const] : [])),
    );
  }

  /** Forgets the switch of a server that is on, or off, by its entry again. */
  async set({ id, isEnabled, isSwitched }: ServerConfig, isOn: boolean): Promise<void> {
    const isOnByEntry = isSwitched === true ? !isEnabled : isEnabled;
    const switches = new Map(this.servers);
    if (isOn === isOnByEntry) {
      switches.delete(id);
    } else {
      switches.set(id, isOn);
    }
    await this.#memory.set(memoryKey, Object.fromEntries(switches));
    this.#changed.fire();
  }
}
