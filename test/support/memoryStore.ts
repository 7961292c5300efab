/** A secret store that lasts as long as the test, and where those who use it at the same time meet. */
import { Sequencer } from '../../src/base/async.ts';
import type { CredentialStore, SharedPlace, SignInOwner } from '../../src/mcp/auth/credentials.ts';

export function memoryStore(
  values = new Map<string, string>(),
  shared = memoryPlace(),
): CredentialStore {
  return {
    shared,
    get: (key) => Promise.resolve(values.get(key)),
    set: (key, value) => Promise.resolve(void values.set(key, value)),
    delete: (key) => Promise.resolve(void values.delete(key)),
    keys: () => Promise.resolve([...values.keys()]),
  };
}

/** As the folder that windows share. */
export function memoryPlace(texts = new Map<string, string>()): SharedPlace {
  const turns = new Map<string, Sequencer>();
  return {
    read: async (name) => texts.get(name),
    write: async (name, text) => void texts.set(name, text),
    alone: (name, task) => {
      const turn = turns.get(name) ?? new Sequencer();
      turns.set(name, turn);
      return turn.run(task);
    },
  };
}

/** An entry of the user's settings that goes the editor's way. */
export const userEntry: SignInOwner = {
  scope: 'user',
  server: 'notes',
  url: 'https://s/mcp',
  route: '',
};
