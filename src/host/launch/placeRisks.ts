/** Rules for the places that a launch names: paths in and outside of the workspace's folders, and what containers reach. */
import { type Platform, variableKey } from '../config/environment.ts';
import { isPath, pathsOf } from './launchContext.ts';
import { isInside, leadsAnywhere, pathParts, type Places, toAbsolute } from './folderPaths.ts';
import type { PathField, Risk, VariableOrigin } from './launchDescription.ts';
import type { Program } from './programs.ts';
import { visible } from '../../base/visible.ts';

/** What the rules read of a launch. */
export interface NamedPlaces extends Places {
  /** The entry sets its working directory. */
  readonly namesFolder: boolean;
  readonly command: string;
  readonly args: readonly string[];
  readonly envFilePath?: string;
  readonly programs: readonly Program[];
  readonly variables: readonly {
    readonly name: string;
    readonly value: string;
    readonly origin: VariableOrigin;
  }[];
}

export function placeRisks(facts: NamedPlaces): readonly Risk[] {
  return [
    ...pathsInsideFolder(facts),
    ...pathsOutsideFolder(facts),
    ...containerRisks(facts.programs, facts),
  ];
}

function pathsInsideFolder(facts: NamedPlaces): readonly Risk[] {
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

function pathsOutsideFolder(facts: NamedPlaces): readonly Risk[] {
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

/** Arguments, and the words of scripts in place of the scripts. A container's mounts have their own rule. */
function argumentWords({ programs, args }: NamedPlaces): readonly string[] {
  if (programs.some(({ name }) => isContainerProgram(name))) {
    return [];
  }
  const scripts = new Set(programs.flatMap(({ script }) => script ?? []));
  const ofScripts = programs.flatMap(({ script, words }) =>
    script === undefined ? [] : words.slice(1),
  );
  return [...args.filter((arg) => !scripts.has(arg)), ...ofScripts];
}

/** A script may run thousands of programs and repeat words as often: each text is checked once. */
export function onceEach(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

const containerPrograms = /^(?:docker|podman|nerdctl|finch)$/u;
/** Options that give a container rights on the machine or a view of it; the second kind only with the value `host`. */
const opening = /^--(?:privileged|cap-add|device|security-opt)$/u;
const namespace = /^--(?:pid|ipc|uts|userns|network|net|cgroupns)$/u;

function isContainerProgram(name: string): boolean {
  return containerPrograms.test(name);
}

function containerRisks(all: readonly Program[], places: Places): readonly Risk[] {
  return all
    .filter(({ name }) => isContainerProgram(name))
    .flatMap(({ words }) => optionsOf(words))
    .filter((option) => opensTheMachine(option, places))
    .map(({ text }) => ({ kind: 'containerEscape', text: visible(text) }));
}

interface Option {
  readonly name: string;
  readonly value: string;
  readonly text: string;
}

/** Each option with its value, whether written `--a=b`, `--a b` or `-vb`. */
function optionsOf(words: readonly string[]): readonly Option[] {
  return words.flatMap((word, index) => {
    const next = words[index + 1] ?? '';
    const [, long, value] = /^(--[a-z-]+)(?:=(.*))?$/su.exec(word) ?? [];
    if (long !== undefined) {
      const takesNext = value === undefined && long !== '--privileged';
      return [{ name: long, value: value ?? next, text: takesNext ? `${word} ${next}` : word }];
    }
    const [, attached] = /^-v(.*)$/su.exec(word) ?? [];
    if (attached === undefined) {
      return [];
    }
    return attached === ''
      ? [{ name: '--volume', value: next, text: `${word} ${next}` }]
      : [{ name: '--volume', value: attached.replace(/^=/u, ''), text: word }];
  });
}

function opensTheMachine({ name, value, text }: Option, places: Places): boolean {
  if (name === '--privileged') {
    return text !== '--privileged=false';
  }
  if (opening.test(name)) {
    return !/^no-new-privileges(?:$|[:=]true)/u.test(value);
  }
  if (namespace.test(name)) {
    return value === 'host';
  }
  const source = mountSource(name, value);
  return source !== undefined && isOutside(source, places);
}

/** The machine's side of a mount; undefined for other options and for named volumes. */
function mountSource(name: string, value: string): string | undefined {
  if (name === '--mount') {
    const isVolume = !/(?:^|,)type=bind(?:,|$)/u.test(value);
    return isVolume ? undefined : /(?:^|,)(?:source|src)=([^,]*)/u.exec(value)?.[1];
  }
  if (name !== '--volume') {
    return undefined;
  }
  // The colon after a drive letter, or in `${env:HOME}`, does not end the path.
  const [source] = /^(?:[A-Za-z]:(?=[\\/]))?(?:\$\{[^{}]*\}|[^:])*/u.exec(value) ?? [''];
  return /^(?:[~./\\$]|[A-Za-z]:[\\/])/u.test(source) ? source : undefined;
}

function isOutside(source: string, places: Places): boolean {
  const path = toAbsolute(source, places);
  return path === undefined || path.endsWith('docker.sock') || !isInside(path, places);
}
