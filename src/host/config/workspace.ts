/** The open workspace, and its id. */
import { randomUUID } from 'node:crypto';
import type { Event } from '../../base/event.ts';
import { isString } from '../../base/json.ts';
import type { Memory } from '../storage.ts';
import type { ManagedAccess } from './serverConfig.ts';

/** Implemented by the editor. */
export interface Workspace {
  readonly isTrusted: boolean;
  /** What an organization allows. Absent: everything. */
  readonly access?: ManagedAccess;
  readonly onDidGrantTrust: Event<void>;
  readonly folders: readonly WorkspaceFolder[];
  readonly onDidChangeFolders: Event<void>;
}

/** A folder of the workspace. `path` is on the machine that servers run on. */
export interface WorkspaceFolder {
  readonly uri: string;
  readonly name: string;
  readonly path: string;
}

const idKey = 'mcpHost.workspaceId';

/**
 * Under which id a workspace keeps values in the secret storage, which all windows share. Its path does not tell it from
 * another one: two machines, or two containers, may have a folder of the same path. Made when it is first needed.
 * @param place for people; empty where there is no workspace, which has no id
 */
export function workspaceIdOf(
  place: string,
  workspaceMemory: Memory,
  onError: (error: unknown) => void,
): string {
  if (place === '') {
    return '';
  }
  const kept = workspaceMemory.get(idKey);
  if (isString(kept)) {
    return kept;
  }
  const made = `${place} ${randomUUID()}`;
  workspaceMemory.set(idKey, made).catch(onError);
  return made;
}
