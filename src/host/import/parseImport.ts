/**
 * The text of a file of another program → the servers in it. One row per format: how a program wraps its servers, and
 * its special rules. translateServer.ts interprets the fields of one server.
 */
import { t } from '../../base/l10n.ts';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { typeName } from '../config/entryReader.ts';
import type { ForeignServer, ImportedFile, ImportedInput, Surroundings } from './importedServer.ts';
import { toInputId, type FileInputs, type ProgramRules } from './serverDraft.ts';
import type { ImportFormat } from './locations.ts';
import type { ReadResult } from '../config/jsonWithComments.ts';
import { readJson, readToml, readYaml } from './readText.ts';
import { translateServer } from './translateServer.ts';

interface Program extends ProgramRules {
  /** Absent where a member `mcpServers` holds the servers. */
  readonly content?: (file: JsonObject) => FileContent;
}

const programs: Readonly<Record<ImportFormat, Program>> = {
  vscode: { content: vscodeContent },
  mcpJson: { timeoutUnit: 'milliseconds' },
  claudeCode: { timeoutUnit: 'milliseconds', content: claudeCodeContent },
  claudeDesktop: { variables: 'none' },
  cursor: {},
  windsurf: {},
  cline: { timeoutUnit: 'seconds' },
  roo: { timeoutUnit: 'seconds' },
  gemini: {
    variables: 'bareNames',
    timeoutUnit: 'milliseconds',
    urlMeansSse: true,
    content: geminiContent,
  },
  codex: { variables: 'none', content: (file) => serversIn(file, 'mcp_servers') },
  continue: { variables: 'templates', content: continueContent },
};

/** What a file holds, before translation. */
interface FileContent {
  readonly servers: readonly ForeignServer[];
  readonly inputs?: FileInputs;
  readonly problems?: readonly string[];
}

/**
 * @param fileName decides between the languages that one program supports
 * @returns a file without servers and problems when the program keeps none in it
 */
export function parseImport(
  format: ImportFormat,
  fileName: string,
  text: string,
  around: Surroundings,
): ImportedFile {
  if (text.trim() === '') {
    return { servers: [], problems: [], isUnread: true };
  }
  const read = readFor(fileName)(text);
  if ('problem' in read) {
    return { servers: [], problems: [read.problem], isUnread: true };
  }
  return isObject(read.value)
    ? serversOf(format, read.value, around)
    : {
        servers: [],
        problems: [t('must hold an object, not {0}', typeName(read.value))],
        isUnread: true,
      };
}

/** @param file the parsed content */
export function serversOf(
  format: ImportFormat,
  file: JsonObject,
  around: Surroundings,
): ImportedFile {
  const program = programs[format];
  const { content = (whole) => serversIn(whole, 'mcpServers') } = program;
  const { servers, inputs, problems = [] } = content(file);
  return {
    servers: servers.map((server) => translateServer(server, program, around, inputs)),
    problems,
  };
}

function readFor(fileName: string): (text: string) => ReadResult {
  if (fileName.endsWith('.toml')) {
    return readToml;
  }
  return /\.ya?ml$/u.test(fileName) ? readYaml : readJson;
}

/** `{ [key]: { name: server } }`, or a list of servers with names. */
function serversIn(file: JsonObject, key: string, project?: string): FileContent {
  const value = Object.hasOwn(file, key) ? file[key] : undefined;
  const of = project === undefined ? {} : { project };
  if (value === undefined || value === null) {
    return { servers: [] };
  }
  if (Array.isArray(value)) {
    return {
      servers: (value as readonly unknown[]).map((raw, index) => {
        const name = isObject(raw) && isString(raw['name']) ? raw['name'] : `${key}[${index}]`;
        return { name, raw, ...of };
      }),
    };
  }
  if (!isObject(value)) {
    return { servers: [], problems: [t('`{0}` must be an object, not {1}', key, typeName(value))] };
  }
  return { servers: Object.entries(value).map(([name, raw]) => ({ name, raw, ...of })) };
}

function vscodeContent(file: JsonObject): FileContent {
  const { servers, problems = [] } = serversIn(file, 'servers');
  const inputs = new Map<string, ImportedInput>();
  const list = file['inputs'];
  for (const item of Array.isArray(list) ? (list as readonly unknown[]) : []) {
    if (isObject(item) && isString(item['id']) && !inputs.has(item['id'])) {
      inputs.set(item['id'], toInput(item['id'], item));
    }
  }
  const wrong =
    list === undefined || Array.isArray(list)
      ? []
      : [t('`inputs` must be a list, not {0}', typeName(list))];
  return { servers, inputs, problems: [...problems, ...wrong] };
}

/** VS Code has a third type, `command`, which runs a command of the editor: we ask the user instead. */
function toInput(id: string, item: JsonObject): ImportedInput {
  const text = (field: string): JsonObject =>
    isString(item[field]) ? { [field]: item[field] } : {};
  const shared = { id: toInputId(id), ...text('description') };
  const options = Array.isArray(item['options'])
    ? (item['options'] as readonly unknown[])
        .map((option) => (isObject(option) ? option['value'] : option))
        .filter(isString)
    : [];
  if (item['type'] === 'pickString' && options.length > 0) {
    const byDefault = item['default'];
    const isChoice = isString(byDefault) && options.includes(byDefault);
    return { ...shared, type: 'pickString', options, ...(isChoice ? { default: byDefault } : {}) };
  }
  const isPassword = item['password'] === true;
  return {
    ...shared,
    type: 'promptString',
    ...(isPassword ? { password: true } : text('default')),
  };
}

function claudeCodeContent(file: JsonObject): FileContent {
  const projects = isObject(file['projects']) ? Object.entries(file['projects']) : [];
  const parts = [
    serversIn(file, 'mcpServers'),
    ...projects.map(([folder, settings]) =>
      isObject(settings) ? serversIn(settings, 'mcpServers', folder) : { servers: [] },
    ),
  ];
  return {
    servers: parts.flatMap(({ servers }) => servers),
    problems: parts.flatMap(({ problems = [] }) => problems),
  };
}

/** `mcp.excluded` and `mcp.allowed` switch servers off by name. */
function geminiContent(file: JsonObject): FileContent {
  const content = serversIn(file, 'mcpServers');
  const choice = isObject(file['mcp']) ? file['mcp'] : {};
  const { excluded, allowed } = choice;
  const isOff = (name: string): boolean =>
    (Array.isArray(excluded) && excluded.includes(name)) ||
    (Array.isArray(allowed) && !allowed.includes(name));
  return {
    ...content,
    servers: content.servers.map((server) =>
      isOff(server.name) && isObject(server.raw)
        ? { ...server, raw: { ...server.raw, disabled: true } }
        : server,
    ),
  };
}

/** A list or an object `mcpServers`, or the location in the JSON of older versions. */
function continueContent(file: JsonObject): FileContent {
  const current = serversIn(file, 'mcpServers');
  const experimental = isObject(file['experimental']) ? file['experimental'] : {};
  const older = serversIn(experimental, 'modelContextProtocolServers');
  return {
    servers: [...current.servers, ...older.servers.map(named)],
    problems: [...(current.problems ?? []), ...(older.problems ?? [])],
  };
}

/** Servers of the older form have no names. */
function named(server: ForeignServer, index: number): ForeignServer {
  return /\[\d+\]$/u.test(server.name) ? { ...server, name: `continue-${index + 1}` } : server;
}
