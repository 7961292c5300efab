/** The exact version of an npm package that an entry runs, and the entry with another one. */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { readNpmName } from './registrySearch.ts';

const runners = /^(?:.*[\\/])?(?:npx|bunx|pnpx|pnpm|yarn|bun)(?:\.(?:cmd|exe))?$/iu;
const subcommands = new Set(['dlx', 'exec', 'x']);
const exactVersion = /^\d+\.\d+\.\d+(?:[-+].*)?$/u;

export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** The same entry with another version. */
  readonly at: (version: string) => JsonObject;
}

/** @param entry of `mcpHost.servers`. @returns undefined unless it runs a package at an exact version */
export function pinnedPackage(entry: unknown): PinnedPackage | undefined {
  const { command, args } = isObject(entry) ? entry : {};
  if (!isObject(entry) || !isString(command) || !runners.test(command) || !Array.isArray(args)) {
    return undefined;
  }
  const all: readonly unknown[] = args;
  const index = all.findIndex(
    (arg) => isString(arg) && !arg.startsWith('-') && !subcommands.has(arg),
  );
  const named = readNpmName(String(all[index]));
  if (named?.version === undefined || !exactVersion.test(named.version)) {
    return undefined;
  }
  const { name, version } = named;
  return {
    name,
    version,
    at: (other) => ({ ...entry, args: all.with(index, `${name}@${other}`) }),
  };
}

/** Whether version `a` is newer than `b`; a release is newer than what led to it. */
export function isNewer(a: string, b: string): boolean {
  const [numbersOfA = [], numbersOfB = []] = [a, b].map((version) =>
    version.split(/[-+]/u, 1)[0]?.split('.').map(Number),
  );
  for (const [index, number] of numbersOfA.entries()) {
    const other = numbersOfB[index] ?? 0;
    if (number !== other) {
      return number > other;
    }
  }
  return b.includes('-') && !a.includes('-');
}
