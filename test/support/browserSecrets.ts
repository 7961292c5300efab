/**
 * The secret storage of an editor in a browser, as VS Code has it there: a page reads it once, and whatever it writes, it
 * writes all of what it knows.
 */
import type { CredentialStore, SharedPlace } from '../../src/mcp/auth/credentials.ts';
import { memoryStore } from './memoryStore.ts';

export class BrowserSecrets {
  readonly #shared: SharedPlace;
  #kept: readonly (readonly [string, string])[] = [];

  constructor(shared: SharedPlace) {
    this.#shared = shared;
  }

  /** What a page has that is loaded now. */
  load(): CredentialStore {
    const values = new Map(this.#kept);
    const store = memoryStore(values, this.#shared);
    const save = (): void => {
      this.#kept = [...values];
    };
    return {
      ...store,
      set: async (key, value) => store.set(key, value).then(save),
      delete: async (key) => store.delete(key).then(save),
    };
  }
}
