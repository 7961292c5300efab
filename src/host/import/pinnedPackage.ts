/** The exact version of a package of npm or PyPI, or of an image, that an entry runs, and the entry with another one. */
import { isObject, isString, isStringArray, type JsonObject } from '../../base/json.ts';
import { imageIndex } from './commandLine.ts';
import { type ImageVersion, readImageVersion } from './imageTags.ts';
import { isExact, type PackageName, type PackageRegistry, readPackageName } from './packages.ts';

const runners: Readonly<Record<PackageRegistry, RegExp>> = {
  npm: /^(?:.*[\\/])?(?:npx|bunx|pnpx|pnpm|yarn|bun)(?:\.(?:cmd|exe))?$/iu,
  pypi: /^(?:.*[\\/])?(?:uvx|uv|pipx)(?:\.exe)?$/iu,
};
const subcommands = new Set(['dlx', 'exec', 'x', 'tool', 'run']);

interface Pinned {
  readonly version: string;
  /** The same entry with another version. */
  readonly at: (version: string) => JsonObject;
}

export interface PinnedPackage extends PackageName, Pinned {
  readonly version: string;
}

export interface PinnedImage extends ImageVersion, Pinned {
  readonly registry: 'oci';
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
  return { ...named, ...pinned(entry, all, index, version) };
}

/** @param entry of `mcpHost.servers`. @returns undefined unless it runs an image at an exact version */
export function pinnedImage(entry: unknown): PinnedImage | undefined {
  const { command, args } = isObject(entry) ? entry : {};
  if (!isObject(entry) || !isString(command) || !isStringArray(args)) {
    return undefined;
  }
  const index = imageIndex(command, args);
  const image = readImageVersion(args[index] ?? '');
  return image && { registry: 'oci', ...image, ...pinned(entry, args, index, image.version) };
}

/** @param index of the argument that ends with the version */
function pinned(
  entry: JsonObject,
  args: readonly unknown[],
  index: number,
  version: string,
): Pinned {
  const before = String(args[index]).trim().slice(0, -version.length);
  return { version, at: (other) => ({ ...entry, args: args.with(index, before + other) }) };
}
