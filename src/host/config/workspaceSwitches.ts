/** What the user has switched for this workspace alone, without a change of entries: servers, and their prompts in `/mcp.` */
import { Emitter } from '../../base/event.ts';
import { isObject, isStringArray } from '../../base/json.ts';
import type { Memory } from '../storage.ts';
import type { ServerConfig, ServerId } from './serverConfig.ts';

const memoryKey = 'mcpHost.switchedServers';
const promptsKey = 'mcpHost.promptsOff';

export class WorkspaceSwitches {
  readonly #memory: Memory;
  readonly #changed = new Emitter<void>();
  readonly #promptsChanged = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly onDidChangePrompts = this.#promptsChanged.event;

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

  /** Servers whose prompts the editor's chat does not get. */
  get promptsOff(): ReadonlySet<ServerId> {
    const stored = this.#memory.get(promptsKey);
    return new Set(isStringArray(stored) ? stored : []);
  }

  async setPromptsOff(ids: readonly ServerId[]): Promise<void> {
    await this.#memory.set(promptsKey, ids);
    this.#promptsChanged.fire();
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
