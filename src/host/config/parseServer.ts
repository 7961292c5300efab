/** One entry of `mcpHost.servers` → ServerConfig. Texts keep their variables; nothing is looked up. */
import { t } from '../../base/l10n.ts';
import { isString, withoutUndefined } from '../../base/json.ts';
import { type ProtocolChoice, revisionsNewestFirst } from '../../mcp/revisions.ts';
import {
  type EntryReader,
  type Hints,
  nonEmpty,
  renamed,
  type TextRule,
  typeName,
} from './entryReader.ts';
import { parseConnection } from './parseConnection.ts';
import { parseForPrograms } from './parseProgram.ts';
import { parseLimits, parseTimeouts } from './parseLimits.ts';
import { parseOauth } from './parseOauth.ts';
import {
  type ConfigScope,
  type HttpLaunch,
  type Launch,
  type RootsChoice,
  type ServerConfig,
  type Startup,
  type StdioLaunch,
  scopeKey,
} from './serverConfig.ts';

const stdioFields = ['command', 'args', 'env', 'envFile', 'cwd', 'dev', 'sandbox', 'pinFiles'];
const httpFields = ['url', 'headers', 'oauth', 'tls', 'proxy'];

/** Fields of other programs' settings → our fields. */
const disables = (): string => t('has no effect: write "enabled": false to switch the server off');
const starts = (): string => t('has no effect: "startup" says when the server starts');
const foreignFields: Hints = new Map([
  ['disabled', disables],
  ['isActive', disables],
  ['autoStart', starts],
  ['autostart', starts],
  ['timeout', () => t('has no effect: "timeouts" holds the time limits, in seconds')],
  ['arguments', renamed('args')],
  ['environment', renamed('env')],
  ['workingDirectory', renamed('cwd')],
  ['auth', renamed('oauth')],
  ['serverUrl', renamed('url')],
  ['httpUrl', renamed('url')],
  ['ca', renamed('tls.ca')],
  ['httpProxy', renamed('proxy')],
  ['transport', renamed('type')],
  ['transportType', renamed('type')],
]);

const urlRule: TextRule = {
  // A variable may hold the scheme, so a text that begins with one is checked after it is resolved.
  pattern:
    /^(?:[hH][tT][tT][pP][sS]?:\/\/|[wW][sS][sS]?:\/\/|unix:\/|http\+unix:\/\/|n?pipe:\/\/\/|\\\\[.?]\\pipe\\|\$\{)\S+$/u,
  must: () =>
    t(
      'must be a URL without spaces that begins with {0}',
      t('{0} or {1}', 'http://, https://, ws://, wss://, unix:///', 'pipe:///'),
    ),
};
/** RFC 9110 section 5.6.2, token. */
const headerName: TextRule = {
  pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u,
  must: () => t('must have a valid header name: letters, digits and hyphens'),
};
const headerValue: TextRule = {
  pattern: /^[^\r\n]*$/u,
  must: () => t('must be a text without line breaks'),
};
const variableName: TextRule = {
  pattern: /^[^=]+$/u,
  must: () => t('must have a valid variable name: not empty, without "="'),
};

/** @returns undefined when the entry cannot be used; what is wrong was reported. */
export function parseServer(
  scope: ConfigScope,
  name: string,
  reader: EntryReader,
): ServerConfig | undefined {
  const launch = parseLaunch(reader);
  const settings = {
    isEnabled: reader.boolean('enabled') ?? true,
    startup: reader.oneOf<Startup>('startup', ['auto', 'onDemand', 'manual']) ?? 'auto',
    timeouts: parseTimeouts(reader),
    limits: parseLimits(reader),
    roots: parseRoots(reader),
    elicitation: reader.boolean('elicitation') ?? true,
    sampling: reader.boolean('sampling') ?? true,
    apps: reader.boolean('apps') ?? true,
    skills: reader.boolean('skills') ?? true,
    protocol: parseProtocol(reader),
    bridge: reader.boolean('bridge') ?? true,
    ...(reader.has('command') ? parseForPrograms(reader) : {}),
  };
  if (reader.has('command') !== reader.has('url')) {
    warnOfOthers(reader);
  }
  // Encoded, so that no name can imitate another scope's key.
  const id = `${scopeKey(scope)}/${encodeURIComponent(name)}`;
  return launch === undefined || !reader.isUsable
    ? undefined
    : withoutUndefined({ id, name, scope, launch, ...settings });
}

/** Of fields that have no effect, with what has it instead. */
function warnOfOthers(reader: EntryReader): void {
  const [misplaced, other] = reader.has('command')
    ? ([httpFields, 'url'] as const)
    : ([stdioFields, 'command'] as const);
  const hint = (): string => t('has no effect: it belongs to servers with `{0}`', other);
  reader.warnOfOthers(
    new Map([...foreignFields, ...misplaced.map((field) => [field, hint] as const)]),
  );
}

function parseLaunch(reader: EntryReader): Launch | undefined {
  const type = reader.oneOf(
    'type',
    ['stdio', 'http', 'sse', 'websocket', 'ws'],
    new Map([
      ['streamable-http', 'http'],
      ['streamableHttp', 'http'],
      ['streamable_http', 'http'],
      ['local', 'stdio'],
      ['remote', 'http'],
      ['webSocket', 'websocket'],
      ['WebSocket', 'websocket'],
      ['wss', 'websocket'],
    ] as const),
  );
  const hasCommand = reader.has('command');
  const hasUrl = reader.has('url');
  if (hasCommand && hasUrl) {
    reader.fail(
      undefined,
      t('has both `command` and `url`: a server is either started or reached'),
    );
    return undefined;
  }
  if (!hasCommand && !hasUrl) {
    reader.fail(undefined, t('needs `command` (a program to start) or `url` (a server to reach)'));
    return undefined;
  }
  if (type !== undefined && (type === 'stdio') !== hasCommand) {
    const wanted = hasCommand
      ? t('does not fit: a server with `command` is of type "stdio"')
      : t('does not fit: a server with `url` is of type "http", "sse" or "websocket"');
    reader.fail('type', wanted);
  }
  return hasCommand ? parseStdio(reader) : parseHttp(reader, type);
}

function parseStdio(reader: EntryReader): StdioLaunch | undefined {
  const command = reader.text('command', nonEmpty);
  const args = reader.texts('args') ?? [];
  const env = parseEnv(reader);
  const envFile = reader.text('envFile', nonEmpty);
  const cwd = reader.text('cwd', nonEmpty);
  return command === undefined
    ? undefined
    : withoutUndefined({ kind: 'stdio', command, args, env, envFile, cwd });
}

function parseEnv(reader: EntryReader): Readonly<Record<string, string | null>> {
  const entries: [string, string | null][] = [];
  for (const [name, value] of Object.entries(reader.object('env') ?? {})) {
    const field = `env.${name}`;
    if (!variableName.pattern.test(name)) {
      reader.fail(field, variableName.must());
    } else if (value === null || isString(value)) {
      entries.push([name, value]);
    } else if (typeof value === 'number' || typeof value === 'boolean') {
      entries.push([name, String(value)]);
    } else {
      reader.fail(
        field,
        t('must be a text, or null to remove the variable, not {0}', typeName(value)),
      );
    }
  }
  return Object.fromEntries(entries);
}

function parseHttp(reader: EntryReader, type: string | undefined): HttpLaunch | undefined {
  const url = reader.text('url', urlRule);
  const headers = parseHeaders(reader);
  const oauth = parseOauth(reader);
  const connection = parseConnection(reader);
  if (url === undefined) {
    return undefined;
  }
  const isWebSocketType = type === 'websocket' || type === 'ws';
  // A variable may hold the scheme: then it is checked after it is resolved.
  if (type !== undefined && !url.startsWith('${') && isWebSocketType !== /^wss?:/iu.test(url)) {
    const wanted = isWebSocketType
      ? t('does not fit: a server of type "websocket" has a URL that begins with ws:// or wss://')
      : t('does not fit: a URL with ws:// or wss:// is of type "websocket"');
    reader.fail('type', wanted);
  }
  const pinned = isWebSocketType ? 'websocket' : type === 'sse' ? 'sse' : undefined;
  return withoutUndefined({ kind: 'http', url, headers, type: pinned, oauth, ...connection });
}

function parseHeaders(reader: EntryReader): Readonly<Record<string, string>> {
  const entries: [string, string][] = [];
  const seen = new Map<string, string>();
  for (const [name, raw] of Object.entries(reader.object('headers') ?? {})) {
    const field = `headers.${name}`;
    const twin = seen.get(name.toLowerCase());
    seen.set(name.toLowerCase(), name);
    if (!headerName.pattern.test(name)) {
      reader.fail(field, headerName.must());
    } else if (twin !== undefined) {
      reader.fail(field, t('is the same header as `{0}`: keep one of them', twin));
    } else {
      const value = reader.textAt(field, raw, headerValue);
      if (value !== undefined) {
        entries.push([name, value]);
      }
    }
  }
  return Object.fromEntries(entries);
}

function parseRoots(reader: EntryReader): RootsChoice {
  const value = reader.raw('roots');
  if (value === undefined) {
    return 'all';
  }
  if (value === 'all' || value === 'none') {
    return value;
  }
  if (Array.isArray(value)) {
    return reader.texts('roots') ?? [];
  }
  const hint = isString(value) ? t(': for one folder write {0}', JSON.stringify([value])) : '';
  reader.fail('roots', t('must be "all", "none" or a list of folders') + hint);
  return 'none';
}

/** Other common words for the eras. */
const eraSynonyms: ReadonlyMap<string, ProtocolChoice> = new Map([
  ['stateless', 'modern'],
  ['latest', 'auto'],
  ['stateful', 'legacy'],
]);

function parseProtocol(reader: EntryReader): ProtocolChoice {
  const allowed: readonly ProtocolChoice[] = ['auto', 'modern', 'legacy', ...revisionsNewestFirst];
  return reader.oneOf('protocol', allowed, eraSynonyms) ?? 'auto';
}
