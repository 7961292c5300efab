/**
 * Rules that find risky parts of a launch: its commands, its variables, the places that it names. They read the settings
 * and run nothing. They highlight parts of a dialog that shows everything anyway, and are no security boundary.
 */
import { stableStringify } from '../../base/json.ts';
import { isLoopback } from '../../mcp/network/loopback.ts';
import { type Platform, variableKey } from '../config/environment.ts';
import { isPath } from './launchContext.ts';
import { folderAround, leadsAnywhere, pathParts, type Places, toAbsolute } from './folderPaths.ts';
import type { PathField, Risk, VariableOrigin } from './launchDescription.ts';
import {
  type Command,
  commandsOf,
  containers,
  deleting,
  elevating,
  fetchers,
  interpreters,
} from './programs.ts';
import { visible } from '../../base/visible.ts';

/** A launch as far as it is known before any question: `${env:…}` and `${input:…}` may remain. */
export interface StdioSubject extends Places {
  /** Of the workspace. */
  readonly folders: readonly string[];
  /** The entry sets its working directory. */
  readonly namesFolder: boolean;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | null>>;
  readonly envFile: Readonly<Record<string, string>>;
  readonly envFilePath?: string;
  /** What a sandbox lets it write. */
  readonly writable?: readonly string[];
}

export interface HttpSubject {
  /** Scheme, host and port, as far as known. */
  readonly origin: string;
  /** Fields that carry a secret: `url`, `headers.Authorization`. */
  readonly secretFields: readonly string[];
}

interface StdioFacts extends StdioSubject {
  readonly commands: readonly Command[];
}

const rules: readonly ((facts: StdioFacts) => readonly Risk[])[] = [
  commandRule('elevation', isElevating, runsAsAdministrator),
  commandRule('recursiveDelete', isDeleting, removesItems),
  ({ commands }) => downloads(commands),
  ({ commands }) => commands.flatMap(encodedCommand),
  variableRisks,
  pathsOutside,
  containerRisks,
];

export function stdioRisks(subject: StdioSubject): readonly Risk[] {
  const facts = { ...subject, commands: [...commandsOf([subject.command, ...subject.args])] };
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

/** A rule over commands, and over scripts of PowerShell in which the reader has found none that breaks it. */
function commandRule(
  kind: 'elevation' | 'recursiveDelete',
  isCommand: (command: Command) => boolean,
  isPowerShell: (script: string) => boolean,
): (facts: StdioFacts) => readonly Risk[] {
  return ({ commands }) => {
    const risky = commands.filter(isCommand);
    const told = new Set(risky.map(({ script }) => script));
    const scripts = powerShellIn(commands).filter((text) => !told.has(text) && isPowerShell(text));
    return [...risky.map(({ words }) => words), ...scripts.map((text) => [text])].map((words) =>
      found(kind, words),
    );
  };
}

function powerShellIn(commands: readonly Command[]): readonly string[] {
  return commands.flatMap(({ powerShell }) => powerShell ?? []);
}

function isElevating({ name }: Command): boolean {
  return elevating.test(name);
}

function runsAsAdministrator(script: string): boolean {
  return /-Verb[\s:]+['"]?RunAs\b/iu.test(script);
}

/** Remove-Item or one of its aliases, with -Recurse or an abbreviation of it. */
function removesItems(script: string): boolean {
  return script
    .split(/[;|\n]/u)
    .some(
      (statement) =>
        /(?:^|[\s({&])(?:remove-item|ri|rm|rmdir|rd|del|erase)(?=\s)/iu.test(statement) &&
        /\s-r(?:e[a-z]*)?(?:\s|$)/iu.test(statement),
    );
}

function isDeleting({ name, words }: Command): boolean {
  const [, options] = deleting.find(([names]) => names.test(name)) ?? [];
  // Behind `--` there are no options.
  const [args = ''] = ` ${words.slice(1).join(' ')} `.split(' -- ');
  return options?.test(`${args} `) === true;
}

const powerShellFetch =
  /\b(?:iwr|irm|curl|wget|Invoke-WebRequest|Invoke-RestMethod|Start-BitsTransfer|Download(?:String|File|Data)|Net\.WebClient|HttpClient)\b/iu;
const powerShellRun = /\b(?:iex|Invoke-Expression)\b/iu;

/** Scripts that fetch something: and run it, if a statement has an interpreter beside the fetching program. */
function downloads(commands: readonly Command[]): readonly Risk[] {
  const running = new Set(
    commands.filter(({ name }) => interpreters.test(name)).map(({ statement }) => statement),
  );
  const scripts = new Map<string, boolean>();
  for (const { name, script, statement } of commands) {
    if (script !== undefined && fetchers.test(name)) {
      scripts.set(script, scripts.get(script) === true || running.has(statement));
    }
  }
  for (const script of powerShellIn(commands).filter((text) => powerShellFetch.test(text))) {
    scripts.set(script, scripts.get(script) === true || powerShellRun.test(script));
  }
  return [...scripts].map(([script, isRun]) =>
    found(isRun ? 'downloadToShell' : 'networkFetch', [script]),
  );
}

function encodedCommand({ encoded }: Command): readonly Risk[] {
  return encoded === undefined
    ? []
    : [
        {
          kind: 'encodedCommand',
          text: visible(encoded.text),
          ...(encoded.decoded !== undefined && { decoded: visible(encoded.decoded) }),
        },
      ];
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

/** Variables that make programs load other code, and a PATH that finds programs inside of the workspace. */
function variableRisks({ env, envFile, commands, ...places }: StdioFacts): readonly Risk[] {
  const set: readonly (readonly [VariableOrigin, string, string | null])[] = [
    ...Object.entries(env).map(([name, value]) => ['env', name, value] as const),
    ...Object.entries(envFile).map(([name, value]) => ['envFile', name, value] as const),
    ...commands
      .flatMap(({ variables }) => variables)
      .map((word) => ['command', word.replace(/=.*$/su, ''), word.replace(/^.*?=/su, '')] as const),
  ];
  return set.flatMap(([origin, name, value]): readonly Risk[] => {
    if (value === null) {
      return [];
    }
    if (isLoaderVariable(name, places.platform)) {
      return [{ kind: 'loaderVariable', name: visible(name), origin }];
    }
    return variableKey(places.platform, name) === 'PATH'
      ? onceEach(pathEntries(value, places.platform))
          .filter((entry) => isControlled(entry, places))
          .map((entry) => ({ kind: 'pathInsideFolder', name, entry: visible(entry), origin }))
      : [];
  });
}

/** Splits at the platform's separator, but not at the colon of `${env:PATH}`. */
function pathEntries(value: string, platform: Platform): readonly string[] {
  const separator = platform === 'win32' ? /;/u : /:(?![^${}]*\})/u;
  // `$PATH` in a script's assignment is its value before.
  return value.split(separator).filter((entry) => !/^\$\{?PATH\}?$|^%PATH%$/iu.test(entry));
}

/** Whether the workspace decides what is in a folder. An empty entry is the working directory on a POSIX system. */
function isControlled(entry: string, places: Places & Pick<StdioSubject, 'folders'>): boolean {
  const path = entry === '' ? undefined : toAbsolute(entry, places);
  return path === undefined
    ? entry === '' && places.platform === 'posix'
    : folderAround(path, places.folders, places.platform) !== undefined;
}

/** Folders of system programs; a command from there is no risk by itself. */
const systemFolder =
  /^(?:\/(?:usr|bin|sbin|opt|snap|nix|run\/current-system|home\/linuxbrew|Applications|Library|System)\/|[A-Za-z]:\\(?:Windows|Program Files(?: \(x86\))?|ProgramData)\\)/iu;
const devices = /^\/dev\/(?:null|zero|random|urandom|stdin|stdout|stderr|tty|fd\/\d+)$/u;

function pathsOutside(facts: StdioFacts): readonly Risk[] {
  const { command, cwd, namesFolder, envFilePath, writable = [], platform, folders } = facts;
  if (folders.length === 0) {
    return [];
  }
  const outside = (field: PathField, text: string): readonly Risk[] => {
    const path = toAbsolute(text, facts);
    return path === undefined || folderAround(path, folders, platform) || devices.test(path)
      ? []
      : [{ kind: 'pathOutsideFolder', field, path: visible(path) }];
  };
  const isOfSystem =
    !isPath(command, platform) || systemFolder.test(toAbsolute(command, facts) ?? '/usr/');
  return [
    ...(isOfSystem ? [] : outside('command', command)),
    ...onceEach(argumentWords(facts).flatMap(pathParts))
      .filter((word) => leadsAnywhere(word, platform))
      .flatMap((word) => outside('argument', word)),
    ...(cwd === undefined || !namesFolder ? [] : outside('workingDirectory', cwd)),
    ...(envFilePath === undefined ? [] : outside('environmentFile', envFilePath)),
    ...writable.flatMap((path) => outside('sandbox', path)),
  ];
}

/** Arguments, and the words of scripts in place of the scripts. A container's mounts have their own rule. */
function argumentWords({ commands, args }: StdioFacts): readonly string[] {
  if (commands.some(({ name }) => containers.test(name))) {
    return [];
  }
  const scripts = onceEach(commands.flatMap(({ script }) => script ?? []));
  return [
    ...args.filter((arg) => !scripts.some((script) => script.startsWith(arg))),
    ...commands.flatMap(({ script, words }) => (script === undefined ? [] : words.slice(1))),
  ];
}

/** A script may run thousands of programs and repeat words as often: each text is checked once. */
function onceEach(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** Options that give a container rights on the machine or a view of it. */
const opening =
  /^--(?:privileged(?!=false)|(?:cap-add|device)=|security-opt=(?!no-new-privileges(?:$|[:=]true))|(?:pid|ipc|uts|userns|network|net|cgroupns)=host$)/u;
/** The machine's side of a mount. The colon after a drive letter, or in `${env:HOME}`, does not end it. */
const mounted =
  /^(?:-v=?|--volume=)((?=[~./\\$]|[A-Za-z]:[\\/])(?:[A-Za-z]:)?(?:\$\{[^{}]*\}|[^:])*)|^--mount=(?=(?:.*,)?type=bind(?:,|$))(?:.*,)?(?:source|src)=([^,]*)/su;

/** What is found of the machine in the words of a container's command, which may be `--a=b`, `--a b` or `-vb`. */
function containerRisks({ commands, ...places }: StdioFacts): readonly Risk[] {
  return commands
    .filter(({ name }) => containers.test(name))
    .flatMap(({ words }) =>
      words.flatMap((word, index): readonly Risk[] => {
        const next = words[index + 1] ?? '';
        const isWhole = word.includes('=') || /^(?:-v.|--privileged$)/u.test(word);
        const option = isWhole ? word : `${word}=${next}`;
        const [, volume, source = volume] = mounted.exec(option) ?? [];
        return opening.test(option) || (source !== undefined && isOutside(source, places))
          ? [found('containerEscape', isWhole ? [word] : [word, next])]
          : [];
      }),
    );
}

function isOutside(source: string, places: Places & Pick<StdioSubject, 'folders'>): boolean {
  const path = toAbsolute(source, places);
  return (
    path === undefined ||
    path.endsWith('docker.sock') ||
    folderAround(path, places.folders, places.platform) === undefined
  );
}

function found<
  K extends
    | 'elevation'
    | 'recursiveDelete'
    | 'downloadToShell'
    | 'networkFetch'
    | 'containerEscape',
>(kind: K, words: readonly string[]): { readonly kind: K; readonly text: string } {
  return { kind, text: visible(words.join(' ')) };
}
