/** Storage that survives restarts of the editor. Implemented by the editor. */

/** Small values that survive a restart of the editor, for this workspace. Never secrets. */
export interface Memory {
  get(key: string): unknown;
  set(key: string, value: unknown): Promise<void>;
}

export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
}
