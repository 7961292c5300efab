/**
 * Which programs a launch runs: its command, those that wrappers such as `env` or `npx` run, and those in a script
 * given to a shell. The rules judge them.
 */
import type { Platform } from '../config/environment.ts';
import { type Dialect, parseScript, type ScriptCommand } from './shellScript.ts';

export interface Program {
  /** Lower case, without folder and extension: `rm` for `/bin/rm`, `sudo` for `sudo.exe`. */
  readonly name: string;
  /** Its name as written and its arguments. */
  readonly words: readonly string[];
  /** Variables set for it on the command line, such as `A` in `env A=1 x`. */
  readonly assignments: readonly (readonly [name: string, value: string])[];
  /** Whether a program fetches from the network whose output it gets, by a pipeline or among its words. */
  readonly isFedByFetch: boolean;
  /** The script that holds it; undefined when the launch names it directly. */
  readonly script?: string;
}

export interface LaunchPrograms {
  readonly programs: readonly Program[];
  /** Scripts for PowerShell, whose grammar is not parsed. */
  readonly powerShell: readonly {
    readonly text: string;
    /** The text as written, if it is base64. */
    readonly encoded?: string;
    readonly isReadable: boolean;
  }[];
}

/** Programs that run another one, each with those of its options that take a value. */
const wrappers: ReadonlyMap<string, RegExp> = new Map([
  ['env', /^(?:-[uCS]|--unset|--chdir)$/u],
  ['nice', /^-n$/u],
  ['nohup', /^$/u],
  ['setsid', /^$/u],
  ['time', /^-[fo]$/u],
  ['timeout', /^-[sk]$/u],
  ['stdbuf', /^-[ioe]$/u],
  ['xargs', /^-[nPILdaEs]$/u],
  ['exec', /^-a$/u],
  ['command', /^$/u],
  ['sudo', /^-[ughpCrtTUD]$/u],
  ['doas', /^-[uC]$/u],
  ['pkexec', /^--user$/u],
  ['npx', /^(?:-p|--package)$/u],
  ['bunx', /^$/u],
  ['wsl', /^(?:-d|-u|--distribution|--user|--cd)$/u],
  ['busybox', /^$/u],
  ['bwrap', /^$/u],
  ['sandbox-exec', /^-[Dfnp]$/u],
]);

/** Programs that output what they get from the network. */
export const fetchers = /^(?:curl|wget|wget2|fetch|aria2c|http|https|xh)$/u;
const shells = /^(?:sh|bash|zsh|dash|ash|ksh|fish|csh|tcsh|rbash)$/u;
const powerShells = /^(?:powershell|pwsh)$/u;
const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/su;
const maxDepth = 8;

export function programsOf(
  command: string,
  args: readonly string[],
  platform: Platform,
): LaunchPrograms {
  const collector = new ProgramCollector(platform);
  collector.add({ words: [command, ...args], isFedByFetch: false, depth: 0 });
  return collector;
}

interface CommandLine {
  readonly words: readonly string[];
  readonly isFedByFetch: boolean;
  readonly depth: number;
  readonly script?: string;
}

class ProgramCollector implements LaunchPrograms {
  readonly programs: Program[] = [];
  readonly powerShell: LaunchPrograms['powerShell'][number][] = [];
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  add(line: CommandLine): void {
    if (line.depth > maxDepth) {
      return;
    }
    const { isFedByFetch, script, depth } = line;
    // Without a shell, an `A=1` in front is itself the program's name.
    const { assignments, words } =
      script === undefined ? { assignments: [], words: line.words } : splitAssignments(line.words);
    const name = programName(words[0] ?? '');
    this.programs.push({
      name,
      words,
      assignments,
      isFedByFetch,
      ...(script === undefined ? {} : { script }),
    });
    const optionsWithValue = wrappers.get(name);
    if (optionsWithValue !== undefined) {
      const inner = splitAssignments(
        name === 'bwrap' ? behindDashes(words) : wrapped(words.slice(1), optionsWithValue),
      );
      const { assignments: given } = inner;
      this.programs.push({ name: '', words: [], assignments: given, isFedByFetch: false });
      if (inner.words.length > 0) {
        this.add({ ...line, words: inner.words, depth: depth + 1 });
      }
    }
    if (powerShells.test(name)) {
      this.powerShell.push(...powerShellScript(words));
    }
    const given = this.#scriptOf(name, words);
    if (given !== undefined) {
      this.#addScript(given.text, given.dialect, depth + 1);
    }
  }

  #addScript(text: string, dialect: Dialect, depth: number): void {
    const behindFetch = new Set<ScriptCommand>();
    for (const command of parseScript(text, dialect)) {
      const { words, pipedFrom, substituted } = command;
      if (pipedFrom !== undefined && (behindFetch.has(pipedFrom) || isFetch(pipedFrom))) {
        behindFetch.add(command);
      }
      const isFedByFetch = behindFetch.has(command) || substituted.some(isFetch);
      this.add({ words, isFedByFetch, depth, script: text });
    }
  }

  #scriptOf(
    name: string,
    words: readonly string[],
  ): { readonly text: string; readonly dialect: Dialect } | undefined {
    if (name === 'eval') {
      return { text: words.slice(1).join(' '), dialect: 'sh' };
    }
    const option = words.findIndex((word, index) => index > 0 && isScriptOption(name, word));
    if (option < 0) {
      return undefined;
    }
    if (name === 'cmd') {
      return { text: words.slice(option + 1).join(' '), dialect: 'windows' };
    }
    const isForCmd = name === 'npx' && this.#platform === 'win32';
    return { text: words[option + 1] ?? '', dialect: isForCmd ? 'windows' : 'sh' };
  }
}

/** Lower case, without folder and Windows extension. */
function programName(word: string): string {
  // `@scope/sudo` is a package for npx.
  if (word.startsWith('@')) {
    return word.toLowerCase();
  }
  const base = word.split(/[\\/]/u).at(-1) ?? word;
  return base.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/u, '');
}

function isFetch({ words }: ScriptCommand): boolean {
  const first = words.find((word) => !assignment.test(word));
  return first !== undefined && fetchers.test(programName(first));
}

function isScriptOption(name: string, word: string): boolean {
  if (name === 'cmd') {
    return /^\/[ck]$/iu.test(word);
  }
  if (name === 'npx') {
    return word === '-c' || word === '--call';
  }
  return shells.test(name) && /^-[a-z]+$/iu.test(word) && /c/iu.test(word);
}

/** The `A=1` words at the start, and the rest. */
function splitAssignments(words: readonly string[]): Pick<Program, 'assignments' | 'words'> {
  const assignments: (readonly [string, string])[] = [];
  for (const word of words) {
    const [, name, value] = assignment.exec(word) ?? [];
    if (name === undefined) {
      break;
    }
    assignments.push([name, value ?? '']);
  }
  return { assignments, words: words.slice(assignments.length) };
}

/** What bubblewrap runs: its options take up to three values. */
function behindDashes(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? [] : words.slice(end + 1);
}

/** What another wrapper runs: the words after its options and durations. */
function wrapped(words: readonly string[], optionsWithValue: RegExp): readonly string[] {
  let index = 0;
  while (index < words.length) {
    const word = words[index] ?? '';
    if (optionsWithValue.test(word)) {
      index += 2;
    } else if (word.startsWith('-') || /^\d+(?:\.\d+)?[smhd]?$/u.test(word)) {
      index++;
    } else {
      break;
    }
  }
  return words.slice(index);
}

function powerShellScript(words: readonly string[]): LaunchPrograms['powerShell'] {
  for (let index = 1; index < words.length; index++) {
    const word = (words[index] ?? '').toLowerCase();
    const value = words[index + 1] ?? '';
    if (/^[-/](?:ec?|enc.*)$/u.test(word)) {
      const text = decodeUtf16(value);
      return [{ text: text ?? '', encoded: value, isReadable: text !== undefined }];
    }
    if (/^[-/]c(?:o.*)?$/u.test(word)) {
      return [{ text: words.slice(index + 1).join(' '), isReadable: true }];
    }
    if (/^[-/]f(?:i.*)?$/u.test(word)) {
      return [];
    }
  }
  // Without -Command, Windows PowerShell takes the words that are no options as the script.
  const script = words.slice(1).filter((word) => !word.startsWith('-'));
  return script.length === 0 ? [] : [{ text: script.join(' '), isReadable: true }];
}

/** Decodes the value of -EncodedCommand: base64 of UTF-16LE. */
function decodeUtf16(base64: string): string | undefined {
  return /^[A-Za-z0-9+/]+={0,2}$/u.test(base64)
    ? Buffer.from(base64, 'base64').toString('utf16le')
    : undefined;
}
