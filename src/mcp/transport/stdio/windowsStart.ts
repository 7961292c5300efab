/**
 * How a program is started on Windows: which file a name stands for, and with what in its environment. Windows
 * itself, and cross-spawn, look into the working directory before PATH, so that a repository could bring an
 * `npx.cmd` of its own along. Quoting the arguments is cross-spawn's business.
 *
 * Nothing here asks the system, so that all of it is tested anywhere.
 */
import { win32 } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

const usualExtensions = '.COM;.EXE;.BAT;.CMD';

/** The value of a variable, whatever the case of its name; of several the last one, which is what Windows hands on. */
function valueOf(env: Environment, name: string): string | undefined {
  return Object.entries(env).findLast(([key]) => key.toUpperCase() === name)?.[1];
}

/**
 * The files that `command` may stand for, in the order in which they count. A path stands for itself; a name is
 * looked for in the absolute folders of PATH alone. A file without an extension comes last: beside `npx.cmd` there is
 * an `npx` for other systems.
 */
export function windowsCandidates(command: string, env: Environment): readonly string[] {
  const folders = (valueOf(env, 'PATH') ?? '')
    .split(win32.delimiter)
    .map((folder) => folder.trim().replace(/^"(.*)"$/u, '$1'))
    .filter((folder) => win32.isAbsolute(folder));
  const places = /[\\/:]/u.test(command)
    ? [command]
    : folders.map((folder) => win32.join(folder, command));
  const extensions = (valueOf(env, 'PATHEXT') ?? usualExtensions)
    .split(';')
    .map((extension) => extension.trim())
    .filter((extension) => extension.startsWith('.'));
  return places.flatMap((place) => {
    const isWhole = extensions.some(
      (one) => one.toUpperCase() === win32.extname(place).toUpperCase(),
    );
    const longer = extensions.map((extension) => place + extension);
    return isWhole ? [place, ...longer] : [...longer, place];
  });
}

/** The first of {@link windowsCandidates} that is a file. Undefined where there is none. */
export async function findOnWindows(
  command: string,
  env: Environment,
  isFile: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const candidate of windowsCandidates(command, env)) {
    if (await isFile(candidate)) {
      return candidate;
    }
  }
  return undefined;
}

/** A program of Windows itself, by its whole path: a bare name would be looked for in the working directory first. */
export function systemProgram(name: string, env: Environment): string {
  return win32.join(valueOf(env, 'SYSTEMROOT') ?? 'C:\\Windows', 'System32', name);
}
