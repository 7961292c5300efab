/**
 * Settings of the editor in which an organization says which MCP servers its people may use. They are written for the
 * editor's own client, and hold for ours: nobody means to forbid a server in one place of the editor alone. Pure.
 * https://code.visualstudio.com/docs/enterprise/policies (ChatMCP, ChatAllowedMcpServers, ChatDeniedMcpServers)
 */
import { isObject, isString, isStringArray } from '../../base/json.ts';
import type { ManagedAccess, ServerConfig } from './serverConfig.ts';
import { referencesIn } from './variables.ts';

/** The names of these settings. */
export const managedSettings: Readonly<Record<keyof ManagedAccess, string>> = {
  access: 'chat.mcp.access',
  allowedServers: 'chat.mcp.allowedServers',
  deniedServers: 'chat.mcp.deniedServers',
  allowManagedServersOnly: 'chat.mcp.allowManagedServersOnly',
};

/** What the rules look at. A part that is not known yet, since it holds variables, is left out. */
export interface ServerIdentity {
  readonly name: string;
  readonly url?: string;
  /** The program and its arguments. */
  readonly command?: readonly string[];
}

/** @param launch as the entry has it, or with its variables replaced */
export function identityOf(
  name: string,
  launch: { readonly url: string } | { readonly command: string; readonly args: readonly string[] },
): ServerIdentity {
  if ('url' in launch) {
    return { name, ...(isKnown(launch.url) && { url: launch.url }) };
  }
  const command = [launch.command, ...launch.args];
  return { name, ...(command.every(isKnown) && { command }) };
}

function isKnown(text: string): boolean {
  return referencesIn(text).length === 0;
}

/**
 * The setting that forbids a server; undefined for one that is allowed, or of which that is not known yet.
 * @param isResolved its variables are replaced: what is not allowed by then is forbidden
 */
export function forbiddingSetting(
  { access, allowedServers, deniedServers, allowManagedServersOnly }: ManagedAccess,
  identity: ServerIdentity,
  isResolved: boolean,
): string | undefined {
  // Of a registry, an entry of settings is not known to be.
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
  const mayFit = (rule: Rule): boolean =>
    fits(rule, identity) || (!isResolved && isUndecided(rule, identity));
  return allowed.some(mayFit) ? undefined : managedSettings.allowedServers;
}

/** With what the settings forbid of it. */
export function markForbidden(server: ServerConfig, access: ManagedAccess): ServerConfig {
  const setting = forbiddingSetting(access, identityOf(server.name, server.launch), false);
  return setting === undefined ? server : { ...server, forbiddenBy: setting };
}

type Rule =
  | { readonly serverName: string }
  | { readonly serverUrl: string }
  | { readonly serverCommand: readonly string[] };

/** Undefined where no list is set. What is no rule is left out, as the editor does. */
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

/** `*` stands for any characters; letters of either case are the same. Fragment and credentials do not count. */
function fitsUrl(pattern: string, url: string): boolean {
  const [wanted, given] = [plainUrl(pattern), plainUrl(url)];
  return wanted.includes('*') ? fitsPattern(wanted.split('*'), given) : wanted === given;
}

function plainUrl(text: string): string {
  const url = text.includes('*') ? null : URL.parse(text);
  const plain =
    url === null
      ? text.replace(/^([a-z]+:\/\/)[^/?#*]*@/iu, '$1').replace(/#.*$/su, '')
      : `${url.protocol}//${url.host}${url.pathname}${url.search}`;
  return plain.toLowerCase();
}

/** @param parts what stands between the wildcards */
function fitsPattern(parts: readonly string[], text: string): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) {
    return false;
  }
  let place = first.length;
  for (const part of others) {
    const found = text.indexOf(part, place);
    if (found < 0 || found + part.length > text.length - last.length) {
      return false;
    }
    place = found + part.length;
  }
  return true;
}
