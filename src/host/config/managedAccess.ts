/**
 * Settings of the editor by which an organization says which MCP servers its people may use. They are written for the
 * editor's own client, but we apply them too: an organization that forbids a server means all of the editor. Pure.
 * https://code.visualstudio.com/docs/enterprise/policies (ChatMCP, ChatAllowedMcpServers, ChatDeniedMcpServers)
 */
import { t } from '../../base/l10n.ts';
import { McpError } from '../../mcp/errors.ts';
import { isObject, isString, isStringArray } from '../../base/json.ts';
import { isLike } from '../../base/wildcard.ts';
import type { ManagedAccess, ServerConfig } from './serverConfig.ts';
import { socketIn } from './socketUrl.ts';
import { referencesIn } from './variables.ts';

/** The names of these settings. */
export const managedSettings: Readonly<Record<keyof ManagedAccess, string>> = {
  access: 'chat.mcp.access',
  allowedServers: 'chat.mcp.allowedServers',
  deniedServers: 'chat.mcp.deniedServers',
  allowManagedServersOnly: 'chat.mcp.allowManagedServersOnly',
};

/** What the rules match. A part that holds variables is not known yet and left out. */
export interface ServerIdentity {
  readonly name: string;
  readonly url?: string;
  /** The program and its arguments. */
  readonly command?: readonly string[];
}

/** @param launch with its variables replaced */
export function identityOf(
  name: string,
  launch:
    | { readonly url: string; readonly socketPath?: string }
    | { readonly command: string; readonly args: readonly string[] },
): ServerIdentity {
  return 'url' in launch
    ? { name, url: launch.socketPath === undefined ? launch.url : socketUrl(launch.socketPath) }
    : { name, command: [launch.command, ...launch.args] };
}

/** The identity of a launch whose variables are not yet replaced. */
function knownIdentityOf({ name, launch }: ServerConfig): ServerIdentity {
  if (launch.kind === 'stdio') {
    return [launch.command, ...launch.args].every(isKnown) ? identityOf(name, launch) : { name };
  }
  const { url } = launch;
  return isKnown(url) ? identityOf(name, { ...socketIn(url), url }) : { name };
}

function isKnown(text: string): boolean {
  return referencesIn(text).length === 0;
}

/** The URL of a socket, as the editor writes it. */
function socketUrl(path: string): string {
  const pipe = /^\\\\[.?](.*)$/su.exec(path)?.[1]?.replaceAll('\\', '/');
  const url = pipe === undefined ? `unix://${path}` : `pipe://${pipe}`;
  return url.replace(/[%?#]/gu, encodeURIComponent);
}

/** The setting that forbids a server; undefined for one that is allowed, or for which that is not known yet. */
export function forbiddingSetting(
  { access, allowedServers, deniedServers, allowManagedServersOnly }: ManagedAccess,
  identity: ServerIdentity,
): string | undefined {
  // An entry of the settings is not known to be in the registry, so `registry` forbids it.
  if (access === 'none' || access === 'registry') {
    return managedSettings.access;
  }
  if (rulesIn(deniedServers)?.some((rule) => fits(rule, identity)) === true) {
    return managedSettings.deniedServers;
  }
  const allowed = rulesIn(allowedServers);
  if (allowed === undefined) {
    return allowManagedServersOnly === true ? managedSettings.allowManagedServersOnly : undefined;
  }
  return allowed.some((rule) => fits(rule, identity) || isUndecided(rule, identity))
    ? undefined
    : managedSettings.allowedServers;
}

/** Sets `forbiddenBy` on a server that the settings forbid. */
export function markForbidden(server: ServerConfig, access: ManagedAccess): ServerConfig {
  const setting = forbiddingSetting(access, knownIdentityOf(server));
  return setting === undefined ? server : { ...server, forbiddenBy: setting };
}

type Rule =
  | { readonly serverName: string }
  | { readonly serverUrl: string }
  | { readonly serverCommand: readonly string[] };

/** Undefined where no list is set. Items that are not rules are left out, as in the editor. */
function rulesIn(list: unknown): readonly Rule[] | undefined {
  return Array.isArray(list) ? list.filter(isRule) : undefined;
}

function isRule(value: unknown): value is Rule {
  if (!isObject(value)) {
    return false;
  }
  const { serverName, serverUrl, serverCommand } = value;
  const given = [isString(serverName), isString(serverUrl), isStringArray(serverCommand)];
  return given.filter(Boolean).length === 1;
}

function fits(rule: Rule, { name, url, command }: ServerIdentity): boolean {
  if ('serverName' in rule) {
    return rule.serverName === name;
  }
  if ('serverUrl' in rule) {
    return url !== undefined && fitsUrl(rule.serverUrl, url);
  }
  return (
    command !== undefined &&
    command.length === rule.serverCommand.length &&
    command.every((word, index) => word === rule.serverCommand[index])
  );
}

/** Whether the rule is about a part that is not known yet. */
function isUndecided(rule: Rule, { url, command }: ServerIdentity): boolean {
  return (
    ('serverUrl' in rule && url === undefined && command === undefined) ||
    ('serverCommand' in rule && command === undefined && url === undefined)
  );
}

/** Everything before the path. */
const beginning = /^((?:[^/?]*:\/\/)?[^/?]*)(.*)$/su;
const userInfo = /^((?:[^/?]*:\/\/)?)[^/?]*@/u;
const lastDots = /(?<!\.)\.+(?=(?::[^:]*)?$)/u;

/**
 * Normalises both as URLs and drops parts that do not say where a request goes. `*` matches any characters; in front of
 * the path it matches no character that ends a host, as in the editor. A rule whose host ends with `*` and that has no
 * path matches every path.
 */
function fitsUrl(rule: string, url: string): boolean {
  const [[server, path], [givenServer, givenPath]] = [normalUrl(rule), normalUrl(url)];
  const isForAllPaths = rule.endsWith('*') && beginning.exec(rule)?.[2] === '';
  return isLike(server, givenServer) && (isForAllPaths || isLike(path, givenPath));
}

/** @returns scheme and host, and the rest, in lower case */
function normalUrl(text: string): readonly [server: string, path: string] {
  const bare = text.replace(/#.*$/su, '');
  const url = URL.parse(bare);
  const normal =
    url === null
      ? bare.replace(userInfo, '$1')
      : `${url.protocol}//${url.host}${url.pathname}${url.search}`;
  const [, server = '', path = ''] = beginning.exec(normal.toLowerCase()) ?? [];
  return [server.replace(lastDots, ''), path];
}

/** @param setting the editor's setting that forbids the server */
export function forbidden(name: string, setting: string): McpError {
  return new McpError(
    'forbidden',
    t(
      '"{0}" is not started: the editor\'s setting "{1}", which your organization may manage, does not allow it',
      name,
      setting,
    ),
  );
}
