/**
 * Rules that find risky parts of a launch. They read the settings and run nothing. They highlight parts of a dialog
 * that shows everything anyway, and are no security boundary.
 */
import { stableStringify } from '../../base/json.ts';
import { isLoopback } from '../../mcp/network/loopback.ts';
import { type Platform, variableKey } from '../config/environment.ts';
import { type NamedPlaces, onceEach, placeRisks } from './placeRisks.ts';
import type { Risk, VariableOrigin } from './launchDescription.ts';
import { fetchers, type LaunchPrograms, type Program, programsOf } from './programs.ts';
import { visible } from '../../base/visible.ts';

/** A launch as far as it is known before any question: `${env:…}` and `${input:…}` may remain. */
export interface StdioSubject extends Omit<NamedPlaces, 'programs' | 'variables'> {
  readonly env: Readonly<Record<string, string | null>>;
  readonly envFile: Readonly<Record<string, string>>;
}

export interface HttpSubject {
  /** Scheme, host and port, as far as known. */
  readonly origin: string;
  /** Fields that carry a secret: `url`, `headers.Authorization`. */
  readonly secretFields: readonly string[];
}

interface StdioFacts extends NamedPlaces, LaunchPrograms {}

const rules: readonly ((facts: StdioFacts) => readonly Risk[])[] = [
  commandRule(
    'elevation',
    ({ name }) => elevating.test(name),
    (text) => /-Verb\s+['"]?RunAs\b/iu.test(text),
  ),
  commandRule('recursiveDelete', isRecursiveDelete, (text) =>
    text.split(/[;|\n]/u).some(isRemoveItem),
  ),
  downloadToShell,
  networkFetch,
  encodedCommand,
  loaderVariables,
  placeRisks,
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

/** A rule over the programs that run, and over the scripts of PowerShell. */
function commandRule(
  kind: 'elevation' | 'recursiveDelete',
  isProgram: (program: Program) => boolean,
  isScript: (text: string) => boolean,
): (facts: StdioFacts) => readonly Risk[] {
  return ({ programs, powerShell }) => [
    ...programs.filter(isProgram).map(({ words }) => found(kind, words)),
    ...powerShell.filter(({ text }) => isScript(text)).map(({ text }) => found(kind, [text])),
  ];
}

const elevating = /^(?:sudo|sudo-rs|doas|pkexec|su|run0|runas|gsudo|kdesu|gksu|gksudo)$/u;

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

/** Variables that make a runtime, a shell, a linker or a package manager run arbitrary code. */
const loaders = new RegExp(
  `^(?:${[
    'NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|BUN_OPTIONS|BUN_INSPECT_PRELOAD|ELECTRON_RUN_AS_NODE',
    'LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_.*|GCONV_PATH',
    'PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|PYTHONUSERBASE|PYTHONBREAKPOINT',
    'BASH_ENV|ENV|ZDOTDIR|PROMPT_COMMAND|BASH_FUNC_.*|SHELLOPTS|PS4',
    'PERL5OPT|PERL5LIB|PERLLIB|PERL5DB|RUBYOPT|RUBYLIB|PHPRC|PHP_INI_SCAN_DIR|LUA_INIT.*|LUA_PATH|LUA_CPATH',
    'JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH',
    'DOTNET_STARTUP_HOOKS|DOTNET_ADDITIONAL_DEPS|COR_PROFILER.*|CORECLR_PROFILER.*',
    'GIT_SSH|GIT_SSH_COMMAND|GIT_EXEC_PATH|GIT_ASKPASS|GIT_PROXY_COMMAND|GIT_EXTERNAL_DIFF|GIT_CONFIG.*|GIT_EDITOR',
    'npm_config_(?:registry|userconfig|globalconfig|script_shell|node_options|prefix)|NPM_CONFIG_(?:REGISTRY|USERCONFIG|GLOBALCONFIG|SCRIPT_SHELL|NODE_OPTIONS|PREFIX)',
    'PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|PIP_CONFIG_FILE|UV_INDEX.*|UV_DEFAULT_INDEX|UV_EXTRA_INDEX_URL|UV_CONFIG_FILE',
    'RUSTC_WRAPPER|GOFLAGS|GOPROXY|COMSPEC',
  ].join('|')})$`,
  'u',
);

export function isLoaderVariable(name: string, platform: Platform): boolean {
  return loaders.test(name) || loaders.test(variableKey(platform, name));
}

function loaderVariables({ variables, platform }: StdioFacts): readonly Risk[] {
  return variables
    .filter(({ name }) => isLoaderVariable(name, platform))
    .map(({ name, origin }) => ({ kind: 'loaderVariable', name: visible(name), origin }));
}

function found<K extends 'elevation' | 'recursiveDelete' | 'downloadToShell' | 'networkFetch'>(
  kind: K,
  words: readonly string[],
): { readonly kind: K; readonly text: string } {
  return { kind, text: visible(words.join(' ')) };
}
