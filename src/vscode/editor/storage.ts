/** The host's Memory and SecretStore over the editor's workspace state and secret storage. */
import type * as vscode from 'vscode';
import type { Memory, SecretStore } from '../../host/storage.ts';

export function mementoMemory(memento: vscode.Memento): Memory {
  return {
    get: (key) => memento.get(key),
    set: async (key, value) => memento.update(key, value),
  };
}

export function secretStorageStore(secrets: vscode.SecretStorage): SecretStore {
  return {
    get: async (key) => secrets.get(key),
    set: async (key, value) => secrets.store(key, value),
    delete: async (key) => secrets.delete(key),
    keys: async () => secrets.keys(),
  };
}
