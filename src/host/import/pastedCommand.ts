/**
 * A pasted command line → servers: a program with its arguments, or a command that adds a server to another program
 * (`claude mcp add …`). Runs nothing, and looks nothing up.
 */
import { t } from '../../base/l10n.ts';
import { parseArgs } from 'node:util';
import { type JsonObject, withoutUndefined } from '../../base/json.ts';
import { splitCommandLine, suggestName } from './commandLine.ts';
import type { ImportedFile, ImportedServer, Surroundings } from './importedServer.ts';
import type { ProgramRules } from './serverDraft.ts';
import { translateServer } from './translateServer.ts';

/** A shell would have replaced `$NAME`. */
const rules: ProgramRules = { variables: 'bareNames' };
const assignment = /^([A-Za-z_]\w*)=(.*)$/su;
const isUrl = /^https?:\/\//iu;
const headerLine = /^([\w-]+)\s*:\s*(.*)$/su;
/** Includes the blanks around it, from the first one or from the end of the last match. */
const lineEnd = /(?:(?<![ \t])[ \t]*)?[\\^`]\r?\n[ \t]*/gu;
const shellWord = /^(?:&&?|\|\|?|;|>>?|<|2>&1|2>)$/u;

/** The caller parses JSON inside of a command line. */
export type PastedCommand = ImportedFile | { readonly name?: string; readonly json: string };

/** @param line may span several lines, joined by `\`, `^` or a backtick at their ends */
export function parsePastedCommand(line: string, around: Surroundings): PastedCommand {
  const joined = line
    .replaceAll(lineEnd, ' ')
    .replace(/^\s*[$>]\s+/u, '')
    .trim();
  const words = splitCommandLine(joined);
  if (words === undefined) {
    return { servers: [], problems: [t('has a quote that is not closed')] };
  }
  const json = jsonIn(words);
  if (json !== undefined) {
    return json;
  }
  const [, command, action] = words;
  if (command === 'mcp' && action === 'add') {
    return added(words.slice(3), around);
  }
  return { servers: [plain(words, around)], problems: [] };
}

/** `claude mcp add-json name '{…}'`, `code --add-mcp '{…}'`. */
function jsonIn(words: readonly string[]): Extract<PastedCommand, { json: string }> | undefined {
  if (words[1] === 'mcp' && words[2] === 'add-json') {
    const { positionals } = parseArgs({
      args: words.slice(3),
      options,
      strict: false,
      allowPositionals: true,
    });
    const [name, json] = positionals;
    return name === undefined || json === undefined ? undefined : { name, json };
  }
  const json = words[words.indexOf('--add-mcp') + 1];
  return words.includes('--add-mcp') && json !== undefined ? { json } : undefined;
}

function plain(all: readonly string[], around: Surroundings): ImportedServer {
  const words = all[0] === 'env' ? all.slice(1) : all;
  const env: Record<string, string> = {};
  let start = 0;
  for (const word of words) {
    const [, name, value] = assignment.exec(word) ?? [];
    if (name === undefined || value === undefined) {
      break;
    }
    env[name] = value;
    start += 1;
  }
  const [command = '', ...args] = words.slice(start);
  const server = translateServer(
    { name: suggestName(command, args), raw: launch(command, args, env) },
    rules,
    around,
  );
  const shell = args.find((word) => shellWord.test(word));
  return shell === undefined
    ? server
    : {
        ...server,
        problems: [t('`{0}` has no effect: no shell runs the command', shell), ...server.problems],
      };
}

/** Options of `… mcp add` of Claude Code, Gemini CLI and Codex. */
const options = {
  env: { type: 'string', short: 'e' },
  header: { type: 'string', short: 'H' },
  transport: { type: 'string', short: 't' },
  scope: { type: 'string', short: 's' },
  url: { type: 'string' },
  'bearer-token-env-var': { type: 'string' },
  'client-id': { type: 'string' },
  'callback-port': { type: 'string' },
  timeout: { type: 'string' },
  description: { type: 'string' },
  'include-tools': { type: 'string' },
  'exclude-tools': { type: 'string' },
} as const;
/** Those that have a counterpart here. */
const taken = new Set(['transport', 'url', 'bearer-token-env-var', 'client-id', 'callback-port']);
/** Those that can be left out without loss. */
const meaningless = new Set(['scope', 'description', 'trust']);
/** Those that take several words, `--env A=1 B=2`: all that have this form. */
const several: ReadonlyMap<string, RegExp> = new Map([
  ['env', assignment],
  ['header', headerLine],
]);

function added(words: readonly string[], around: Surroundings): ImportedFile {
  const { values, pairs, positional, left } = readOptions(words);
  const [name, target = '', ...args] = positional;
  const url = values.get('url') ?? (isUrl.test(target) ? target : undefined);
  if (name === undefined || (target === '' && url === undefined)) {
    return { servers: [], problems: [t('needs a name, and a command or a URL')] };
  }
  const env = Object.fromEntries(pairs.get('env') ?? []);
  const headers = Object.fromEntries(pairs.get('header') ?? []);
  const port = values.get('callback-port');
  const oauth = withoutUndefined({
    clientId: values.get('client-id'),
    callbackPort: port === undefined ? undefined : Number(port),
  });
  const raw =
    url === undefined
      ? launch(target, args, env)
      : withoutUndefined({
          type: values.get('transport'),
          url,
          headers: filled(headers),
          bearer_token_env_var: values.get('bearer-token-env-var'),
          oauth: filled(oauth),
        });
  const server = translateServer({ name, raw }, rules, around);
  const problems = left.map((option) => t('`{0}` is left out: it is not supported here', option));
  return { servers: [{ ...server, problems: [...problems, ...server.problems] }], problems: [] };
}

interface AddOptions {
  readonly values: Map<string, string>;
  readonly pairs: Map<string, (readonly [name: string, value: string])[]>;
  readonly positional: string[];
  readonly left: string[];
}

function readOptions(words: readonly string[]): AddOptions {
  const read: AddOptions = { values: new Map(), pairs: new Map(), positional: [], left: [] };
  const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true });
  let open = '';
  for (const token of tokens) {
    const isEnd = token.kind === 'option-terminator';
    const [, target = ''] = read.positional;
    if (isEnd || (target !== '' && !isUrl.test(target))) {
      // The rest is the server's command line, or more of it.
      read.positional.push(...words.slice(isEnd ? token.index + 1 : token.index));
      break;
    }
    const { value = '' } = token;
    open = token.kind === 'option' ? token.name : open;
    const pair = pairOf(open, value);
    if (pair !== undefined) {
      read.pairs.set(open, [...(read.pairs.get(open) ?? []), pair]);
    } else if (token.kind === 'positional') {
      open = '';
      read.positional.push(value);
    } else {
      takeOption(token, read);
    }
  }
  return read;
}

function pairOf(option: string, value: string): readonly [string, string] | undefined {
  const [, name, of] = isUrl.test(value) ? [] : (several.get(option)?.exec(value) ?? []);
  return name === undefined || of === undefined ? undefined : [name, of];
}

function takeOption(
  { name, rawName, value = '' }: { name: string; rawName: string; value?: string | undefined },
  read: AddOptions,
): void {
  if (taken.has(name)) {
    read.values.set(name, value);
  } else if (!meaningless.has(name) && !several.has(name)) {
    read.left.push(rawName);
  }
}

/** Undefined for an object without members. */
function filled<T extends object>(value: T): T | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}

function launch(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): JsonObject {
  return withoutUndefined({
    command: command || undefined,
    args: args.length > 0 ? args : undefined,
    env: filled(env),
  });
}
