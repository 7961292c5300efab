/** The exact version of a package of npm or PyPI that an entry runs, and the entry with another one. */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { isExact, type PackageName, type PackageRegistry, readPackageName } from './packages.ts';

const runners: Readonly<Record<PackageRegistry, RegExp>> = {
  npm: /^(?:.*[\\/])?(?:npx|bunx|pnpx|pnpm|yarn|bun)(?:\.(?:cmd|exe))?$/iu,
  pypi: /^(?:.*[\\/])?(?:uvx|uv|pipx)(?:\.exe)?$/iu,
};
const subcommands = new Set(['dlx', 'exec', 'x', 'tool', 'run']);

export interface PinnedPackage extends PackageName {
  readonly version: string;
  /** The same entry with another version. */
  readonly at: (version: string) => JsonObject;
}

/** @param entry of `mcpHost.servers`. @returns undefined unless it runs a package at an exact version */
export function pinnedPackage(entry: unknown): PinnedPackage | undefined {
  const { command, args } = isObject(entry) ? entry : {};
  const registry = (['npm', 'pypi'] as const).find(
    (one) => isString(command) && runners[one].test(command),
  );
  if (!isObject(entry) || registry === undefined || !Array.isArray(args)) {
    return undefined;
  }
  const all: readonly unknown[] = args;
  const from =
    registry === 'pypi' ? all.findIndex((arg) => arg === '--from' || arg === '--spec') : -1;
  const index = all.findIndex(
    (arg, at) => at > from && isString(arg) && !arg.startsWith('-') && !subcommands.has(arg),
  );
  const text = String(all[index]).trim();
  const named = readPackageName(registry, text);
  const version = named?.version;
  if (named === undefined || version === undefined || !isExact(named)) {
    return undefined;
  }
  const before = text.slice(0, -version.length);
  return {
    ...named,
    version,
    at: (other) => ({ ...entry, args: all.with(index, before + other) }),
  };
}
