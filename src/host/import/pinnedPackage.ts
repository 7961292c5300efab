/** The exact version of an npm package that an entry runs, and the entry with another one. */
import valid from 'semver/functions/valid.js';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { readNpmName } from './registrySearch.ts';

const runners = /^(?:.*[\\/])?(?:npx|bunx|pnpx|pnpm|yarn|bun)(?:\.(?:cmd|exe))?$/iu;
const subcommands = new Set(['dlx', 'exec', 'x']);

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
  if (named?.version === undefined || valid(named.version) === null) {
    return undefined;
  }
  const { name, version } = named;
  return {
    name,
    version,
    at: (other) => ({ ...entry, args: all.with(index, `${name}@${other}`) }),
  };
}
