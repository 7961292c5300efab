/**
 * Which workspace folders a server gets as roots: those that its entry chooses and that are reachable folders of the
 * machine that the server runs on. Roots inform a server and do not restrict it.
 */
import type { Workspace, WorkspaceFolder } from '../config/workspace.ts';
import { opendir } from 'node:fs/promises';
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
    const chosen = this.#workspace.folders.filter((folder) => isChosen(folder, server.roots));
    const reached = await Promise.all(chosen.map(({ path }) => this.#isReached(path)));
    return chosen.filter((_, index) => reached[index]).map(({ uri, name }) => ({ uri, name }));
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

function isChosen(folder: WorkspaceFolder, choice: RootsChoice): boolean {
  // "Servers … MUST be a `file://` URI" (specification, client/roots): folders with other schemes, such as those of
  // virtual workspaces, mean nothing to a process.
  if (!folder.uri.startsWith('file://') || choice === 'none') {
    return false;
  }
  return choice === 'all' || choice.includes(folder.name);
}

/** The roots of each server. */
export interface RootsSource {
  /** The roots that are reachable now; answers within a second. */
  rootsFor(server: ServerConfig): Promise<readonly Root[]>;
  /** Calls `onChange` when the roots have changed (ROOT-04), within seconds after a folder appears or disappears. */
  watch(server: ServerConfig, onChange: () => void): Disposable;
}
