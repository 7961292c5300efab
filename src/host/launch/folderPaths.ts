/** Whether paths of a launch are inside the workspace's folders, by their names alone; reads nothing from disk. */
import type { Platform } from '../config/environment.ts';
import { pathsOf } from './launchContext.ts';

export interface Places {
  readonly platform: Platform;
  readonly userHome: string;
  /** The working directory; undefined when it depends on a value that is not known yet. */
  readonly cwd: string | undefined;
  readonly folders: readonly string[];
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

/** True for the folder itself, too. */
export function isInside(path: string, { platform, folders }: Places): boolean {
  const paths = pathsOf(platform);
  return folders.some((folder) => {
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
