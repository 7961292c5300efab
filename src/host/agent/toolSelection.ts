/** Which tools the user has switched off for chat, in this workspace. A tool that is new is on. */
import { isString } from '../../base/json.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { Memory } from '../ports.ts';

const memoryKey = 'mcpHost.toolsOff';

export interface ToolKey {
  readonly serverId: ServerId;
  readonly tool: string;
}

export class ToolSelection {
  readonly #memory: Memory;

  constructor(workspaceMemory: Memory) {
    this.#memory = workspaceMemory;
  }

  isOn({ serverId, tool }: ToolKey): boolean {
    return !this.#read().some(([id, name]) => id === serverId && name === tool);
  }

  /** Of the `shown` tools those of `on` are on, the others off. Tools that were not shown stay as they were. */
  async set(shown: readonly ToolKey[], on: readonly ToolKey[]): Promise<void> {
    const wasShown = new Set(shown.map(toText));
    const isOn = new Set(on.map(toText));
    const others = this.#read().filter(
      ([serverId, tool]) => !wasShown.has(toText({ serverId, tool })),
    );
    const off = shown
      .filter((key) => !isOn.has(toText(key)))
      .map(({ serverId, tool }) => [serverId, tool]);
    await this.#memory.set(memoryKey, [...others, ...off]);
  }

  #read(): readonly (readonly [string, string])[] {
    const stored = this.#memory.get(memoryKey);
    const pairs: readonly unknown[] = Array.isArray(stored) ? stored : [];
    return pairs.filter(
      (pair): pair is readonly [string, string] =>
        Array.isArray(pair) && pair.length === 2 && pair.every(isString),
    );
  }
}

function toText({ serverId, tool }: ToolKey): string {
  return JSON.stringify([serverId, tool]);
}
