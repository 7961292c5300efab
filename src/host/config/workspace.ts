/** The open workspace. Implemented by the editor. */
import type { Event } from '../../base/event.ts';
import type { ManagedAccess } from './serverConfig.ts';

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
