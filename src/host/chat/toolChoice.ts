/**
 * A selection of tools while the user edits it: check boxes of tools, one for each server that stands for all of its
 * tools, and presets. What is not shown, such as tools of a stopped server, stays unchanged.
 */
import type { ServerId } from '../config/serverConfig.ts';
import { type OffList, OffSet, type ToolKey } from './toolSelection.ts';

export interface ChoiceServer {
  readonly serverId: ServerId;
  /** Names; at least one. */
  readonly tools: readonly string[];
}

/** Boxes that are checked. */
export interface Checked {
  readonly servers: readonly ServerId[];
  readonly tools: readonly ToolKey[];
}

export class ToolChoice {
  readonly servers: readonly ChoiceServer[];
  readonly #on = new Map<ServerId, Set<string>>();
  #others: OffList = [];

  constructor(servers: readonly ChoiceServer[], off: OffList) {
    this.servers = servers;
    this.use(off);
  }

  /** How many of the shown tools are on. */
  get count(): number {
    return [...this.#on.values()].reduce((sum, { size }) => sum + size, 0);
  }

  get total(): number {
    return this.servers.reduce((sum, { tools }) => sum + tools.length, 0);
  }

  isOn({ serverId, tool }: ToolKey): boolean {
    return this.#on.get(serverId)?.has(tool) === true;
  }

  /** All of its tools are on. */
  isWhole({ serverId, tools }: ChoiceServer): boolean {
    return this.#on.get(serverId)?.size === tools.length;
  }

  /** Replaces the whole selection, for example by a preset. */
  use(off: OffList): void {
    const set = new OffSet(off);
    const shown = new Map(this.servers.map(({ serverId, tools }) => [serverId, new Set(tools)]));
    for (const { serverId, tools } of this.servers) {
      this.#on.set(serverId, new Set(tools.filter((tool) => !set.has({ serverId, tool }))));
    }
    this.#others = off.filter(([serverId, tool]) => {
      const listed = shown.get(serverId);
      return listed === undefined || (tool !== undefined && !listed.has(tool));
    });
  }

  /** The boxes to draw. */
  get checked(): Checked {
    return {
      servers: this.servers.filter((one) => this.isWhole(one)).map(({ serverId }) => serverId),
      tools: this.servers.flatMap(({ serverId, tools }) =>
        tools.filter((tool) => this.isOn({ serverId, tool })).map((tool) => ({ serverId, tool })),
      ),
    };
  }

  /**
   * The user has clicked boxes: a changed box of a server sets all of its tools; otherwise each tool counts for itself.
   * @returns whether the boxes have to be redrawn
   */
  click({ servers, tools }: Checked): boolean {
    const checked = new Set(servers);
    const on = new Set(tools.map(toText));
    for (const server of this.servers) {
      const { serverId } = server;
      const isChecked = checked.has(serverId);
      const kept =
        isChecked === this.isWhole(server)
          ? server.tools.filter((tool) => on.has(toText({ serverId, tool })))
          : isChecked
            ? server.tools
            : [];
      this.#on.set(serverId, new Set(kept));
    }
    const now = this.checked;
    return now.servers.length !== servers.length || now.tools.length !== tools.length;
  }

  /** A server with no tool on is off as a whole, including its future tools. */
  get off(): OffList {
    const shown = this.servers.flatMap(({ serverId, tools }): OffList => {
      const on = this.#on.get(serverId);
      return on === undefined || on.size === 0
        ? [[serverId]]
        : tools.filter((tool) => !on.has(tool)).map((tool) => [serverId, tool] as const);
    });
    const wholly = new Set(shown.filter((entry) => entry.length === 1).map(([id]) => id));
    return [...this.#others.filter(([serverId]) => !wholly.has(serverId)), ...shown];
  }
}

function toText({ serverId, tool }: ToolKey): string {
  return JSON.stringify([serverId, tool]);
}
