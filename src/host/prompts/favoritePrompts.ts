/** The prompts that the user has marked as favorites, in this workspace. */
import { Emitter } from '../../base/event.ts';
import { isString } from '../../base/json.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { Memory } from '../storage.ts';

const memoryKey = 'mcpHost.favoritePrompts';

/** Each is a row above the servers. */
export const maxFavorites = 30;

type Favorite = readonly [serverId: ServerId, prompt: string];

export class FavoritePrompts {
  readonly #memory: Memory;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  /** @param memory of the workspace */
  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** In the order in which they were added. */
  get all(): readonly Favorite[] {
    const stored = this.#memory.get(memoryKey);
    return Array.isArray(stored) ? stored.filter(isFavorite) : [];
  }

  has(serverId: ServerId, prompt: string): boolean {
    return this.all.some(([id, name]) => id === serverId && name === prompt);
  }

  /** Beyond the limit the oldest is dropped. */
  async add(serverId: ServerId, prompt: string): Promise<void> {
    await this.#set([...this.#without(serverId, prompt), [serverId, prompt]]);
  }

  async remove(serverId: ServerId, prompt: string): Promise<void> {
    await this.#set(this.#without(serverId, prompt));
  }

  #without(serverId: ServerId, prompt: string): readonly Favorite[] {
    return this.all.filter(([id, name]) => id !== serverId || name !== prompt);
  }

  async #set(favorites: readonly Favorite[]): Promise<void> {
    await this.#memory.set(memoryKey, favorites.slice(-maxFavorites));
    this.#changed.fire();
  }
}

function isFavorite(value: unknown): value is Favorite {
  return Array.isArray(value) && value.length === 2 && value.every(isString);
}
