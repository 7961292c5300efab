/** A secret store that lasts as long as the test. */
import type { CredentialStore, SignInOwner } from '../../src/mcp/auth/credentials.ts';

export function memoryStore(values = new Map<string, string>()): CredentialStore {
  return {
    get: (key) => Promise.resolve(values.get(key)),
    set: (key, value) => Promise.resolve(void values.set(key, value)),
    delete: (key) => Promise.resolve(void values.delete(key)),
    keys: () => Promise.resolve([...values.keys()]),
  };
}

/** An entry of the user's settings that goes the editor's way. */
export const userEntry: SignInOwner = {
  scope: 'user',
  server: 'notes',
  url: 'https://s/mcp',
  route: '',
};
