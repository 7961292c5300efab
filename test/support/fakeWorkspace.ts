/** A Workspace whose folders and trust a test sets. */
import type { Workspace, WorkspaceFolder } from '../../src/host/config/workspace.ts';
import { Emitter } from '../../src/base/event.ts';

export class FakeWorkspace implements Workspace {
  readonly #trustGranted = new Emitter<void>();
  readonly #foldersChanged = new Emitter<void>();
  readonly onDidGrantTrust = this.#trustGranted.event;
  readonly onDidChangeFolders = this.#foldersChanged.event;
  #isTrusted: boolean;
  #folders: readonly WorkspaceFolder[];

  constructor(folders: readonly WorkspaceFolder[], isTrusted = true) {
    this.#folders = folders;
    this.#isTrusted = isTrusted;
  }

  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  get folders(): readonly WorkspaceFolder[] {
    return this.#folders;
  }

  get hasListeners(): boolean {
    return this.#trustGranted.hasListeners || this.#foldersChanged.hasListeners;
  }

  setFolders(folders: readonly WorkspaceFolder[]): void {
    this.#folders = folders;
    this.#foldersChanged.fire();
  }

  grantTrust(): void {
    this.#isTrusted = true;
    this.#trustGranted.fire();
  }
}
