/**
 * The two settings of all scopes → HostConfig. Pure. An entry comes whole from one scope and is never merged from
 * several: a repository cannot change one field of a server that the user set up. A problem in one entry is reported
 * and does not affect other entries.
 */
import { t } from '../../base/l10n.ts';
import type { WorkspaceFolder } from './workspace.ts';
import { isObject, isString } from '../../base/json.ts';
import { hidden, unseen } from '../../base/unseen.ts';
import { EntryReader, leavesOf, typeName } from './entryReader.ts';
import { markForbidden } from './managedAccess.ts';
import { parseInputs } from './parseInputs.ts';
import { parseServer } from './parseServer.ts';
import {
  type ConfigProblem,
  type ConfigScope,
  type HostConfig,
  type InputDefinition,
  type ManagedAccess,
  type RawScope,
  scopeKey,
  type ServerConfig,
  type ServerId,
} from './serverConfig.ts';
import { folderPath, referencesIn } from './variables.ts';

const maxNameLength = 100;
/** Characters of one entry. Risks are searched in it before anybody is asked: the worst one takes 0.1 s. */
const maxEntryChars = 64 * 1024;
/** Nesting of objects and lists: functions that walk an entry are recursive. */
const maxEntryDepth = 32;
/** The user's entries come before those of an extension, another program's file, or the remote machine. */
const nearness = {
  extension: 0,
  followed: 0,
  remote: 0,
  user: 1,
  workspace: 2,
  folder: 3,
} as const;

/** What applies to all entries: the policy of the user and their organization, and the workspace's folders. */
export interface EntryPolicy {
  /** Whether `tls.insecure` of an entry has an effect. */
  readonly allowsInsecureTls: boolean;
  /** What an organization allows; absent: everything. */
  readonly access?: ManagedAccess;
  /** Whether a server is on in this workspace, whatever its entry says. */
  readonly switches?: ReadonlyMap<ServerId, boolean>;
  /** Of the workspace. */
  readonly folders?: readonly WorkspaceFolder[];
}

/** @param scopes in any order; each scope at most once. */
export function parseConfig(scopes: readonly RawScope[], policy?: EntryPolicy): HostConfig {
  const problems: ConfigProblem[] = [];
  const inputs = new Map<string, readonly InputDefinition[]>();
  const servers: ServerConfig[] = [];
  for (const raw of scopes) {
    inputs.set(
      scopeKey(raw.scope),
      parseInputs(raw, (problem) => problems.push(problem)),
    );
    for (const server of parseServers(raw, (problem) => problems.push(problem))) {
      servers.push(server);
    }
  }
  const { allowsInsecureTls = false, access, switches, folders = [] } = policy ?? {};
  const marked = servers
    .map((server) => (allowsInsecureTls ? markInsecure(server) : server))
    .map((server) => (access === undefined ? server : markForbidden(server, access)))
    .map((server) => markSwitched(server, switches?.get(server.id)))
    .map((server) => markFolders(server, folders));
  return { servers: markHidden(marked), inputs, problems };
}

/** Marks only entries with `tls.insecure`, so that a change of the setting restarts no others. */
function markInsecure(server: ServerConfig): ServerConfig {
  const { launch } = server;
  return launch.kind === 'http' && launch.tls?.insecure === true
    ? { ...server, allowsInsecureTls: true }
    : server;
}

function markSwitched(server: ServerConfig, isOn: boolean | undefined): ServerConfig {
  return isOn === undefined || isOn === server.isEnabled
    ? server
    : { ...server, isEnabled: isOn, isSwitched: true };
}

function markFolders(server: ServerConfig, folders: readonly WorkspaceFolder[]): ServerConfig {
  const { launch, scope, sandbox, dev } = server;
  // Another order of the folders gives relative paths another base.
  const base = scope.kind === 'workspace' ? folders[0] : undefined;
  const named = leavesOf({ launch, sandbox, dev })
    .flatMap(({ value }) => (isString(value) ? referencesIn(value) : []))
    .flatMap((one) =>
      one.kind === 'workspaceFolder' ? [[one.text, pathOf(folders, scope, one.name)] as const] : [],
    );
  const paths = base === undefined ? named : [['.', base.path] as const, ...named];
  return paths.length === 0 ? server : { ...server, folders: Object.fromEntries(paths) };
}

/** Empty where there is no such folder: the start reports that. */
function pathOf(
  folders: readonly WorkspaceFolder[],
  scope: ConfigScope,
  name: string | undefined,
): string {
  try {
    return folderPath(folders, scope, name);
  } catch {
    return '';
  }
}

function parseServers(
  { scope, servers }: RawScope,
  report: (problem: ConfigProblem) => void,
): readonly ServerConfig[] {
  const fail = (entry: string | undefined, message: string, field?: string, isFatal = true): void =>
    report({ scope, setting: 'mcpHost.servers', entry, field, message, isFatal });
  if (servers === undefined || servers === null) {
    return [];
  }
  if (!isObject(servers)) {
    fail(undefined, t('must be an object of servers by name, not {0}', typeName(servers)));
    return [];
  }
  // Own keys only, and never assigned to an object: `__proto__` and `constructor` are ordinary names.
  return Object.entries(servers).flatMap(([name, value]) => {
    const wrong = whatIsWrongWithName(name) ?? whatIsWrongWithSize(value);
    if (wrong !== undefined || !isObject(value)) {
      const what = t('must be an object with `command` or `url`, not {0}', typeName(value));
      fail(name, wrong ?? what);
      return [];
    }
    const reader = new EntryReader(value, (field, message, isFatal) =>
      fail(name, message, field, isFatal),
    );
    return parseServer(scope, name, reader) ?? [];
  });
}

/** The end of a sentence that begins with the server's name; undefined for a valid name. */
export function whatIsWrongWithName(name: string): string | undefined {
  if (name.trim() === '') {
    return t('has an empty name: give it a name');
  }
  if (name.trim() !== name) {
    return t('begins or ends with a space: remove it');
  }
  if (name.search(hidden) !== -1) {
    return t('has invisible or control characters in its name: remove them');
  }
  if (Array.from(name).length > maxNameLength) {
    return t('has a name of more than {0} characters: shorten it', maxNameLength);
  }
  return undefined;
}

/** The end of a sentence that begins with the server's name; undefined for an entry of acceptable size. */
export function whatIsWrongWithSize(entry: unknown): string | undefined {
  const chars = charsOf(entry, maxEntryDepth);
  if (chars === Infinity) {
    return t('is nested too deeply');
  }
  return chars > maxEntryChars
    ? t('is larger than {0} KiB: move long texts into a file', maxEntryChars / 1024)
    : undefined;
}

/** About the length of the value as JSON; Infinity when it is nested deeper than `levels`. */
function charsOf(value: unknown, levels: number): number {
  if (isString(value)) {
    return value.length + 3;
  }
  if (typeof value !== 'object' || value === null) {
    return 5;
  }
  if (levels < 0) {
    return Infinity;
  }
  let chars = 3;
  for (const [name, part] of Object.entries(value)) {
    chars += (Array.isArray(value) ? 0 : name.length + 3) + charsOf(part, levels - 1);
  }
  return chars;
}

function seen(name: string): string {
  return name.replaceAll(unseen, '');
}

function nearnessOf({ scope }: ServerConfig): number {
  return nearness[scope.kind];
}

/**
 * Servers of the same name follow the one that hides them. Folders are equally near, and so are extensions, followed files
 * and the remote machine: each may have a server of the same name. Names that differ only in invisible characters count as
 * the same: people cannot tell them apart.
 */
function markHidden(servers: readonly ServerConfig[]): readonly ServerConfig[] {
  const byName = Map.groupBy(servers, ({ name }) => seen(name));
  return [...byName.values()].flatMap((alike) => {
    const sorted = alike.toSorted((a, b) => nearnessOf(b) - nearnessOf(a));
    const [first] = sorted;
    return sorted.map((server) =>
      first !== undefined && nearnessOf(server) < nearnessOf(first)
        ? { ...server, hiddenBy: first.scope }
        : server,
    );
  });
}
