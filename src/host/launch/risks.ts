/**
 * Rules that find risky parts of a launch. They read the settings and run nothing. They highlight parts of a dialog
 * that shows everything anyway, and are no security boundary.
 */
import { stableStringify } from '../../base/json.ts';
import { isLoopback } from '../../mcp/network/loopback.ts';
import { type Platform, variableKey } from '../config/environment.ts';
import { isPath, pathsOf } from './launchContext.ts';
import { containerRisks, isContainerProgram } from './containerRisks.ts';
import { isInside, leadsAnywhere, pathParts, type Places, toAbsolute } from './folderPaths.ts';
import type { PathField, Risk, VariableOrigin } from './launchDescription.ts';
import { isLoaderVariable } from './loaderVariables.ts';
import { fetchers, type LaunchPrograms, type Program, programsOf } from './programs.ts';
import { visible } from '../../base/visible.ts';

/** A launch as far as it is known before any question: `${env:…}` and `${input:…}` may remain. */
export interface StdioSubject extends Places {
  /** The entry sets its working directory. */
  readonly namesFolder: boolean;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | null>>;
  readonly envFile: Readonly<Record<string, string>>;
  readonly envFilePath?: string;
}

export interface HttpSubject {
  /** Scheme, host and port, as far as known. */
  readonly origin: string;
  /** Fields that carry a secret: `url`, `headers.Authorization`. */
  readonly secretFields: readonly string[];
}

interface StdioFacts extends StdioSubject, LaunchPrograms {
  readonly variables: readonly {
    readonly name: string;
    readonly value: string;
    readonly origin: VariableOrigin;
  }[];
}

const rules: readonly ((facts: StdioFacts) => readonly Risk[])[] = [
  elevation,
  recursiveDelete,
  downloadToShell,
  networkFetch,
  encodedCommand,
  loaderVariables,
  pathsInsideFolder,
  pathsOutsideFolder,
  (facts) => containerRisks(facts.programs, facts),
];

export function stdioRisks(subject: StdioSubject): readonly Risk[] {
  const ran = programsOf(subject.command, subject.args, subject.platform);
  const facts = { ...subject, ...ran, variables: variablesOf(subject, ran.programs) };
  const risks = rules.flatMap((rule) => rule(facts));
  return [...new Map(risks.map((risk) => [stableStringify(risk), risk])).values()];
}

export function httpRisks({ origin, secretFields }: HttpSubject): readonly Risk[] {
  if (!/^(?:http|ws):\/\//iu.test(origin) || isOnThisMachine(origin)) {
    return [];
  }
  return [
    { kind: 'plainHttp', origin: visible(origin) },
    ...secretFields.map((field) => ({ kind: 'secretOverPlainHttp', field }) as const),
  ];
}

/** @param origin as far as known */
export function isOnThisMachine(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && isLoopback(url);
}

function variablesOf(
  { env, envFile }: StdioSubject,
  programs: readonly Program[],
): StdioFacts['variables'] {
  return [
    ...setIn('env', Object.entries(env)),
    ...setIn('envFile', Object.entries(envFile)),
    ...programs.flatMap(({ assignments }) => setIn('command', assignments)),
  ];
}

function setIn(
  origin: VariableOrigin,
  entries: readonly (readonly [name: string, value: string | null])[],
): StdioFacts['variables'] {
  return entries.flatMap(([name, value]) => (value === null ? [] : [{ name, value, origin }]));
}

function elevation({ programs, powerShell }: StdioFacts): readonly Risk[] {
  const names = /^(?:sudo|sudo-rs|doas|pkexec|su|run0|runas|gsudo|kdesu|gksu|gksudo)$/u;
  return [
    ...programs
      .filter(({ name }) => names.test(name))
      .map(({ words }) => found('elevation', words)),
    ...powerShell
      .filter(({ text }) => /\b-Verb\s+['"]?RunAs\b|(?<![\w-])-Verb\s+['"]?RunAs\b/iu.test(text))
      .map(({ text }) => found('elevation', [text])),
  ];
}

function recursiveDelete({ programs, powerShell }: StdioFacts): readonly Risk[] {
  return [
    ...programs.filter(isRecursiveDelete).map(({ words }) => found('recursiveDelete', words)),
    ...powerShell
      .filter(({ text }) => text.split(/[;|\n]/u).some(isRemoveItem))
      .map(({ text }) => found('recursiveDelete', [text])),
  ];
}

/** Remove-Item or one of its aliases, with -Recurse or an abbreviation of it. */
function isRemoveItem(statement: string): boolean {
  return (
    /(?:^|[\s({&])(?:remove-item|ri|rm|rmdir|rd|del|erase)(?=\s)/iu.test(statement) &&
    /\s-r(?:e[a-z]*)?(?:\s|$)/iu.test(statement)
  );
}

function isRecursiveDelete({ name, words }: Program): boolean {
  const args = words.slice(1);
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  switch (name) {
    case 'rm':
      return options.some(
        (word) => (/^-[a-z]+$/iu.test(word) && /r/iu.test(word)) || /^--rec[a-z]*$/iu.test(word),
      );
    case 'rmdir':
    case 'rd':
    case 'del':
    case 'erase':
      return options.some((word) => /^\/s$/iu.test(word));
    case 'find':
      return (
        args.includes('-delete') ||
        / -(?:exec|ok)(?:dir)? (?:\S*\/)?rm /u.test(` ${args.join(' ')} `)
      );
    case 'rimraf':
    case 'shred':
      return true;
    default:
      return false;
  }
}

const interpreters =
  /^(?:sh|bash|zsh|dash|ash|ksh|fish|csh|tcsh|cmd|powershell|pwsh|eval|source|\.|python[\d.]*|node|nodejs|deno|bun|perl|ruby|php|tclsh|lua|osascript|xargs)$/u;
const powerShellFetch =
  /\b(?:iwr|irm|curl|wget|Invoke-WebRequest|Invoke-RestMethod|Start-BitsTransfer|Download(?:String|File|Data)|Net\.WebClient|HttpClient)\b/iu;

function downloadToShell({ programs, powerShell }: StdioFacts): readonly Risk[] {
  const texts = [
    ...programs
      .filter(({ name, isFedByFetch }) => isFedByFetch && interpreters.test(name))
      .map(({ words, script }) => script ?? words.join(' ')),
    ...powerShell
      .filter(
        ({ text }) => powerShellFetch.test(text) && /\b(?:iex|Invoke-Expression)\b/iu.test(text),
      )
      .map(({ text }) => text),
  ];
  return onceEach(texts).map((text) => found('downloadToShell', [text]));
}

function networkFetch(facts: StdioFacts): readonly Risk[] {
  const known = new Set(downloadToShell(facts).map((risk) => ('text' in risk ? risk.text : '')));
  const scripts = [
    ...facts.programs.flatMap(({ name, script }) =>
      script !== undefined && fetchers.test(name) ? [script] : [],
    ),
    ...facts.powerShell.flatMap(({ text }) => (powerShellFetch.test(text) ? [text] : [])),
  ];
  return onceEach(scripts)
    .map((script) => found('networkFetch', [script]))
    .filter(({ text }) => !known.has(text));
}

function encodedCommand({ powerShell }: StdioFacts): readonly Risk[] {
  return powerShell.flatMap(({ encoded, text, isReadable }) =>
    encoded === undefined
      ? []
      : [
          {
            kind: 'encodedCommand' as const,
            text: visible(encoded),
            ...(isReadable ? { decoded: visible(text) } : {}),
          },
        ],
  );
}

function loaderVariables({ variables, platform }: StdioFacts): readonly Risk[] {
  return variables
    .filter(({ name }) => isLoaderVariable(name, platform))
    .map(({ name, origin }) => ({ kind: 'loaderVariable', name: visible(name), origin }));
}

function pathsInsideFolder(facts: StdioFacts): readonly Risk[] {
  const { variables, platform } = facts;
  return variables
    .filter(({ name }) => variableKey(platform, name) === 'PATH')
    .flatMap(({ name, value, origin }) =>
      onceEach(pathEntries(value, platform))
        .filter((entry) => isUnderWorkspaceControl(entry, facts))
        .map((entry) => ({
          kind: 'pathInsideFolder' as const,
          name,
          entry: visible(entry),
          origin,
        })),
    );
}

function isUnderWorkspaceControl(entry: string, places: Places): boolean {
  // An empty entry is the working directory on a POSIX system, and nothing on Windows.
  if (entry === '') {
    return places.platform === 'posix';
  }
  const path = toAbsolute(entry, places);
  return path !== undefined && isInside(path, places);
}

/** Splits at the platform's separator, but not at the colon of `${env:PATH}`. */
function pathEntries(value: string, platform: Platform): readonly string[] {
  const separator = pathsOf(platform).delimiter;
  const entry = new RegExp(`(?:\\$\\{[^{}]*\\}|[^${separator}])*`, 'uy');
  const entries: string[] = [];
  for (let index = 0; index <= value.length;) {
    entry.lastIndex = index;
    const [text] = entry.exec(value) ?? [''];
    entries.push(text);
    index += text.length + 1;
  }
  // `$PATH` in a script's assignment is its value before.
  return entries.filter((text) => !/^\$\{?PATH\}?$|^%PATH%$/iu.test(text));
}

/** Folders of system programs; a command from there is no risk by itself. */
const systemFolder =
  /^(?:\/(?:usr|bin|sbin|opt|snap|nix|run\/current-system|home\/linuxbrew|Applications|Library|System)\/|[A-Za-z]:\\(?:Windows|Program Files(?: \(x86\))?|ProgramData)\\)/iu;
const devices = /^\/dev\/(?:null|zero|random|urandom|stdin|stdout|stderr|tty|fd\/\d+)$/u;

function pathsOutsideFolder(facts: StdioFacts): readonly Risk[] {
  const { command, cwd, namesFolder, envFilePath, platform, folders } = facts;
  if (folders.length === 0) {
    return [];
  }
  const outside = (field: PathField, text: string): readonly Risk[] => {
    const path = toAbsolute(text, facts);
    const isHarmless = path === undefined || isInside(path, facts) || devices.test(path);
    return isHarmless ? [] : [{ kind: 'pathOutsideFolder', field, path: visible(path) }];
  };
  const commandRisks =
    isPath(command, platform) && !systemFolder.test(toAbsolute(command, facts) ?? '/usr/')
      ? outside('command', command)
      : [];
  return [
    ...commandRisks,
    ...onceEach(argumentWords(facts).flatMap(pathParts))
      .filter((word) => leadsAnywhere(word, platform))
      .flatMap((word) => outside('argument', word)),
    ...(cwd === undefined || !namesFolder ? [] : outside('workingDirectory', cwd)),
    ...(envFilePath === undefined ? [] : outside('environmentFile', envFilePath)),
  ];
}

/** A script may run thousands of programs and repeat words as often: each text is checked once. */
function onceEach(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** Arguments, and the words of scripts in place of the scripts. A container's mounts have their own rule. */
function argumentWords({ programs, args }: StdioFacts): readonly string[] {
  if (programs.some(({ name }) => isContainerProgram(name))) {
    return [];
  }
  const scripts = new Set(programs.flatMap(({ script }) => script ?? []));
  const ofScripts = programs.flatMap(({ script, words }) =>
    script === undefined ? [] : words.slice(1),
  );
  return [...args.filter((arg) => !scripts.has(arg)), ...ofScripts];
}

function found<K extends 'elevation' | 'recursiveDelete' | 'downloadToShell' | 'networkFetch'>(
  kind: K,
  words: readonly string[],
): { readonly kind: K; readonly text: string } {
  return { kind, text: visible(words.join(' ')) };
}
