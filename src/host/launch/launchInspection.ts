/**
 * What a start of a server would be on this machine, found out without asking anybody and without starting
 * anything: the file that would run, its folder, what its environment has that the editor's has not.
 */
import type { ResolvedLaunch } from './resolvedLaunch.ts';
import { inherited } from '../config/environment.ts';
import { isPath, type Machine } from './launchContext.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import { findProgram, pathFolders } from './programSearch.ts';

export interface LaunchInspection {
  /** Inputs without a value are left as they are written. Secrets of {@link secrets} are in it. */
  readonly launch: ResolvedLaunch;
  readonly secrets: readonly string[];
  /** Of a program. */
  readonly program?: ProgramInspection;
}

export interface LaunchInspector {
  /**
   * What would be started, with the inputs that have a value. Asks nobody, starts nothing.
   * @throws McpError `invalidConfig`
   */
  inspect(server: ServerConfig): Promise<LaunchInspection>;
}

export interface ProgramInspection {
  /** The file that the command leads to; undefined where there is none. */
  readonly file: string | undefined;
  /** Where the command is named and not a path: the folders that were searched. */
  readonly searched: readonly string[];
  readonly isFolderThere: boolean;
  /** Names of variables that the entry, or its file, sets or changes. */
  readonly set: readonly string[];
  /** Names of variables of the editor that the server does not get, besides the editor's own. */
  readonly removed: readonly string[];
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
