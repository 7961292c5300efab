/**
 * Which workspace folders a server is told of as roots: those that its entry chooses, and of them
 * only what is a file of the machine that the server runs on. Roots are advice to a server, no fence
 * around it.
 */
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import { stableStringify } from '../base/json.ts';
import type { Session } from '../mcp/era/session.ts';
import type { Root } from '../mcp/types/methods.ts';
import type { RootsChoice, ServerConfig } from './config/serverConfig.ts';
import type { RootsSource, Workspace, WorkspaceFolder } from './ports.ts';

export class WorkspaceRoots implements RootsSource {
  readonly #workspace: Workspace;
  readonly onDidChange: Event<void>;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.onDidChange = workspace.onDidChangeFolders;
  }

  rootsFor(server: ServerConfig): readonly Root[] {
    return this.#workspace.folders
      .filter((folder) => isChosen(folder, server.roots))
      .map(({ uri, name }) => ({ uri, name }));
  }
}

function isChosen(folder: WorkspaceFolder, choice: RootsChoice): boolean {
  // "Servers … MUST be a `file://` URI" (specification, client/roots): folders of virtual workspaces
  // and of other schemes mean nothing to a process.
  if (!folder.uri.startsWith('file://') || choice === 'none') {
    return false;
  }
  return choice === 'all' || choice.includes(folder.name);
}

/** Tells a server when the roots that it may know of have changed (ROOT-04). */
export function announceRoots(
  session: Session,
  server: ServerConfig,
  roots: RootsSource,
): Disposable {
  let known = stableStringify(roots.rootsFor(server));
  return roots.onDidChange(() => {
    const now = stableStringify(roots.rootsFor(server));
    if (now !== known) {
      known = now;
      session.rootsChanged();
    }
  });
}
