/** The rule for containers: finds options that open one towards the machine it runs on. */
import { isInside, type Places, toAbsolute } from './folderPaths.ts';
import type { Risk } from './launchDescription.ts';
import type { Program } from './programs.ts';
import { visible } from '../../base/visible.ts';

const programs = /^(?:docker|podman|nerdctl|finch)$/u;
/** Options that give a container rights on the machine or a view of it; the second kind only with the value `host`. */
const opening = /^--(?:privileged|cap-add|device|security-opt)$/u;
const namespace = /^--(?:pid|ipc|uts|userns|network|net|cgroupns)$/u;

export function isContainerProgram(name: string): boolean {
  return programs.test(name);
}

export function containerRisks(all: readonly Program[], places: Places): readonly Risk[] {
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
