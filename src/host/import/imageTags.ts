/** Images of containers that run as servers: their names as people write them, and the versions that their registries list. */
import { t } from '../../base/l10n.ts';
import { isObject, isString, someText } from '../../base/json.ts';
import { isHttpError, isMcpError, McpError } from '../../mcp/errors.ts';
import { isLoopback } from '../../mcp/network/loopback.ts';
import { isNewer } from './packages.ts';
import { below, fetchJson, type FetchLimits, ledTo } from './registrySearch.ts';
import { publicImages } from './registryServers.ts';

/** An image at a tag that is an exact version. */
export interface ImageVersion {
  /** With its registry, if one is named: `ghcr.io/owner/server`. */
  readonly name: string;
  /** The tag. */
  readonly version: string;
}

const imagePattern =
  /^([a-z\d][\w.-]*(?::\d+(?=\/))?(?:\/[a-z\d][\w.-]*)*)(?::([\w.-]+))?(@sha256:[a-f\d]{64})?$/u;
/** Two or three numbers, then a pre-release or a variant such as `-alpine`. With both, or with more, tags cannot be compared. */
const exactTag =
  /^(?=.{3,128}$)(v?)(\d+(?:\.\d+){1,2})(?:(-(?:alpha|beta|rc|preview|pre)\d*(?:[.-]\d+)*)|(-(?!(?:alpha|beta|rc|preview|pre)(?![a-z]))[\w.-]+))?$/iu;
const maxPages = 50;

export function isImage(text: string): boolean {
  return imagePattern.test(text);
}

/** Undefined for an image at another tag, and for one with a digest: it stays the same at any tag. */
export function readImageVersion(text: string): ImageVersion | undefined {
  const [, name, version, digest] = imagePattern.exec(text) ?? [];
  return name === undefined || digest !== undefined || !exactTag.test(version ?? '')
    ? undefined
    : { name, version: version ?? '' };
}

/**
 * The newest tag of the same form, which is the own one when none is newer. Pre-releases count only for a pre-release.
 * @throws McpError that names the image: as {@link fetchJson}, or `protocol` for no tags or too many
 */
export async function newestImage(
  { name, version }: ImageVersion,
  signal: AbortSignal,
  limits: FetchLimits = {},
): Promise<string> {
  const tags = await tagsOf(name, signal, limits).catch((error: unknown) => {
    throw refusal(name, error);
  });
  const own = formOf(version);
  return tags
    .filter((tag) => {
      const { form, isPreRelease } = formOf(tag);
      return form === own.form && (!isPreRelease || own.isPreRelease);
    })
    .reduce((newest, tag) => (isNewer(tag, newest) ? tag : newest), version);
}

/** What two tags have in common whose versions can be compared. */
function formOf(tag: string): { readonly form?: string; readonly isPreRelease: boolean } {
  const [, v, numbers = '', preRelease, variant] = exactTag.exec(tag) ?? [];
  return {
    ...(v !== undefined && { form: [v, numbers.split('.').length, variant].join(' ') }),
    isPreRelease: preRelease !== undefined,
  };
}

/** https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-tags */
async function tagsOf(
  name: string,
  signal: AbortSignal,
  limits: FetchLimits,
): Promise<readonly string[]> {
  const { fetch = globalThis.fetch } = limits;
  let headers = new Headers();
  let asking: FetchLimits = {
    ...limits,
    fetch: async (...request) => {
      const response = await fetch(...request);
      ({ headers } = response);
      return response;
    },
  };
  let url = tagListOf(name);
  const pages: unknown[] = [];
  do {
    const answer = await fetchJson(url, signal, asking).catch(async (error: unknown) => {
      const token =
        isHttpError(error) && error.status === 401 && asking.token === undefined
          ? await anonymousToken(headers.get('www-authenticate') ?? '', url, signal, limits)
          : undefined;
      if (token === undefined) {
        throw error;
      }
      asking = { ...asking, token };
      return fetchJson(url, signal, asking);
    });
    pages.push(isObject(answer) ? answer['tags'] : undefined);
    const [, next] = /<([^<>]*)>[^<]*;\s*rel="?next\b/iu.exec(headers.get('link') ?? '') ?? [];
    if (next === undefined) {
      return listed(pages);
    }
    url = ledTo(next, url);
  } while (pages.length < maxPages);
  throw new McpError('protocol', t('there are more than {0} pages of them', maxPages));
}

function listed(pages: readonly unknown[]): readonly string[] {
  const tags = pages.flat().filter(isString);
  if (tags.length === 0) {
    throw new McpError('protocol', t('its registry lists none'));
  }
  return tags;
}

/** As Docker reads names: the first part is a registry if it has a dot or a port, or is this machine. */
function tagListOf(name: string): URL {
  const [first = '', ...rest] = name.split('/');
  const isRegistry = rest.length > 0 && /[.:]|^localhost$/u.test(first);
  const path = isRegistry ? rest : [first, ...rest];
  const isHub = !isRegistry || publicImages.test(first);
  const repository = isHub && path.length === 1 ? ['library', ...path] : path;
  const host = isHub ? 'registry-1.docker.io' : first;
  const isHere = isLoopback({ hostname: host.replace(/:\d+$/u, '') });
  return below(`${isHere ? 'http' : 'https'}://${host}`, `v2/${repository.join('/')}/tags/list`);
}

/**
 * https://distribution.github.io/distribution/spec/auth/token
 * @returns undefined when the challenge names no place for tokens, or that gives none
 * @throws McpError as {@link fetchJson}
 */
async function anonymousToken(
  challenge: string,
  registry: URL,
  signal: AbortSignal,
  limits: FetchLimits,
): Promise<string | undefined> {
  const [, bearer = ''] = /\bBearer\s+(.*)/iu.exec(challenge) ?? [];
  const said = (parameter: string): string | undefined =>
    new RegExp(String.raw`\b${parameter}="([^"]*)"`, 'iu').exec(bearer)?.[1];
  const realm = said('realm');
  if (realm === undefined) {
    return undefined;
  }
  const url = ledTo(realm, registry, { mayLeave: true });
  for (const parameter of ['service', 'scope']) {
    url.searchParams.set(parameter, said(parameter) ?? '');
  }
  const answer = await fetchJson(url, signal, limits);
  return isObject(answer)
    ? (someText(answer['token']) ?? someText(answer['access_token']))
    : undefined;
}

function refusal(name: string, error: unknown): unknown {
  if (!isMcpError(error) || error.code === 'cancelled') {
    return error;
  }
  const isClosed = isHttpError(error) && [401, 403, 404].includes(error.status);
  const reason = isClosed
    ? t('its registry does not know it, or lists its tags only after a sign-in')
    : error.message;
  const text = t('The tags of the image {0} cannot be read: {1}', name, reason);
  return new McpError(error.code, text, { cause: error });
}
