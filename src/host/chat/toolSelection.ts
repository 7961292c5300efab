/**
 * Which tools models get in this workspace, and named selections of tools (presets). A server's new tool is on, unless its
 * whole server is off. Tools of the editor are off until they are chosen.
 */
import { Emitter } from '../../base/event.ts';
import { isString, isObject, isStringArray } from '../../base/json.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { Memory } from '../storage.ts';

const memoryKey = 'mcpHost.toolsOff';

/** Stands in for a server's id at tools of the editor; no server has it. */
export const editorGroup = 'editor';

export interface ToolKey {
  /** Or {@link editorGroup}. */
  readonly serverId: ServerId;
  readonly tool: string;
}

/**
 * What is off: a tool of a server, or a server with all its present and future tools. Of the editor's tools, those that
 * are on.
 */
type OffEntry = readonly [server: string, tool: string] | readonly [server: string];

export type OffList = readonly OffEntry[];

/** What is off, counted: whole servers, and single tools of others. */
export function countOff(off: OffList): { readonly servers: number; readonly tools: number } {
  const ofServers = off.filter(([serverId]) => serverId !== editorGroup);
  const servers = ofServers.filter((entry) => entry.length === 1).length;
  return { servers, tools: ofServers.length - servers };
}

export class ToolSelection {
  readonly #memory: Memory;
  readonly #changed = new Emitter<void>();
  /** A cache for the stored value, by its identity. */
  #lookup: { readonly of: unknown; readonly off: OffSet } | undefined;
  /** Fires when the set of tools that are on has changed. */
  readonly onDidChange = this.#changed.event;

  constructor(workspaceMemory: Memory) {
    this.#memory = workspaceMemory;
  }

  get off(): OffList {
    return this.#read().entries;
  }

  isOn(key: ToolKey): boolean {
    return this.#read().isOn(key);
  }

  async set(off: OffList): Promise<void> {
    await this.#memory.set(memoryKey, off);
    this.#changed.fire();
  }

  #read(): OffSet {
    const stored = this.#memory.get(memoryKey);
    if (this.#lookup === undefined || this.#lookup.of !== stored) {
      this.#lookup = { of: stored, off: new OffSet(readOff(stored)) };
    }
    return this.#lookup.off;
  }
}

/** Invalid entries are dropped. */
function readOff(stored: unknown): OffList {
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return entries.filter(
    (entry): entry is OffEntry =>
      Array.isArray(entry) && (entry.length === 1 || entry.length === 2) && entry.every(isString),
  );
}

/** An index: each request to a model looks up thousands of tools. */
class OffSet {
  readonly entries: OffList;
  readonly #texts: ReadonlySet<string>;

  constructor(entries: OffList) {
    this.entries = entries;
    this.#texts = new Set(entries.map((entry) => JSON.stringify(entry)));
  }

  isOn({ serverId, tool }: ToolKey): boolean {
    const isListed =
      this.#texts.has(JSON.stringify([serverId])) ||
      this.#texts.has(JSON.stringify([serverId, tool]));
    return isListed === (serverId === editorGroup);
  }
}

interface ChoiceServer {
  readonly serverId: ServerId;
  /** Names; at least one. */
  readonly tools: readonly string[];
}

/** Names the box of a tool, or of a server. @param of the server's id, and the tool's name */
export function boxOf(...of: readonly string[]): string {
  return JSON.stringify(of);
}

/**
 * A selection of tools while the user edits it: check boxes of tools, one for each server that stands for all of its
 * tools, and presets. What is not shown, such as tools of a stopped server, stays unchanged.
 */
export class ToolChoice {
  readonly #servers: readonly ChoiceServer[];
  readonly total: number;
  /** Boxes of the shown tools that are on. */
  #on: ReadonlySet<string> = new Set();
  #others: OffList = [];

  constructor(servers: readonly ChoiceServer[], off: OffList) {
    this.#servers = servers;
    this.total = servers.reduce((sum, { tools }) => sum + tools.length, 0);
    this.use(off);
  }

  /** How many of the shown tools are on. */
  get count(): number {
    return this.#on.size;
  }

  /** Replaces the whole selection, for example by a preset. */
  use(off: OffList): void {
    const set = new OffSet(off);
    this.#set(({ serverId, tools }) => tools.filter((tool) => set.isOn({ serverId, tool })));
    const shown = new Set(
      this.#servers.flatMap((server) => [boxOf(server.serverId), ...boxesOf(server)]),
    );
    this.#others = off.filter((entry) => !shown.has(boxOf(...entry)));
  }

  /** The boxes that are checked. */
  get checked(): ReadonlySet<string> {
    const whole = this.#servers.filter((server) => this.#isWhole(server));
    return new Set([...whole.map(({ serverId }) => boxOf(serverId)), ...this.#on]);
  }

  /**
   * The user has clicked boxes: a changed box of a server sets all of its tools; otherwise each tool counts for itself.
   * @param checked the boxes that are checked now
   * @returns whether the boxes have to be redrawn
   */
  click(checked: ReadonlySet<string>): boolean {
    this.#set((server) => {
      const { serverId, tools } = server;
      const isChecked = checked.has(boxOf(serverId));
      if (isChecked === this.#isWhole(server)) {
        return tools.filter((tool) => checked.has(boxOf(serverId, tool)));
      }
      return isChecked ? tools : [];
    });
    const now = this.checked;
    return now.size !== checked.size || [...now].some((box) => !checked.has(box));
  }

  /** A server with no tool on is off as a whole, including its future tools. */
  get off(): OffList {
    const shown = this.#servers.flatMap(({ serverId, tools }): OffList => {
      const isOn = (tool: string): boolean => this.#on.has(boxOf(serverId, tool));
      if (serverId === editorGroup) {
        return tools.filter(isOn).map((tool) => [serverId, tool] as const);
      }
      const off = tools.filter((tool) => !isOn(tool));
      return off.length === tools.length
        ? [[serverId]]
        : off.map((tool) => [serverId, tool] as const);
    });
    const wholly = new Set(shown.filter((entry) => entry.length === 1).map(([id]) => id));
    return [...this.#others.filter(([serverId]) => !wholly.has(serverId)), ...shown];
  }

  #set(toolsOn: (server: ChoiceServer) => readonly string[]): void {
    this.#on = new Set(
      this.#servers.flatMap((server) =>
        boxesOf({ serverId: server.serverId, tools: toolsOn(server) }),
      ),
    );
  }

  /** All of its tools are on. */
  #isWhole(server: ChoiceServer): boolean {
    return boxesOf(server).every((box) => this.#on.has(box));
  }
}

function boxesOf({ serverId, tools }: ChoiceServer): readonly string[] {
  return tools.map((tool) => boxOf(serverId, tool));
}

const presetsKey = 'mcpHost.toolPresets';

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
    const stored = this.#memory.get(presetsKey);
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
    await this.#memory.set(presetsKey, [...others, { name, off }].slice(-maxPresets));
  }

  async delete(name: string): Promise<void> {
    await this.#memory.set(
      presetsKey,
      this.all.filter((preset) => preset.name !== name),
    );
  }
}

/** A server as presets of the settings name it, and its current tools; none while it does not run. */
interface PresetServer {
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

/** Where not all is wanted, a server whose tools are not known is off: each of them would be on. */
function offOf({ id, tools }: PresetServer, wanted: unknown): OffList {
  if (isStringArray(wanted) && wanted.length > 0 && tools.length > 0) {
    return tools.filter((tool) => !wanted.includes(tool)).map((tool) => [id, tool] as const);
  }
  return wanted === true ? [] : [[id]];
}
