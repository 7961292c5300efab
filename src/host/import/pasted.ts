/**
 * Any text by which people share a server → servers: the JSON of any program, one server alone, a part of a file, an
 * entry of a registry, an install link, a command line, a URL. Pure.
 */
import { t } from '../../base/l10n.ts';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { percentDecoded } from '../../base/percentEncoding.ts';
import { socketUrlStart } from '../config/socketUrl.ts';
import type { ImportedFile, Surroundings } from './importedServer.ts';
import { parseImport, serversOf } from './parseImport.ts';
import { parsePastedCommand } from './pastedCommand.ts';
import { readJson } from './readText.ts';
import { serversOfRegistryEntry } from './registryServers.ts';
import { baseName, splitCommandLine, suggestName } from './commandLine.ts';
import { translateServer } from './translateServer.ts';

/** Characters. YAML of this length takes about 0.1 s. */
const maxLength = 64 * 1024;

/**
 * `url`, `command`: the text is itself what is reached or run. `held`: it holds servers; who typed an install link, or
 * `claude mcp add …`, has not seen their commands.
 */
export type Pasted = ImportedFile & { readonly kind: 'held' | 'url' | 'command' };

export function parsePasted(pasted: string, around: Surroundings): Pasted {
  const text = pasted.trim();
  if (text.length > maxLength) {
    return {
      kind: 'held',
      ...problem(t('is larger than {0} KiB: paste one server at a time', maxLength / 1024)),
    };
  }
  if (text === '') {
    return { kind: 'held', ...problem(t('is empty')) };
  }
  const file = heldServers(text, around);
  if (file !== undefined) {
    return { kind: 'held', ...file };
  }
  const name = nameOfUrl(text);
  if (name !== undefined) {
    const server = translateServer({ name, raw: { url: text } }, {}, around);
    return { kind: 'url', servers: [server], problems: [] };
  }
  const command = parsePastedCommand(text, around);
  if ('json' in command) {
    return { kind: 'held', ...parseJson(command.json, command.name, around) };
  }
  return { kind: /^\S+\s+mcp\s+add\s/u.test(text) ? 'held' : 'command', ...command };
}

/** The servers in JSON, in another format of settings or in an install link; undefined for any other text. */
function heldServers(text: string, around: Surroundings): ImportedFile | undefined {
  if (text.startsWith('{')) {
    return parseJson(text, undefined, around);
  }
  if (/^"[^"]+"\s*:/u.test(text)) {
    // A part of a file: `"time": { … },`
    return parseJson(`{${text.replace(/,$/u, '')}}`, undefined, around);
  }
  if (/^\[mcp_servers\b/mu.test(text)) {
    return parseImport('codex', 'pasted.toml', text, around);
  }
  if (/^mcpServers:/mu.test(text)) {
    return parseImport('continue', 'pasted.yaml', text, around);
  }
  const link = readInstallLink(text);
  if (link === undefined) {
    return undefined;
  }
  return 'problem' in link ? problem(link.problem) : serversInJson(link.server, around);
}

/** What the server at a URL is called; undefined for a text that is no URL of one. */
function nameOfUrl(text: string): string | undefined {
  const socket = socketUrlStart.exec(text)?.[0];
  if (socket !== undefined) {
    return baseName(text.slice(socket.length).split(/[#:]/u, 1)[0] ?? '');
  }
  return /^(?:https?|wss?):\/\/\S+$/iu.test(text) ? URL.parse(text)?.hostname : undefined;
}

/** @param value parsed JSON of one server or several */
export function serversInJson(value: unknown, around: Surroundings): ImportedFile {
  if (!isObject(value)) {
    return problem(t('is not an object of servers'));
  }
  const { mcp } = value;
  if (isObject(mcp) && isObject(mcp['servers'])) {
    return serversOf('vscode', mcp, around); // a settings.json
  }
  if (isObject(value['servers'])) {
    return serversOf('vscode', value, around);
  }
  for (const key of ['mcpServers', 'mcp_servers', 'mcpHost.servers', 'context_servers']) {
    if (isObject(value[key])) {
      const inputs = value['mcpHost.inputs'] ?? value['inputs'];
      return wrapped(value[key], inputs, around);
    }
  }
  if (Array.isArray(value['packages']) || Array.isArray(value['remotes'])) {
    return { servers: serversOfRegistryEntry(value, around), problems: [] };
  }
  if (isServer(value)) {
    const { name, inputs, ...entry } = value;
    return wrapped(
      { [isString(name) && name !== '' ? name : nameFor(entry)]: entry },
      inputs,
      around,
    );
  }
  const servers = Object.entries(value).filter(([, entry]) => isObject(entry) && isServer(entry));
  return servers.length > 0
    ? wrapped(Object.fromEntries(servers), undefined, around)
    : problem(t('has no server: a server has `command` or `url`'));
}

function parseJson(text: string, name: string | undefined, around: Surroundings): ImportedFile {
  const read = readJson(text);
  if ('problem' in read) {
    return problem(read.problem);
  }
  const { value } = read;
  return serversInJson(name !== undefined && isObject(value) ? { name, ...value } : value, around);
}

function wrapped(servers: JsonObject, inputs: unknown, around: Surroundings): ImportedFile {
  return serversOf('vscode', { servers, ...(inputs !== undefined && { inputs }) }, around);
}

function isServer(value: JsonObject): boolean {
  return ['command', 'url', 'serverUrl', 'httpUrl'].some((field) => isString(value[field]));
}

function nameFor(entry: JsonObject): string {
  const { command, args, url } = entry;
  if (isString(command)) {
    return suggestName(command, Array.isArray(args) ? args.filter(isString) : []);
  }
  return isString(url) ? (URL.parse(url)?.hostname ?? baseName(url)) : 'server';
}

function problem(text: string): ImportedFile {
  return { servers: [], problems: [text] };
}

export type InstallLink = { readonly server: JsonObject } | { readonly problem: string };

const ways =
  /^(?:(?:vscode|vscode-insiders|vscodium|code-oss|code-server):(?:\/\/[\w.-]+\/install|\/?\/?mcp\/install)|cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install|https:\/\/(?:insiders\.)?vscode\.dev\/redirect\/mcp\/install|https:\/\/cursor\.com\/(?:\w+\/)?install-mcp)\?(.*)$/su;

/** Undefined when the text is no such link. */
export function readInstallLink(text: string): InstallLink | undefined {
  const query = ways.exec(text)?.[1];
  return query === undefined ? undefined : readInstallQuery(query);
}

/**
 * @param query the JSON of a server, or `name=…&config=…` with the JSON, plain or in Base64; encoded or not, because
 * editors differ in what they pass on
 */
export function readInstallQuery(query: string): InstallLink {
  if (query.length > maxLength) {
    return {
      problem: t('the link is longer than {0} characters: paste the JSON of its server', maxLength),
    };
  }
  for (const text of [query, percentDecoded(query)]) {
    const server = text.startsWith('{') ? jsonObject(text) : undefined;
    if (server !== undefined) {
      return { server };
    }
  }
  const parameters = new URLSearchParams(query);
  const name = parameters.get('name');
  const config = parameters.get('config') ?? '';
  // A query turns the `+` of Base64 into a blank.
  const base64 = Buffer.from(config.replaceAll(' ', '+'), 'base64');
  const plain = config.startsWith('{') ? config : base64.toString('utf8');
  const server = jsonObject(plain);
  return server === undefined
    ? { problem: t('the link has no JSON of a server') }
    : { server: withArguments(name === null ? server : { ...server, name }) };
}

/** Some links of Cursor have a whole command line as their command. A path may hold blanks itself. */
function withArguments(server: JsonObject): JsonObject {
  const { command, args } = server;
  const [program = '', ...words] = isString(command) ? (splitCommandLine(command) ?? []) : [];
  return args !== undefined || words.length === 0 || /[/\\]/u.test(program)
    ? server
    : { ...server, command: program, args: words };
}

function jsonObject(text: string): JsonObject | undefined {
  const read = readJson(text);
  return 'value' in read && isObject(read.value) ? read.value : undefined;
}
