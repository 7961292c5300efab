/**
 * Where a program is: on the PATH of its process, as the system looks for it, and else on the PATH that the
 * user's login shell has. An editor that was not started from a terminal may know less than the shell does.
 */
import { pathsOf, isPath, type Machine } from './launchContext.ts';
import { type Environment, layered, lookUp, type Platform } from '../config/environment.ts';

type Searched = Pick<Machine, 'platform' | 'programs'>;

/** The folders of PATH, in order, without empty ones. */
export function pathFolders(platform: Platform, env: Environment): readonly string[] {
  const { delimiter } = pathsOf(platform);
  return (lookUp(platform, env, 'PATH') ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** @param command absolute, or a name that is looked for on PATH @returns the file that would run */
export async function findProgram(
  command: string,
  env: Environment,
  { platform, programs }: Searched,
): Promise<string | undefined> {
  const paths = pathsOf(platform);
  const places = isPath(command, platform)
    ? [command]
    : pathFolders(platform, env).map((folder) => paths.join(folder, command));
  for (const place of places) {
    for (const file of namesOf(place, platform, env)) {
      if (await programs.isProgram(file)) {
        return file;
      }
    }
  }
  return undefined;
}

/**
 * On Windows a program is called without its extension; PATHEXT lists those that count, and come first: beside
 * `npx.cmd` there is an `npx` for other systems.
 */
function namesOf(file: string, platform: Platform, env: Environment): readonly string[] {
  if (platform !== 'win32') {
    return [file];
  }
  const extensions = (lookUp(platform, env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const isWhole = extensions.some((one) => file.toLowerCase().endsWith(one.toLowerCase()));
  const longer = extensions.map((extension) => file + extension.toLowerCase());
  return isWhole ? [file, ...longer] : [...longer, file];
}

export interface Reachable {
  readonly env: Readonly<Record<string, string>>;
  /** The file in a folder that only the login shell knows of. */
  readonly foundByShell?: string;
}

/**
 * The environment in which `command` is found. Where its own PATH does not lead to it and that of the login shell
 * does, the shell's folders are added behind, so that nothing that was found before is another program now.
 */
export async function withShellPath(
  command: string,
  env: Readonly<Record<string, string>>,
  machine: Searched,
): Promise<Reachable> {
  const { platform, programs } = machine;
  const needsNoSearch = platform === 'win32' || isPath(command, platform);
  if (needsNoSearch || (await findProgram(command, env, machine)) !== undefined) {
    return { env };
  }
  const shellPath = await programs.shellPath();
  const found =
    shellPath === undefined ? undefined : await findProgram(command, { PATH: shellPath }, machine);
  if (shellPath === undefined || found === undefined) {
    return { env };
  }
  const folders = [...pathFolders(platform, env), ...pathFolders(platform, { PATH: shellPath })];
  const joined = [...new Set(folders)].join(pathsOf(platform).delimiter);
  return { env: layered(platform, [env, { PATH: joined }]), foundByShell: found };
}
