/** Whether paths and texts of a launch lead into the folders of the workspace: by name alone, or by links, too. */
import type { Platform } from '../config/environment.ts';
import { type Machine, pathsOf } from './launchContext.ts';
import type { WorkspaceFolder } from '../config/workspace.ts';

export interface Places {
  readonly platform: Platform;
  readonly userHome: string;
  /** The working directory; undefined when it depends on a value that is not known yet. */
  readonly cwd: string | undefined;
}

/** The absolute path that a text names, or undefined when that depends on a variable. */
export function toAbsolute(text: string, places: Places): string | undefined {
  const { platform, userHome, cwd } = places;
  const paths = pathsOf(platform);
  const expanded = text
    .replace(/^(?:~(?=$|[\\/])|\$HOME(?=$|\/)|%USERPROFILE%)/u, () => userHome)
    .replace(/^\$\{env:(?:HOME|USERPROFILE)\}/u, () => userHome);
  if (expanded.startsWith('${')) {
    return undefined;
  }
  if (paths.isAbsolute(expanded)) {
    return paths.normalize(expanded);
  }
  return cwd === undefined ? undefined : paths.resolve(cwd, expanded);
}

/** The folder that an absolute path is in, or that it names; undefined for none. */
export function folderAround(
  path: string,
  folders: readonly string[],
  platform: Platform,
): string | undefined {
  const paths = pathsOf(platform);
  return folders.find((folder) => {
    const relative = paths.relative(folder, path);
    return !paths.isAbsolute(relative) && relative !== '..' && !/^\.\.[\\/]/u.test(relative);
  });
}

/** Whether a word of a command line looks like a path, rather than like a plain word or an option. */
export function leadsAnywhere(word: string, platform: Platform): boolean {
  if (/^(?:~|\$HOME|\$\{env:(?:HOME|USERPROFILE)\}|%USERPROFILE%)(?=$|[\\/])/u.test(word)) {
    return true;
  }
  // `a..b` and `...` are names; `..` leads up only as a whole segment.
  if (/(?:^|[\\/])\.\.(?:$|[\\/])/u.test(word)) {
    return true;
  }
  // On Windows `/c` is an option; a path begins with a drive or a machine's name.
  return platform === 'win32' ? /^(?:[A-Za-z]:[\\/]|\\\\)/u.test(word) : word.startsWith('/');
}

/** The parts of a word that may be paths: the word, the value of `--option=value`, the path of a file URL. */
export function pathParts(word: string): readonly string[] {
  const value = /^-[^=]*=(.*)$/su.exec(word)?.[1] ?? word;
  const file = /^file:\/\/(?:localhost)?(\/.*)$/su.exec(value)?.[1];
  if (file !== undefined) {
    return [file.replace(/^\/(?=[A-Za-z]:)/u, '')];
  }
  return /^[a-z][a-z0-9+.-]+:\/\//iu.test(value) ? [] : [value];
}

/** The most links that are followed in a row. */
const maxLinks = 40;
/** Of a path that is checked: systems open no longer ones, except Windows on request. */
const maxChars = 4096;

export class WorkspacePaths {
  readonly #machine: Machine;
  readonly #folders: readonly string[];
  readonly #known = new Map<string, string | undefined>();
  readonly #links = new Map<string, Promise<string | undefined>>();

  private constructor(machine: Machine, folders: readonly string[]) {
    this.#machine = machine;
    this.#folders = folders;
  }

  static async of(folders: readonly WorkspaceFolder[], machine: Machine): Promise<WorkspacePaths> {
    const own = folders.map(({ path }) => path);
    const real = await Promise.all(
      own.map(async (path) => (await machine.programs.realPath(path)) ?? path),
    );
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

  /** Link by link: one that leads into the workspace is not followed any further, by nobody. */
  async #byLink(path: string, links: number): Promise<string | undefined> {
    const paths = pathsOf(this.#machine.platform);
    const { root } = paths.parse(path);
    // Reading a network share would contact that machine, and links on it lead to no folder of this one.
    if (path.length > maxChars || links > maxLinks || root.startsWith('\\\\')) {
      return undefined;
    }
    const names = path.slice(root.length).split(paths.sep);
    let above = root;
    for (const [index, name] of names.entries()) {
      const place = paths.join(above, name);
      const link = await this.#linkAt(place);
      if (link !== undefined) {
        const target = paths.resolve(above, link, ...names.slice(index + 1));
        return (
          (await this.#bySpelling(above)) ??
          (await this.folderOf(target, links + 1)) ??
          (await this.#bySpelling(path))
        );
      }
      above = place;
    }
    return this.#bySpelling(path);
  }

  #linkAt(place: string): Promise<string | undefined> {
    const link = this.#links.get(place) ?? this.#machine.programs.linkAt(place);
    this.#links.set(place, link);
    return link;
  }

  /** The real path has the names in the disk's spelling; of what does not exist, the nearest parent that does. */
  async #bySpelling(path: string): Promise<string | undefined> {
    const paths = pathsOf(this.#machine.platform);
    for (let at = path, rest = ''; ; at = paths.dirname(at)) {
      const real = await this.#machine.programs.realPath(at);
      if (real !== undefined) {
        return this.#named(paths.join(real, rest));
      }
      if (paths.dirname(at) === at) {
        return undefined;
      }
      rest = paths.join(paths.basename(at), rest);
    }
  }

  #named(path: string): string | undefined {
    return folderAround(path, this.#folders, this.#machine.platform);
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
