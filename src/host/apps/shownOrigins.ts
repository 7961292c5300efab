/** Which sites outside of the editor apps may reach: those that the user has read, and has shown the app for (APP-27). */
import { isString } from '../../base/json.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { Memory } from '../storage.ts';

const memoryKey = 'mcpHost.appOrigins';
/** Answers that are kept; the oldest go first. */
const maxKept = 500;

export class ShownOrigins {
  readonly #memory: Memory;

  /** @param memory of the workspace */
  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Whether there is one among them that the user has not read. */
  isNew(server: ServerId, origins: readonly string[]): boolean {
    const known = new Set(this.#read());
    return origins.some((origin) => !known.has(keyOf(server, origin)));
  }

  async allow(server: ServerId, origins: readonly string[]): Promise<void> {
    const keys = origins.map((origin) => keyOf(server, origin));
    const others = this.#read().filter((key) => !keys.includes(key));
    await this.#memory.set(memoryKey, [...others, ...keys].slice(-maxKept));
  }

  #read(): readonly string[] {
    const stored = this.#memory.get(memoryKey);
    return Array.isArray(stored) ? stored.filter(isString) : [];
  }
}

function keyOf(server: ServerId, origin: string): string {
  return `${server} ${origin}`;
}
