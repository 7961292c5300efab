/**
 * Named selections of tools: the user's, stored for this workspace, and those of the settings, shared by everybody who
 * has them.
 */
import { isObject, isString, isStringArray } from '../../base/json.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { Memory } from '../storage.ts';
import { type OffList, readOff } from './toolSelection.ts';

const memoryKey = 'mcpHost.toolPresets';

/** People cannot tell more of them apart. */
export const maxPresets = 50;

export interface ToolPreset {
  readonly name: string;
  readonly off: OffList;
}

export class ToolPresets {
  readonly #memory: Memory;

  constructor(workspaceMemory: Memory) {
    this.#memory = workspaceMemory;
  }

  get all(): readonly ToolPreset[] {
    const stored = this.#memory.get(memoryKey);
    const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
    return entries.flatMap((entry) =>
      isObject(entry) && isString(entry['name'])
        ? [{ name: entry['name'], off: readOff(entry['off']) }]
        : [],
    );
  }

  /** Replaces a preset of this name. Beyond the limit the oldest is dropped. */
  async save(name: string, off: OffList): Promise<void> {
    const others = this.all.filter((preset) => preset.name !== name);
    await this.#memory.set(memoryKey, [...others, { name, off }].slice(-maxPresets));
  }

  async delete(name: string): Promise<void> {
    await this.#memory.set(
      memoryKey,
      this.all.filter((preset) => preset.name !== name),
    );
  }
}

/** A server as presets of the settings name it, and its current tools; none while it does not run. */
export interface PresetServer {
  readonly id: ServerId;
  readonly name: string;
  readonly tools: readonly string[];
}

/**
 * Presets of the settings: `{"name": {"server": true, "other": ["tool"]}}` names what is on; servers that are not named
 * are off. Other forms are left out.
 */
export function sharedPresets(
  setting: unknown,
  servers: readonly PresetServer[],
): readonly ToolPreset[] {
  return Object.entries(isObject(setting) ? setting : {}).flatMap(([name, named]) =>
    isObject(named)
      ? [{ name, off: servers.flatMap((server) => offOf(server, named[server.name])) }]
      : [],
  );
}

function offOf({ id, tools }: PresetServer, wanted: unknown): OffList {
  if (isStringArray(wanted) && wanted.length > 0) {
    return tools.filter((tool) => !wanted.includes(tool)).map((tool) => [id, tool] as const);
  }
  return wanted === true ? [] : [[id]];
}
