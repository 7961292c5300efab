/**
 * A pasted command line → servers: a program with its arguments, or a command that adds a server to another program
 * (`claude mcp add …`). Runs nothing, and looks nothing up.
 */
import { splitCommandLine, suggestName } from './commandLine.ts';
import type { ImportedFile, ImportedServer, Surroundings } from './importedServer.ts';
import type { ProgramRules } from './serverDraft.ts';
import { translateServer } from './translateServer.ts';

/** A shell would have replaced `$NAME`. */
const rules: ProgramRules = { variables: { bareNames: true } };
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
    return { servers: [], problems: ['a quote is not closed'] };
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
    const [name, json] = words.slice(3).filter((word) => !word.startsWith('-'));
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
        problems: [`\`${shell}\` has no effect: no shell runs the command`, ...server.problems],
      };
}

/** Options of `… mcp add` of Claude Code, Gemini CLI and Codex. */
interface AddOptions {
  readonly values: Map<string, string>;
  readonly env: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly positional: string[];
  readonly unknown: string[];
}

/** Options with a value, by their long names. */
const optionsWithValue: ReadonlyMap<string, string> = new Map([
  ['-t', '--transport'],
  ['--transport', '--transport'],
  ['-s', '--scope'],
  ['--scope', '--scope'],
  ['--url', '--url'],
  ['--bearer-token-env-var', '--bearer-token-env-var'],
  ['--client-id', '--client-id'],
  ['--callback-port', '--callback-port'],
  ['--timeout', '--timeout'],
  ['--description', '--description'],
  ['--include-tools', '--include-tools'],
  ['--exclude-tools', '--exclude-tools'],
]);
/** Options that can be left out without loss. */
const meaningless = new Set(['--scope', '--description', '--trust']);

function added(words: readonly string[], around: Surroundings): ImportedFile {
  const { values, env, headers, positional, unknown } = readOptions(words);
  const [name, target = '', ...args] = positional;
  const url = values.get('--url') ?? (isUrl.test(target) ? target : undefined);
  if (name === undefined || (target === '' && url === undefined)) {
    return { servers: [], problems: ['needs a name, and a command or a URL'] };
  }
  const oauth = {
    ...(values.has('--client-id') && { clientId: values.get('--client-id') }),
    ...(values.has('--callback-port') && { callbackPort: Number(values.get('--callback-port')) }),
  };
  const raw =
    url === undefined
      ? launch(target, args, env)
      : {
          ...(values.has('--transport') && { type: values.get('--transport') }),
          url,
          ...(Object.keys(headers).length > 0 && { headers }),
          ...(values.has('--bearer-token-env-var') && {
            bearer_token_env_var: values.get('--bearer-token-env-var'),
          }),
          ...(Object.keys(oauth).length > 0 && { oauth }),
        };
  const server = translateServer({ name, raw }, rules, around);
  const left = [
    ...unknown,
    ...['--timeout', '--include-tools', '--exclude-tools'].filter((option) => values.has(option)),
  ];
  const problems = left.map((option) => `\`${option}\` is left out: it is not supported here`);
  return { servers: [{ ...server, problems: [...problems, ...server.problems] }], problems: [] };
}

function readOptions(words: readonly string[]): AddOptions {
  const options: AddOptions = {
    values: new Map(),
    env: {},
    headers: {},
    positional: [],
    unknown: [],
  };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [, target = ''] = options.positional;
    if (word === '--' || (target !== '' && !isUrl.test(target))) {
      // The rest is the server's command line, or more of it.
      for (const one of words.slice(word === '--' ? index + 1 : index)) {
        options.positional.push(one);
      }
      break;
    }
    if (word.startsWith('-')) {
      index += readOption(words, index, options);
    } else {
      options.positional.push(word);
    }
  }
  return options;
}

/** @returns the number of words consumed besides the option itself */
function readOption(words: readonly string[], index: number, options: AddOptions): number {
  const [flag, given] = splitOption(words[index] ?? '');
  const known = optionsWithValue.get(flag);
  switch (flag) {
    case '-e':
    case '--env':
      return takeMany(words, index, given, assignment, options.env);
    case '-H':
    case '--header':
      return takeMany(words, index, given, headerLine, options.headers);
    default:
      if (known !== undefined) {
        options.values.set(known, given ?? words[index + 1] ?? '');
        return given === undefined ? 1 : 0;
      }
      if (!meaningless.has(flag)) {
        options.unknown.push(flag);
      }
      return 0;
  }
}

/** `--env A=1 B=2`: consumes all that match. @returns the number of words consumed besides the option */
function takeMany(
  words: readonly string[],
  index: number,
  given: string | undefined,
  shape: RegExp,
  into: Record<string, string>,
): number {
  const takes = (word: string): boolean => {
    const [, name, value] = shape.exec(word) ?? [];
    if (name === undefined || value === undefined) {
      return false;
    }
    into[name] = value;
    return true;
  };
  if (given !== undefined) {
    takes(given);
    return 0;
  }
  let taken = 0;
  while (takes(words[index + 1 + taken] ?? '')) {
    taken += 1;
  }
  return taken;
}

function splitOption(word: string): readonly [string, string | undefined] {
  const [, flag, value] = /^(--[\w-]+)=(.*)$/su.exec(word) ?? [];
  return flag === undefined ? [word, undefined] : [flag, value];
}

function launch(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return {
    ...(command !== '' && { command }),
    ...(args.length > 0 && { args }),
    ...(Object.keys(env).length > 0 && { env }),
  };
}
