/**
 * Reads the files of programs that the user follows, again after each change. `host/import` interprets them; this file
 * writes and starts nothing.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import { CoalescedRun } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { stableStringify } from '../../base/json.ts';
import {
  type FollowedFile,
  type FollowedScopes,
  followedScopes,
  nothingFollowed,
} from '../../host/import/followedScopes.ts';
import type { ImportLocation } from '../../host/import/locations.ts';
import { locationsHere, readLocation } from './findImports.ts';

/** Programs write a file in several steps; Claude Code writes its own all the time. */
const readTimes = { quietMs: 300, maxMs: 3_000 };

export class FollowedFiles implements Disposable {
  readonly #programs: readonly string[];
  readonly #userData: vscode.Uri;
  readonly #onChange: () => void;
  readonly #store = new DisposableStore();
  readonly #watchers = this.#store.add(new DisposableStore());
  readonly #reading = this.#store.add(new CoalescedRun(() => this.#read(), readTimes));
  #current = nothingFollowed;

  /**
   * @param programs names of programs
   * @param onChange called when {@link current} changes
   */
  constructor(programs: readonly string[], userData: vscode.Uri, onChange: () => void) {
    this.#programs = programs;
    this.#userData = userData;
    this.#onChange = onChange;
    this.#watch();
    this.#store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#watch();
        this.#reading.request();
      }),
    );
    this.#reading.request();
  }

  get current(): FollowedScopes {
    return this.#current;
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #locations(): readonly ImportLocation[] {
    return locationsHere(this.#userData).filter(({ program }) => this.#programs.includes(program));
  }

  /** Also watches for files that do not exist yet. */
  #watch(): void {
    this.#watchers.clear();
    for (const location of this.#locations) {
      const { extensions } = location;
      const [folder, pattern] =
        extensions === undefined
          ? [path.dirname(location.path), path.basename(location.path)]
          : [location.path, `*{${extensions.join(',')}}`];
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(vscode.Uri.file(folder), pattern),
      );
      const changed = (): void => this.#reading.request();
      this.#watchers.add(watcher);
      this.#watchers.add(watcher.onDidChange(changed));
      this.#watchers.add(watcher.onDidCreate(changed));
      this.#watchers.add(watcher.onDidDelete(changed));
    }
  }

  async #read(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const files = await Promise.all(
      this.#locations.map(async (location): Promise<readonly FollowedFile[]> => {
        const folder = folders.find(({ uri }) => uri.fsPath === location.folder);
        const of = folder && { folder: { uri: folder.uri.toString(), name: folder.name } };
        return (await readLocation(location)).map((file) => ({ ...file, ...of }));
      }),
    );
    const now = followedScopes(
      files.flat(),
      folders.map(({ uri }) => uri.fsPath),
    );
    if (stableStringify(now) !== stableStringify(this.#current)) {
      this.#current = now;
      this.#onChange();
    }
  }
}
