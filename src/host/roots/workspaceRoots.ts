/**
 * Which folders a server gets as roots: those of the workspace, and beside it, that its entry chooses and that are reachable on
 * the machine that the server runs on. Roots inform a server and do not restrict it. A look at a path may contact another
 * machine, so it is for servers that were allowed to start.
 */
import type { Workspace, WorkspaceFolder } from '../config/workspace.ts';
import { opendir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterInBackground, settlesWithin } from '../../base/async.ts';
import { type Disposable, MutableDisposable, toDisposable } from '../../base/disposable.ts';
import { stableStringify } from '../../base/json.ts';
import type { Root } from '../../mcp/types/methods.ts';
import type { RootsChoice, ServerConfig } from '../config/serverConfig.ts';
import type { Clock } from '../../base/clock.ts';

/** Milliseconds for a folder to answer: a disk may have to spin up, and a network is slow. */
const patienceMs = 1_000;
/** Milliseconds between two checks, while any server is told of changes. */
const lookEveryMs = 5_000;

interface Watch {
  readonly server: ServerConfig;
  readonly onChange: () => void;
  /** The roots at the last check, as text. */
  known: Promise<string>;
}

export class WorkspaceRoots implements RootsSource {
  readonly #workspace: Workspace;
  readonly #look: (path: string) => Promise<void>;
  readonly #patienceMs: number;
  readonly #clock: Pick<Clock, 'after'>;
  /** Running checks, by path. */
  readonly #looks = new Map<string, Promise<boolean>>();
  readonly #watches = new Set<Watch>();
  readonly #timer = new MutableDisposable<Disposable>();
  readonly #folders = new MutableDisposable<Disposable>();

  /** @param parts.look rejects for an unreachable folder */
  constructor(
    workspace: Workspace,
    parts: {
      readonly look?: (path: string) => Promise<void>;
      readonly patienceMs?: number;
      readonly clock?: Pick<Clock, 'after'>;
    } = {},
  ) {
    this.#workspace = workspace;
    this.#look = parts.look ?? openFolder;
    this.#patienceMs = parts.patienceMs ?? patienceMs;
    this.#clock = parts.clock ?? { after: afterInBackground };
  }

  async rootsFor(server: ServerConfig): Promise<readonly Root[]> {
    const chosen = this.foldersFor(server);
    const reached = await Promise.all(chosen.map(({ path }) => this.#isReached(path)));
    return chosen.filter((_, index) => reached[index]).map(({ uri, name }) => ({ uri, name }));
  }

  foldersFor({ roots }: ServerConfig): readonly WorkspaceFolder[] {
    return chosenFolders(this.#workspace.folders, roots);
  }

  watch(server: ServerConfig, onChange: () => void): Disposable {
    const watch = { server, onChange, known: this.#textFor(server) };
    if (this.#watches.size === 0) {
      this.#folders.value = this.#workspace.onDidChangeFolders(() => this.#compare());
      this.#lookLater();
    }
    this.#watches.add(watch);
    return toDisposable(() => {
      this.#watches.delete(watch);
      if (this.#watches.size === 0) {
        this.#folders.value = undefined;
        this.#timer.value = undefined;
      }
    });
  }

  /** A check that hangs blocks one of the few threads for files: the folder is not checked again until it answers. */
  #isReached(path: string): Promise<boolean> {
    const running = this.#looks.get(path);
    if (running !== undefined) {
      return running;
    }
    const found = this.#look(path)
      .then(
        () => true,
        () => false,
      )
      .finally(() => this.#looks.delete(path));
    const look = settlesWithin(found, this.#patienceMs).then((isInTime) => isInTime && found);
    this.#looks.set(path, look);
    return look;
  }

  async #textFor(server: ServerConfig): Promise<string> {
    return stableStringify(await this.rootsFor(server));
  }

  #compare(): void {
    for (const watch of this.#watches) {
      const before = watch.known;
      const now = this.#textFor(watch.server);
      watch.known = now;
      void this.#tell(watch, before, now);
    }
  }

  async #tell(watch: Watch, before: Promise<string>, now: Promise<string>): Promise<void> {
    if ((await before) !== (await now) && this.#watches.has(watch)) {
      watch.onChange();
    }
  }

  /** A file watcher does not report a folder that disappears with its disk or its network. */
  #lookLater(): void {
    this.#timer.value = this.#clock.after(lookEveryMs, () => {
      this.#compare();
      this.#lookLater();
    });
  }
}

async function openFolder(path: string): Promise<void> {
  const folder = await opendir(path);
  await folder.close();
}

/**
 * Of the workspace those that are named, or all when none is; without those after `!`. Then those beside it, by their paths.
 */
function chosenFolders(
  folders: readonly WorkspaceFolder[],
  choice: RootsChoice,
): readonly WorkspaceFolder[] {
  if (choice === 'none') {
    return [];
  }
  const items = choice === 'all' ? [] : choice;
  const paths = items.filter((item) => isRootPath(item)).map(folderAt);
  const names = items.filter((item) => !isRootPath(item));
  const named = names.filter((name) => !name.startsWith('!'));
  const isAll = choice === 'all' || (named.length === 0 && items.length > 0);
  const chosen = folders.filter(
    ({ name }) =>
      (isAll || named.includes(name)) && !names.includes(`!${name}`) && !names.includes('!*'),
  );
  const known = new Set(chosen.map(({ uri }) => uri));
  return [...chosen, ...paths.filter(({ uri }) => !known.has(uri))];
}

const homeStart = /^(?:~|\$\{userHome\})(?=$|[/\\])/u;

/** Whether an item of `roots` is a path, not the name of a folder of the workspace. */
export function isRootPath(item: string): boolean {
  return homeStart.test(item) || isAbsolute(item);
}

function folderAt(item: string): WorkspaceFolder {
  const path = resolve(item.replace(homeStart, () => homedir()));
  return { uri: pathToFileURL(path).href, name: basename(path), path };
}

/** The roots of each server. */
export interface RootsSource {
  /** The roots that are reachable now, of a server that was allowed to start; answers within a second. */
  rootsFor(server: ServerConfig): Promise<readonly Root[]>;
  /** All folders that the entry chooses, reachable or not: looks at none. */
  foldersFor(server: ServerConfig): readonly WorkspaceFolder[];
  /** Calls `onChange` when the roots have changed (ROOT-04), within seconds after a folder appears or disappears. */
  watch(server: ServerConfig, onChange: () => void): Disposable;
}
