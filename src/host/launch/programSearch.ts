/**
 * Where a program is: on the PATH of its process, in the system's search order, else on the PATH of the user's login
 * shell. An editor that was not started from a terminal may have a shorter PATH than the shell.
 */
import { posix } from 'node:path';
import { WorkspacePaths } from './folderPaths.ts';
import { isPath, type LaunchContext, type Machine } from './launchContext.ts';
import type { ProgramInspection, ResolvedLaunch } from './launchGate.ts';
import { inherited, type Environment, type Platform } from '../config/environment.ts';
import { findOnWindows, windowsFolders } from '../../mcp/windowsPrograms.ts';

type Searched = Pick<Machine, 'platform' | 'programs'>;

/** The folders of PATH in which a program is looked for, in order. */
export function pathFolders(platform: Platform, env: Environment): readonly string[] {
  return platform === 'win32'
    ? windowsFolders(env)
    : (env['PATH'] ?? '').split(posix.delimiter).filter((folder) => folder !== '');
}

/** @param command absolute, or a name to look up on PATH @returns the file that would run */
export async function findProgram(
  command: string,
  env: Environment,
  { platform, programs }: Searched,
): Promise<string | undefined> {
  if (platform === 'win32') {
    return findOnWindows(command, env, (file) => programs.isProgram(file));
  }
  const places = isPath(command, platform)
    ? [command]
    : pathFolders(platform, env).map((folder) => posix.join(folder, command));
  for (const place of places) {
    if (await programs.isProgram(place)) {
      return place;
    }
  }
  return undefined;
}

export interface Reachable {
  readonly env: Readonly<Record<string, string>>;
  /** The file, in a folder that is only on the login shell's PATH. */
  readonly foundByShell?: string;
}

/**
 * The environment in which `command` and its interpreter are found. Folders are appended, so that all programs found
 * before stay the same: those of the login shell's PATH, if only that leads to `command`, or the folder of a path.
 */
export async function reachable(
  command: string,
  env: Readonly<Record<string, string>>,
  context: LaunchContext,
): Promise<Reachable> {
  const { machine } = context;
  const { platform, programs } = machine;
  if (platform === 'win32') {
    return { env };
  }
  if (isPath(command, platform)) {
    const folder = posix.dirname(command);
    const isHelpful = env['PATH'] !== undefined && (await mayAppend(folder, context));
    return { env: isHelpful ? appended(env, [folder]) : env };
  }
  if ((await findProgram(command, env, machine)) !== undefined) {
    return { env };
  }
  const inShell = (PATH = ''): Promise<string | undefined> =>
    findProgram(command, { PATH }, machine);
  let shellPath = await programs.shellPath();
  let found = await inShell(shellPath);
  if (found === undefined) {
    shellPath = await programs.newShellPath();
    found = await inShell(shellPath);
  }
  if (shellPath === undefined || found === undefined) {
    return { env };
  }
  const folders = pathFolders(platform, { PATH: shellPath });
  return { env: appended(env, folders), foundByShell: found };
}

/**
 * Scripts such as `npx` name their interpreter by `env`, and `node` lies beside them. Not in the workspace: its author
 * must not decide what any other name leads to.
 */
async function mayAppend(folder: string, { machine, folders }: LaunchContext): Promise<boolean> {
  const isOne = posix.isAbsolute(folder) && !folder.includes(posix.delimiter);
  return (
    isOne && (await (await WorkspacePaths.of(folders, machine)).folderOf(folder)) === undefined
  );
}

function appended(
  env: Readonly<Record<string, string>>,
  folders: readonly string[],
): Readonly<Record<string, string>> {
  const known = pathFolders('posix', env);
  const all = [env['PATH'] ?? '', ...folders.filter((folder) => !known.includes(folder))];
  return { ...env, PATH: all.filter((text) => text !== '').join(posix.delimiter) };
}

export async function inspectProgram(
  { command, cwd, env }: Extract<ResolvedLaunch, { kind: 'stdio' }>,
  machine: Machine,
): Promise<ProgramInspection> {
  const { platform, programs } = machine;
  const before = inherited(machine.env);
  return {
    file: await findProgram(command, env, machine),
    searched: isPath(command, platform) ? [] : pathFolders(platform, env),
    isFolderThere: await programs.isFolder(cwd),
    set: Object.keys(env)
      .filter((name) => env[name] !== before[name])
      .toSorted(),
    removed: Object.keys(before)
      .filter((name) => !Object.hasOwn(env, name))
      .toSorted(),
  };
}
