/**
 * The page of a view: read when it is first needed, checked, and kept until the server says that it may have changed.
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#ui-resource-format
 */
import { t } from '../../base/l10n.ts';
import { createHash } from 'node:crypto';
import { raceSignal } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isObject, isString, type JsonObject, stableStringify } from '../../base/json.ts';
import { perObject } from '../../base/lazily.ts';
import type { Log } from '../../base/log.ts';
import { truncated } from '../../base/text.ts';
import { McpError } from '../../mcp/errors.ts';
import { type UiPermission, uiPermissions, viewMimeType } from '../../mcp/types/apps.ts';
import { fromUser } from '../requestOrigin.ts';
import { decodeContents } from '../resources/resourceContents.ts';
import type { ServerConnection } from '../servers/connection.ts';
import { type ContentPolicy, contentPolicy, policyText } from './contentPolicy.ts';
import { type DomainRules, readDomainRules } from './domainRules.ts';
import { viewLink } from './toolUi.ts';

/** Bytes of a page. */
export const maxPageBytes = 16 * 1024 * 1024;
/** Of one server; of more, the one that was read longest ago goes. */
export const maxKeptPages = 10;

export interface UiResource {
  readonly uri: string;
  readonly html: string;
  readonly policy: ContentPolicy;
  /** As the resource declares them; an editor grants some or none. */
  readonly permissions: readonly UiPermission[];
  /** The origin that it asks for, and does not get (APP-35). */
  readonly domain: string | undefined;
  /** Undefined: the editor decides. */
  readonly prefersBorder: boolean | undefined;
  /** Of the page and everything that it may do (APP-20). */
  readonly hash: string;
}

/** `anew`: as the server has it now, whatever is kept; `kept`: as it was read, however long ago. */
export type HowRead = 'anew' | 'kept';

export type UiServer = Pick<
  ServerConnection,
  | 'config'
  | 'state'
  | 'withSession'
  | 'catalog'
  | 'resources'
  | 'onDidNotice'
  | 'onDidChangeState'
  | 'output'
  | 'tap'
>;

/** A server as its apps use it. */
export type AppServer = Pick<UiServer, 'config' | 'catalog' | 'withSession'>;

interface Kept {
  /** The value of the setting that the page was read under, as JSON. */
  readonly domains: string;
  readonly read: Promise<UiResource>;
  /** The server is to say when it changes. */
  readonly watch: Disposable;
  /** Undefined before it was read. */
  page?: UiResource;
  /** On the clock; Infinity where only a notification ends it. */
  until: number;
}

export class UiResources {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #domains: () => unknown;
  /** Until the connection goes. */
  readonly #pagesOf = perObject((server: UiServer) => {
    const pages = new Map<string, Kept>();
    const drop = (uri: string): void => {
      pages.get(uri)?.watch.dispose();
      pages.delete(uri);
    };
    const dropAll = (): void => [...pages.keys()].forEach(drop);
    // Both end with the connection.
    server.onDidChangeState(dropAll);
    server.onDidNotice((notice) => {
      if (notice.kind === 'resource') {
        drop(notice.uri);
      } else if (notice.kind === 'resources' || notice.kind === 'tools') {
        dropAll();
      }
    });
    return { pages, drop };
  });

  /** @param domains the value of `mcpHost.apps.domains` */
  constructor(clock: Pick<Clock, 'now'>, domains: () => unknown) {
    this.#clock = clock;
    this.#domains = domains;
  }

  /**
   * @param how undefined: as it was read, unless the server says that it may have changed since
   * @throws McpError what the read fails with; `protocol` saying why the page cannot be shown
   */
  read(server: UiServer, uri: string, signal: AbortSignal, how?: HowRead): Promise<UiResource> {
    const known = this.#pagesOf(server).pages.get(uri);
    const isInTime = how === 'kept' || this.#clock.now() < (known?.until ?? 0);
    const isOfSetting = known?.domains === stableStringify(this.#domains() ?? null);
    const read =
      how !== 'anew' && isOfSetting && isInTime
        ? known.read
        : this.#keep(server, uri, ask(server, uri, how === 'anew'));
    return raceSignal(read, signal);
  }

  /**
   * Keeps a page that somebody else has read, as one that was read here, unless it is known or no listed tool has it: an
   * app may read anything, again and again.
   * @param result of any shape
   */
  take(server: UiServer, uri: string, result: unknown): void {
    const links = server.catalog.items('tools').map(viewLink);
    const isOfTool = links.some((link) => link.kind === 'view' && link.uri === uri);
    if (isOfTool && this.known(server, uri) === undefined) {
      this.#keep(server, uri, Promise.resolve(result)).catch(() => undefined); // who draws it says so
    }
  }

  /** Undefined before it was read, and when it may have changed since. */
  known(server: UiServer, uri: string): UiResource | undefined {
    return this.#pagesOf(server).pages.get(uri)?.page;
  }

  #keep(server: UiServer, uri: string, answer: Promise<unknown>): Promise<UiResource> {
    const { pages, drop } = this.#pagesOf(server);
    const before = pages.get(uri);
    const setting = this.#domains();
    const opened = openPage(server, uri, answer, readDomainRules(setting));
    const kept: Kept = {
      domains: stableStringify(setting ?? null),
      read: opened.then(({ page }) => page),
      watch: before?.watch ?? server.resources.watch(uri),
      until: Infinity,
    };
    pages.delete(uri);
    pages.set(uri, kept);
    [...pages.keys()].slice(0, -maxKeptPages).forEach(drop);
    const settle = async (): Promise<void> => {
      try {
        const { page, ttl } = await opened;
        kept.page = page;
        kept.until = this.#clock.now() + ttl;
        if (page.hash !== before?.page?.hash) {
          logPage(page, server.output.log);
        }
      } catch {
        if (pages.get(uri) === kept) {
          drop(uri);
        }
      }
    };
    void settle();
    return kept.read;
  }
}

function ask(server: UiServer, uri: string, isFresh: boolean): Promise<object> {
  return server.withSession(
    async (session, signal) =>
      session.call('resources/read', { uri }, { signal, origin: fromUser, isFresh }),
    new AbortController().signal,
    true,
  );
}

/** With the milliseconds for which it may be kept. */
async function openPage(
  server: UiServer,
  uri: string,
  answer: Promise<unknown>,
  rules: DomainRules | undefined,
): Promise<{ readonly page: UiResource; readonly ttl: number }> {
  const result = await answer;
  const { contents, ttlMs } = isObject(result) ? result : {};
  const content = pageIn(uri, Array.isArray(contents) ? contents : []);
  const ui = uiOf(content) ?? (await listedUi(server, uri)) ?? {};
  const page = readPage(uri, content, ui, rules);
  return { page, ttl: typeof ttlMs === 'number' ? ttlMs : Infinity };
}

function logPage({ uri, hash, policy, domain }: UiResource, log: Log): void {
  policy.warnings.forEach((text) => log.warn(`The app ${uri}: ${text}`));
  log.info(`The app ${uri} (${hash}) was read. Its policy: ${policyText(policy)}`);
  if (domain !== undefined) {
    const shown = truncated(JSON.stringify(domain), 100);
    log.info(`The app ${uri}: the domain ${shown} that it asks for is overlooked`);
  }
}

/** Where the content says nothing, the entry of the list counts (APP-19). */
async function listedUi({ catalog }: UiServer, uri: string): Promise<JsonObject | undefined> {
  await catalog.whenLoaded();
  const listed = catalog.items('resources').find((resource) => resource.uri === uri);
  return listed && uiOf(listed);
}

function uiOf(item: object): JsonObject | undefined {
  const { _meta: meta } = { _meta: undefined, ...item };
  return isObject(meta) && isObject(meta['ui']) ? meta['ui'] : undefined;
}

/** The content that has the type of a view; that of the address itself, if there are several. */
function pageIn(uri: string, contents: readonly unknown[]): JsonObject {
  const items = contents.filter(isObject);
  const pages = items.filter(
    (item) => isString(item['uri']) && item['uri'].startsWith('ui://') && isViewType(item),
  );
  const page = pages.find((item) => item['uri'] === uri) ?? pages[0];
  if (page === undefined) {
    const types = items.map(({ mimeType }) => (isString(mimeType) ? mimeType : 'none'));
    throw unusable(
      uri,
      t('it has no content of the type {0}, but: {1}', viewMimeType, types.join(', ')),
    );
  }
  return page;
}

/** Case, spaces and quotes have no meaning in a type (RFC 9110 section 8.3.1). */
function isViewType({ mimeType }: JsonObject): boolean {
  return isString(mimeType) && mimeType.toLowerCase().replaceAll(/[\s"]/gu, '') === viewMimeType;
}

function readPage(
  uri: string,
  content: JsonObject,
  ui: JsonObject,
  rules: DomainRules | undefined,
): UiResource {
  const html = htmlOf(uri, content);
  if (html.trim() === '') {
    throw unusable(uri, t('it is empty'));
  }
  const { permissions, domain, prefersBorder } = ui;
  const policy = contentPolicy(ui['csp'], rules);
  const asked = uiPermissions.filter(
    (name) => isObject(permissions) && isObject(permissions[name]),
  );
  const hash = createHash('sha256')
    .update(stableStringify([html, policyText(policy), asked, domain ?? null]))
    .digest('hex');
  return {
    uri,
    html,
    policy,
    permissions: asked,
    domain: isString(domain) ? domain : undefined,
    prefersBorder: typeof prefersBorder === 'boolean' ? prefersBorder : undefined,
    hash,
  };
}

function htmlOf(uri: string, content: JsonObject): string {
  const [decoded] = decodeContents(uri, [content]);
  const isText = decoded?.kind === 'text';
  const bytes =
    decoded === undefined ? 0 : isText ? Buffer.byteLength(decoded.text) : decoded.bytes.length;
  if (bytes > maxPageBytes) {
    const megabytes = maxPageBytes / 1024 / 1024;
    throw unusable(uri, t('it has more than {0} MB', megabytes));
  }
  if (isText) {
    return decoded.text;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(decoded?.bytes);
  } catch {
    throw unusable(uri, t('it is not UTF-8'));
  }
}

function unusable(uri: string, why: string): McpError {
  return new McpError('protocol', t('The app "{0}" cannot be shown: {1}', uri, why));
}
