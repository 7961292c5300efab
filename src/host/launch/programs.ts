/**
 * The commands of a launch: its own, those that wrappers such as `env` or `npx` run, and those of a script given to a
 * shell. Good enough to point at risky ones; a script can hide commands from it.
 */

export interface Command {
  /** Lower case, without folder and extension: `rm` for `/bin/rm`, `sudo` for `sudo.exe`. */
  readonly name: string;
  /** Its name as written and its arguments. */
  readonly words: readonly string[];
  /** `A=1` words that set its variables. */
  readonly variables: readonly string[];
  /** The script that holds it; undefined when the launch names it directly. */
  readonly script: string | undefined;
  /** The script for PowerShell that it runs. The reader knows only a part of that language. */
  readonly powerShell: string | undefined;
  /** The same for commands that may get each other's output. */
  readonly statement: object;
  /** Its script in base64, and what that says where it can be decoded. */
  readonly encoded: { readonly text: string; readonly decoded: string | undefined } | undefined;
}

/** Programs that run another one, each with those of its options that take a value. */
const wrappers: ReadonlyMap<string, RegExp> = new Map([
  ['env', /^(?:-[uCS]|--unset|--chdir)$/u],
  ['nice', /^(?:-n|--adjustment)$/u],
  ['nohup', /^$/u],
  ['setsid', /^$/u],
  ['time', /^(?:-[fo]|--format|--output)$/u],
  ['timeout', /^(?:-[sk]|--signal|--kill-after)$/u],
  ['stdbuf', /^(?:-[ioe]|--input|--output|--error)$/u],
  ['xargs', /^-[nPILdaEs]$/u],
  ['exec', /^-a$/u],
  ['export', /^/u], // runs nothing: its words set variables
  ['command', /^$/u],
  ['sudo', /^(?:-[A-Za-z]*[ughpCrtTUDR]|--(?:user|group|host|prompt|role|type|chdir|chroot))$/u],
  ['doas', /^-[uC]$/u],
  ['pkexec', /^--user$/u],
  ['npx', /^(?:-[pw]|--package|--workspace|--registry)$/u],
  ['bunx', /^(?:-p|--package)$/u],
  ['wsl', /^(?:-[du]|--distribution|--user|--cd)$/u],
  ['busybox', /^$/u],
  ['bwrap', /^$/u],
  ['sandbox-exec', /^-[Dfnp]$/u],
]);
export const elevating = /^(?:sudo|sudo-rs|doas|pkexec|su|run0|runas|gsudo|kdesu|gksu|gksudo)$/u;
/** Programs that output what they get from the network. */
export const fetchers = /^(?:curl|wget2?|fetch|aria2c|https?|xh)$/u;
export const interpreters =
  /^(?:sh|bash|zsh|dash|ash|ksh|fish|csh|tcsh|rbash|cmd|powershell|pwsh|eval|source|\.|python[\d.]*|node|nodejs|deno|bun|perl|ruby|php|tclsh|lua|osascript|xargs)$/u;
export const containers = /^(?:docker|podman|nerdctl|finch)$/u;
/** Programs that can delete folders, with the options that have them do it. */
export const deleting: readonly (readonly [names: RegExp, options: RegExp])[] = [
  [/^rm$/u, / (?:-[a-z]*r[a-z]*|--rec[a-z]*) /iu],
  [/^(?:remove-item|ri|rmdir|rd|del|erase)$/u, / (?:\/s|-r(?:e[a-z]*)?) /iu],
  [/^find$/u, / (?:-delete|-(?:exec|ok)(?:dir)? (?:\S*\/)?rm) /u],
  [/^(?:rimraf|shred)$/u, /^/u],
];

const powerShells = /^(?:powershell|pwsh)$/u;
/** The option in front of a script, by program. */
const scriptOptions: readonly (readonly [names: RegExp, option: RegExp])[] = [
  [/^(?:sh|bash|zsh|dash|ash|ksh|fish|csh|tcsh|rbash)$/u, /^-[a-z]*c[a-z]*$/iu],
  [/^npx$/u, /^(?:-c|--call)$/u],
  [/^cmd$/u, /^\/[ck]$/iu],
];
/** The option of PowerShell in front of a script, of one in base64, or of a file. */
const powerShellOption = /^[-/](?:(?<script>c(?:o.*)?)|(?<base64>ec?|enc.*)|f(?:i.*)?)$/iu;
const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/u;
const maxDepth = 8;

/** @param words of a command line */
export function* commandsOf(
  words: readonly string[],
  script?: string,
  statement: object = {},
  depth = 0,
): Generator<Command> {
  // Without a shell, an `A=1` in front is itself the program's name.
  const first = script === undefined ? 0 : words.findIndex((word) => !assignment.test(word));
  const own = first < 0 ? [] : words.slice(first);
  const name = programName(own[0] ?? '');
  const inner = wrappedAt(name, own);
  const options = inner < 0 ? own : own.slice(0, inner);
  const set = [...words.slice(0, words.length - own.length), ...options];
  const variables = set.filter((word) => assignment.test(word));
  const { text = '', isForWindows, encoded } = scriptOf(name, own);
  const powerShell = powerShells.test(name) ? text : undefined;
  yield { name, words: own, variables, script, powerShell, statement, encoded };
  if (depth < maxDepth && inner > 0) {
    yield* commandsOf(own.slice(inner), script, statement, depth + 1);
  }
  const lines = depth < maxDepth ? parseScript(isForWindows === true ? ofWindows(text) : text) : [];
  for (const line of lines) {
    yield* commandsOf(line.words, text, line.statement, depth + 1);
  }
}

/**
 * Where in the words of a wrapper the program begins that it runs: behind its options, their values, assignments and
 * durations. -1 if it runs none, 0 for a program that is no wrapper.
 */
function wrappedAt(name: string, words: readonly string[]): number {
  const withValue = wrappers.get(name);
  if (withValue === undefined) {
    return 0;
  }
  if (name === 'bwrap') {
    return words.indexOf('--') + 1 || -1; // its options take up to three values
  }
  return words.findIndex(
    (word, index) =>
      index > 0 &&
      !withValue.test(words[index - 1] ?? '') &&
      !word.startsWith('-') &&
      !assignment.test(word) &&
      !/^\d+(?:\.\d+)?[smhd]?$/u.test(word),
  );
}

/** Lower case, without folder and Windows extension. */
function programName(word: string): string {
  // `@scope/sudo` is a package for npx, and nobody runs a URL.
  const base = /^@|:\/\//u.test(word) ? word : (word.split(/[\\/]/u).at(-1) ?? word);
  return base.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/u, '');
}

interface Script {
  readonly text?: string;
  /** Whether cmd or PowerShell reads it. */
  readonly isForWindows?: boolean;
  readonly encoded?: Command['encoded'];
}

function scriptOf(name: string, words: readonly string[]): Script {
  if (name === 'eval') {
    return { text: words.slice(1).join(' ') };
  }
  if (powerShells.test(name)) {
    return { isForWindows: true, ...powerShellScript(words.slice(1)) };
  }
  const [, option] = scriptOptions.find(([names]) => names.test(name)) ?? [];
  const at = words.findIndex((word, index) => index > 0 && option?.test(word) === true);
  return at < 0 ? {} : { text: words.slice(at + 1).join(' '), isForWindows: name === 'cmd' };
}

function powerShellScript(args: readonly string[]): Script {
  const at = args.findIndex((word) => powerShellOption.test(word));
  if (at < 0) {
    // Windows PowerShell takes the words that are no options as the script.
    return { text: args.filter(isNoOption).join(' ') };
  }
  const { script, base64 } = powerShellOption.exec(args[at] ?? '')?.groups ?? {};
  if (base64 !== undefined) {
    const text = args[at + 1] ?? '';
    const decoded = decodeUtf16(text);
    return { text: decoded ?? '', encoded: { text, decoded } };
  }
  return script === undefined ? {} : { text: args.slice(at + 1).join(' ') };
}

/** For a reader of shell scripts: a backslash, a backtick and a single quote are ordinary on Windows. */
function ofWindows(script: string): string {
  return script.replaceAll(/[\\'`]/gu, '\\$&');
}

function isNoOption(word: string): boolean {
  return !word.startsWith('-');
}

/** Decodes the value of -EncodedCommand: base64 of UTF-16LE. */
function decodeUtf16(base64: string): string | undefined {
  return /^[A-Za-z0-9+/]+={0,2}$/u.test(base64)
    ? Buffer.from(base64, 'base64').toString('utf16le')
    : undefined;
}

/** The next part of a script. `${…}` stays: it may be one of our variables. */
const plainPart =
  /\\(?<escaped>[^]?)|'(?<single>[^']*)'?|(?<quote>")|\$\{[^}]*\}?|(?<open>[$<>]?\(|`)|(?<=[<>])&|&(?=[<>])|(?<end>&&|\|[|&]?|[;&(){}\n\r])|(?<blank>\s+)|[^\s"'`\\$<>|&;(){}]+|[^]/uy;
const quotedPart =
  /\\(?<escaped>["\\$`'])|(?<quote>")|\$\{[^}]*\}?|(?<open>\$\(|`)|[^"\\$`]+|[^]/uy;

interface Line {
  readonly words: readonly string[];
  readonly statement: object;
}

function parseScript(script: string): readonly Line[] {
  const reader = new ScriptReader();
  for (let index = 0; index < script.length;) {
    const pattern = reader.isQuoted ? quotedPart : plainPart;
    pattern.lastIndex = index;
    const match = pattern.exec(script);
    const found = match?.[0] ?? script.slice(index);
    reader.take(found, match?.groups ?? {});
    index += found.length;
  }
  return reader.end();
}

/** A command that is being read. */
interface Part {
  readonly words: string[];
  word?: string | undefined;
  isQuoted: boolean;
}

class ScriptReader {
  readonly #lines: Line[] = [];
  /** What is around the current `$(…)`, and what ends that. */
  readonly #outer: { readonly part: Part; readonly end: string }[] = [];
  #part: Part = { words: [], isQuoted: false };
  #statement = {};

  get isQuoted(): boolean {
    return this.#part.isQuoted;
  }

  /** @param groups of the pattern that found it */
  take(found: string, groups: Readonly<Record<string, string>>): void {
    const { open, end, blank, quote, single, escaped } = groups;
    if (!this.isQuoted && found === this.#outer.at(-1)?.end) {
      this.#endCommand();
      this.#part = this.#outer.pop()?.part ?? this.#part;
    } else if (open !== undefined) {
      this.#add('');
      this.#outer.push({ part: this.#part, end: found === '`' ? found : ')' });
      this.#part = { words: [], isQuoted: false };
    } else if (end !== undefined) {
      this.#endCommand();
      this.#endStatement(found);
    } else if (blank !== undefined) {
      this.#endWord();
    } else if (quote === undefined) {
      this.#add(single ?? escaped?.replace('\n', '') ?? found);
    } else {
      this.#add('');
      this.#part.isQuoted = !this.isQuoted;
    }
  }

  /** A pipe goes on with it, and so does all that another command gets the output of. */
  #endStatement(separator: string): void {
    if (this.#outer.length === 0 && !/^\|&?$/u.test(separator)) {
      this.#statement = {};
    }
  }

  end(): readonly Line[] {
    this.#endCommand();
    for (const { part } of this.#outer.toReversed()) {
      this.#part = part;
      this.#endCommand();
    }
    return this.#lines;
  }

  #add(text: string): void {
    this.#part.word = (this.#part.word ?? '') + text;
  }

  #endWord(): void {
    const { words, word } = this.#part;
    if (word !== undefined) {
      words.push(word);
      this.#part.word = undefined;
    }
  }

  #endCommand(): void {
    this.#endWord();
    const { words } = this.#part;
    if (words.length > 0) {
      this.#lines.push({ words, statement: this.#statement });
      this.#part = { words: [], isQuoted: false };
    }
  }
}
