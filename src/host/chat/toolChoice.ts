/**
 * A selection of tools while the user edits it: check boxes of tools, one for each server that stands for all of its
 * tools, and presets. What is not shown, such as tools of a stopped server, stays unchanged.
 */
import type { ServerId } from '../config/serverConfig.ts';
import { type OffList, OffSet } from './toolSelection.ts';

export interface ChoiceServer {
  readonly serverId: ServerId;
  /** Names; at least one. */
  readonly tools: readonly string[];
}

/** Names the box of a tool, or of a server. @param of the server's id, and the tool's name */
export function boxOf(...of: readonly string[]): string {
  return JSON.stringify(of);
}

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
    this.#set(({ serverId, tools }) => tools.filter((tool) => !set.has({ serverId, tool })));
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
      const off = tools.filter((tool) => !this.#on.has(boxOf(serverId, tool)));
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
