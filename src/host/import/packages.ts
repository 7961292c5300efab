/** Packages that run as servers: their names as people write them, the commands that run them, and what their registries publish. */
import type { SemVer } from 'semver';
import coerce from 'semver/functions/coerce.js';
import gt from 'semver/functions/gt.js';
import parse from 'semver/functions/parse.js';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { below, fetchJson, type FetchLimits } from './registrySearch.ts';

export type PackageRegistry = 'npm' | 'pypi';

/** A package as people write it. */
export interface PackageName {
  readonly registry: PackageRegistry;
  /** Of PyPI with extras, if given: `server[cli]`. */
  readonly name: string;
  /** A version or tag, if given. */
  readonly version?: string;
}

export interface PublishedPackage {
  readonly version: string;
  readonly description: string;
  /** False: the package has no program that could be run. PyPI does not say. */
  readonly hasProgram: boolean;
}

const readmeBytes = 32 * 1024 * 1024;

const patterns: Readonly<Record<PackageRegistry, RegExp>> = {
  npm: /^((?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*)(?:@([\w.+~^-]+))?$/iu,
  /** PEP 508, or with `@` as `uvx` takes it. */
  pypi: /^([a-z\d](?:[\w.-]*[a-z\d])?(?:\[[\w,-]+\])?)(?:(?:==|@)([\w.+!-]+))?$/iu,
};

/** Undefined for a text that is no package name. */
export function readPackageName(registry: PackageRegistry, text: string): PackageName | undefined {
  const [, name, version] = patterns[registry].exec(text.trim()) ?? [];
  if (name === undefined) {
    return undefined;
  }
  return { registry, name, ...(version !== undefined && { version }) };
}

/** The command that runs a package; `text` is its name with what stands for its version. */
export function commandOf(
  registry: PackageRegistry,
  text: string,
): { readonly command: string; readonly args: readonly string[] } {
  return registry === 'npm'
    ? { command: 'npx', args: ['-y', text] }
    : { command: 'uvx', args: [text] };
}

/**
 * @param urls of the registries
 * @throws McpError as {@link fetchJson}
 */
export async function findPackage(
  urls: Readonly<Record<PackageRegistry, string>>,
  { registry, name, version }: PackageName,
  signal: AbortSignal,
  limits?: FetchLimits,
): Promise<PublishedPackage> {
  const isNpm = registry === 'npm';
  const exactly = version ?? (isNpm ? 'latest' : undefined);
  const { whole, info } = await documentOf(urls, { registry, name }, exactly, signal, limits);
  const { bin } = whole;
  const exact = isNpm ? whole['version'] : info['version'];
  const description = isNpm ? whole['description'] : info['summary'];
  return {
    version: isString(exact) ? exact : (version ?? ''),
    description: isString(description) ? description : '',
    hasProgram: !isNpm || isString(bin) || (isObject(bin) && Object.keys(bin).length > 0),
  };
}

/**
 * What the package says of itself, as its registry has it: Markdown, or reStructuredText on PyPI. Empty: it says nothing.
 * @throws McpError as {@link fetchJson}
 */
export async function findReadme(
  urls: Readonly<Record<PackageRegistry, string>>,
  { registry, name }: PackageName,
  signal: AbortSignal,
): Promise<string> {
  // All versions are in the same answer.
  const limits = { bytes: readmeBytes };
  const { whole, info } = await documentOf(urls, { registry, name }, undefined, signal, limits);
  const text = registry === 'npm' ? whole['readme'] : info['description'];
  return isString(text) ? text : '';
}

/** @param version absent: of all of them */
async function documentOf(
  urls: Readonly<Record<PackageRegistry, string>>,
  { registry, name }: PackageName,
  version: string | undefined,
  signal: AbortSignal,
  limits?: FetchLimits,
): Promise<{ readonly whole: JsonObject; readonly info: JsonObject }> {
  const exactly = version === undefined ? [] : [encodeURIComponent(version)];
  const path =
    registry === 'npm'
      ? [name.replace('/', '%2f'), ...exactly]
      : ['pypi', name.replace(/\[.*/u, ''), ...exactly, 'json'];
  const answer = await fetchJson(below(urls[registry], path.join('/')), signal, limits);
  const whole = isObject(answer) ? answer : {};
  const { info } = whole;
  return { whole, info: isObject(info) ? info : {} };
}

/** Whether a text is an exact version; a range or a tag is none. */
export function isExact({ registry, version = '' }: PackageName): boolean {
  return registry === 'npm' ? parse(version) !== null : /^\d[\w.+!]*$/u.test(version);
}

export function isNewer(version: string, than: string): boolean {
  const [one, other] = [comparable(version), comparable(than)];
  return one !== null && other !== null && gt(one, other);
}

/** Of a version of PyPI (PEP 440), its first three numbers. Dates have zeros in front: `2025.04`. */
function comparable(version: string): SemVer | null {
  const short = version.replaceAll(/\b0+(?=\d)/gu, '');
  return parse(version) ?? coerce(short, { includePrerelease: true });
}
