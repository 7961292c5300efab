/** The meaning of `dev.watch` of an entry: which globs include files, and which exclude them. Pure. */
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

/** @param file relative to the watched folder, with slashes */
export function isLeftOut(file: string, { excludes }: WatchPatterns): boolean {
  return excludes.some((pattern) => matchesGlob(file, pattern));
}

function isExclude(pattern: string): boolean {
  return pattern.startsWith('!');
}

/** Patterns are relative to the folder, with or without `./`. */
function plain(pattern: string): string {
  return pattern.trim().replace(/^\.?\//u, '');
}
