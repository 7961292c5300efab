/**
 * The files of other programs that configure MCP servers: finds, reads and follows them. Shows nothing, changes nothing.
 * parseImport.ts parses a file, translateServer.ts makes entries, importServers.ts asks, planImport.ts decides what to
 * write, and settingsTarget.ts writes it.
 */
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { FoundFile } from '../../host/import/importedServer.ts';
import { type ImportLocation, importLocations, maxBytesOf } from '../../host/import/locations.ts';
import { parseImport } from '../../host/import/parseImport.ts';
import { CoalescedRun } from '../../base/async.ts';
import { DisposableOwner, DisposableStore } from '../../base/disposable.ts';
import { stableStringify } from '../../base/json.ts';
import { editorWorkspace } from '../config/editorWorkspace.ts';
import {
  type FollowedScopes,
  followedScopes,
  withEarlierServers,
} from '../../host/import/followedScopes.ts';

/** Files of a directory that are read at most. */
const maxFiles = 50;

/** Files with servers, or with problems; those of the workspace first. */
export async function findImports(userData: vscode.Uri): Promise<readonly FoundFile[]> {
  const found = await Promise.all(locationsHere(userData).map(readLocation));
  return found.flat().filter(({ servers, problems }) => servers.length > 0 || problems.length > 0);
}

/** Every known place on this machine and in these folders. */
function locationsHere(userData: vscode.Uri): readonly ImportLocation[] {
  return importLocations({
    platform: process.platform,
    home: os.homedir(),
    env: process.env,
    folders: editorWorkspace.folders.map((folder) => folder.path),
    userData: userData.fsPath,
  });
}

/** The files at one place; empty for none. */
async function readLocation(location: ImportLocation): Promise<readonly FoundFile[]> {
  const { extensions } = location;
  if (extensions === undefined) {
    return readFile(location, location.path);
  }
  const names = await fs.readdir(location.path).catch(() => []);
  const files = names
    .filter((name) => extensions.some((extension) => name.endsWith(extension)))
    .toSorted()
    .slice(0, maxFiles)
    .map((name) => readFile(location, path.join(location.path, name)));
  return (await Promise.all(files)).flat();
}

async function readFile(location: ImportLocation, file: string): Promise<readonly FoundFile[]> {
  const { program, format, folder } = location;
  const of = folder === undefined ? {} : { folder };
  let text: string;
  try {
    const stat = await fs.stat(file);
    if (!stat.isFile()) {
      return []; // reading a pipe would never end
    }
    const maxBytes = maxBytesOf(location, file);
    if (stat.size > maxBytes) {
      const problems = [vscode.l10n.t('is not read: it is larger than {0} KiB', maxBytes / 1024)];
      return [{ program, path: file, ...of, servers: [], problems, isUnread: true }];
    }
    text = await fs.readFile(file, 'utf8');
  } catch {
    return []; // most programs are not installed
  }
  const around = { platform: process.platform, env: process.env, ...of };
  return [{ program, path: file, ...of, ...parseImport(format, file, text, around) }];
}

/** Programs write a file in several steps; Claude Code writes its own all the time. */
const readTimes = { quietMs: 300, maxMs: 3_000 };

export class FollowedFiles extends DisposableOwner {
  readonly #programs: readonly string[];
  readonly #userData: vscode.Uri;
  readonly #onChange: () => void;
  readonly #watchers = this.store.add(new DisposableStore());
  readonly #reading = this.store.add(new CoalescedRun(() => this.#read(), readTimes));
  #files: readonly FoundFile[];
  #current: FollowedScopes;

  /**
   * @param programs names of programs
   * @param onChange called when {@link current} changes
   * @param earlier what was read of these and other programs: their servers go on
   */
  constructor(
    programs: readonly string[],
    userData: vscode.Uri,
    onChange: () => void,
    earlier: readonly FoundFile[],
  ) {
    super();
    this.#programs = programs;
    this.#files = earlier.filter(({ program }) => programs.includes(program));
    this.#current = followedScopes(this.#files, editorWorkspace.folders);
    this.#userData = userData;
    this.#onChange = onChange;
    this.#watch();
    this.store.add(
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

  get files(): readonly FoundFile[] {
    return this.#files;
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
      this.#watchers.add(watcher);
      for (const onEvent of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) {
        this.#watchers.add(onEvent(() => this.#reading.request()));
      }
    }
  }

  async #read(): Promise<void> {
    const files = await Promise.all(this.#locations.map(readLocation));
    this.#files = withEarlierServers(files.flat(), this.#files);
    const now = followedScopes(this.#files, editorWorkspace.folders);
    if (stableStringify(now) !== stableStringify(this.#current)) {
      this.#current = now;
      this.#onChange();
    }
  }
}
