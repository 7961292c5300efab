/** Which paths lead into the workspace's folders, by name or by links, and which texts name one of the folders. */
import type { WorkspaceFolder } from '../config/workspace.ts';
import { pathsOf, type Machine } from './launchContext.ts';
import { isInside } from './folderPaths.ts';

/** The most links that are followed in a row. */
const maxLinks = 40;
/** Of a path that is checked: systems open no longer ones, except Windows on request. */
const maxChars = 4096;

export class WorkspacePaths {
  readonly #machine: Machine;
  readonly #folders: readonly string[];
  readonly #known = new Map<string, string | undefined>();

  private constructor(machine: Machine, folders: readonly string[]) {
    this.#machine = machine;
    this.#folders = folders;
  }

  static async of(folders: readonly WorkspaceFolder[], machine: Machine): Promise<WorkspacePaths> {
    const own = folders.map(({ path }) => path);
    const real = await Promise.all(own.map((path) => machine.programs.realPath(path)));
    return new WorkspacePaths(machine, [...new Set([...own, ...real])]);
  }

  /**
   * The workspace folder that an absolute path leads into or through; undefined for none. A path that does not exist
   * yet counts by its nearest existing parent.
   */
  async folderOf(path: string, links = 0): Promise<string | undefined> {
    if (!this.#known.has(path)) {
      this.#known.set(path, this.#named(path) ?? (await this.#byLink(path, links)));
    }
    return this.#known.get(path);
  }

  async #byLink(path: string, links: number): Promise<string | undefined> {
    const { platform, programs } = this.#machine;
    const paths = pathsOf(platform);
    const { root, dir } = paths.parse(path);
    // Reading a network share would contact that machine, and links on it lead to no folder of this one.
    const isPath = path !== root && path.length <= maxChars && links <= maxLinks;
    if (!isPath || root.startsWith('\\\\')) {
      return undefined;
    }
    const above = await this.folderOf(dir, links);
    if (above !== undefined) {
      return above;
    }
    // The real path has the names in the disk's spelling; the links on the way may be changed, too.
    const byName = this.#named(await programs.realPath(path));
    const link = byName === undefined ? await programs.linkAt(path) : undefined;
    return link === undefined
      ? byName
      : this.folderOf(paths.resolve(await programs.realPath(dir), link), links + 1);
  }

  #named(path: string): string | undefined {
    const { platform, userHome } = this.#machine;
    return this.#folders.find((folder) =>
      isInside(path, { platform, userHome, cwd: undefined, folders: [folder] }),
    );
  }

  /** The folders whose paths occur in a text, however it quotes them. */
  namedIn(text: string): readonly string[] {
    const plain = this.#plain(text);
    return this.#folders.filter((folder) => {
      const name = this.#plain(folder)
        .replace(/^[a-z]:(?=\/)/u, '')
        .replace(/\/$/u, '');
      const rests = name === '' ? [] : plain.split(name).slice(1);
      return rests.some((rest) => !/^[\p{L}\p{N}_.-]/u.test(rest));
    });
  }

  /** Removes quotes of shells, and unifies the spelling of paths. On Windows drives are ignored: there are many. */
  #plain(text: string): string {
    const { platform, userHome } = this.#machine;
    const whole = text.replace(/(?<![\w.])~(?=[\\/])|\$HOME\b|%USERPROFILE%/gu, () => userHome);
    return platform === 'win32'
      ? whole
          .replaceAll(/["'^`]/gu, '')
          .replaceAll(/[\\/]+(?:\.[\\/]+)*/gu, '/')
          .toLowerCase()
      : whole.replaceAll(/["'\\]/gu, '').replaceAll(/\/+(?:\.\/+)*/gu, '/');
  }
}
