/** Searches registries: an MCP registry for servers, the npm registry for one package. Shows nothing. */
import { isObject, isString } from '../../base/json.ts';
import { below, fetchJson, type FetchLimits } from './fetchJson.ts';
import type { Surroundings } from './importedServer.ts';
import { readRegistry, type RegistryHit } from './registryServers.ts';

const pageSize = 50;

/**
 * `GET /v0/servers?search=…`, the newest version of each.
 * @param base URL of the registry, without `/v0`
 * @throws McpError as {@link fetchJson}
 */
export async function searchRegistry(
  base: string,
  text: string,
  around: Surroundings,
  signal: AbortSignal,
  limits?: FetchLimits,
): Promise<readonly RegistryHit[]> {
  const url = below(base, 'v0/servers');
  url.searchParams.set('search', text);
  url.searchParams.set('version', 'latest');
  url.searchParams.set('limit', String(pageSize));
  return readRegistry(await fetchJson(url, signal, limits), around);
}

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** False: the package has no program that `npx` could run. */
  readonly hasProgram: boolean;
}

/** A package as people write it. */
export interface NpmName {
  readonly name: string;
  /** A version or tag, if given. */
  readonly version?: string;
}

const npmName = /^((?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*)(?:@([\w.+~^-]+))?$/iu;
const maxNpmName = 214;

/** Undefined for a text that is no package name. */
export function readNpmName(text: string): NpmName | undefined {
  const [, name, version] = npmName.exec(text.trim()) ?? [];
  if (name === undefined || name.length > maxNpmName) {
    return undefined;
  }
  return version === undefined ? { name } : { name, version };
}

/** @throws McpError as {@link fetchJson} */
export async function findNpmPackage(
  base: string,
  { name, version = 'latest' }: NpmName,
  signal: AbortSignal,
  limits?: FetchLimits,
): Promise<NpmPackage> {
  const path = `${name.replace('/', '%2f')}/${encodeURIComponent(version)}`;
  const answer = await fetchJson(below(base, path), signal, limits);
  const found = isObject(answer) ? answer : {};
  const { version: exact, description, bin } = found;
  return {
    name,
    version: isString(exact) ? exact : version,
    description: isString(description) ? description : '',
    hasProgram: isString(bin) || (isObject(bin) && Object.keys(bin).length > 0),
  };
}
