/**
 * How to start a program on Windows: which file a name stands for, and which environment it gets. Windows
 * and cross-spawn search the working directory before PATH, so a repository could bring an `npx.cmd` of its
 * own. cross-spawn quotes the arguments of scripts.
 *
 * Nothing here asks what the system is, so all of it can be tested anywhere.
 */
import { lstat, stat } from 'node:fs/promises';
import { win32 } from 'node:path';
import { isObject } from '../base/json.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const usualExtensions = '.COM;.EXE;.BAT;.CMD';

/** The value of a variable; names are case-insensitive. Of several, the last one counts, as in Windows. */
export function valueOf(env: Environment, name: string): string | undefined {
  return Object.entries(env).findLast(([key]) => key.toUpperCase() === name)?.[1];
}

/** The folders in which Windows looks for a name: only the absolute ones of PATH, without their quotes. */
export function windowsFolders(env: Environment): readonly string[] {
  return (valueOf(env, 'PATH') ?? '')
    .split(win32.delimiter)
    .map((folder) => folder.trim().replace(/^"(.*)"$/u, '$1'))
    .filter((folder) => win32.isAbsolute(folder));
}

/**
 * The files that `command` may stand for, in order of precedence. A path stands for itself. A file without
 * an extension comes last: next to `npx.cmd` there is an `npx` for other systems.
 */
export function windowsCandidates(command: string, env: Environment): readonly string[] {
  const places = /[\\/:]/u.test(command)
    ? [command]
    : windowsFolders(env).map((folder) => win32.join(folder, command));
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

/** The first of {@link windowsCandidates} that is a file; undefined if there is none. */
export async function findOnWindows(
  command: string,
  env: Environment,
  hasFile: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const candidate of windowsCandidates(command, env)) {
    if (await hasFile(candidate)) {
      return candidate;
    }
  }
  return undefined;
}

/**
 * Whether the path is a file that the system may start. Never rejects. An app execution alias counts, such as the Python
 * of the Microsoft Store: Windows starts its target, but lets nobody look at it (nodejs/node#36790).
 */
export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    return (
      isObject(error) &&
      error['code'] === 'EACCES' &&
      lstat(path).then(
        (found) => !found.isDirectory(),
        () => false,
      )
    );
  }
}

/** Whether the system starts the file itself. For any other, cross-spawn finds the program and quotes the arguments. */
export function isNative(file: string): boolean {
  return /\.(?:com|exe)$/iu.test(file);
}

/** The full path of a Windows system program: a bare name would be searched in the working directory first. */
export function systemProgram(name: string, env: Environment): string {
  return win32.join(valueOf(env, 'SYSTEMROOT') ?? 'C:\\Windows', 'System32', name);
}
