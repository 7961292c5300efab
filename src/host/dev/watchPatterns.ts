/** What `dev.watch` of an entry means: which globs name files, and which leave files out again. Pure. */
import { matchesGlob } from 'node:path/posix';

export interface WatchPatterns {
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

export function readWatch(watch: readonly string[]): WatchPatterns {
  return {
    includes: watch.filter((pattern) => !isExclude(pattern)).map(plain),
    excludes: watch.filter(isExclude).map((pattern) => plain(pattern.slice(1))),
  };
}

/** @param file relative to the folder that is watched, with slashes */
export function isLeftOut(file: string, { excludes }: WatchPatterns): boolean {
  return excludes.some((pattern) => matchesGlob(file, pattern));
}

function isExclude(pattern: string): boolean {
  return pattern.startsWith('!');
}

/** Patterns begin at the folder, whether or not they say so. */
function plain(pattern: string): string {
  return pattern.trim().replace(/^\.?\//u, '');
}
