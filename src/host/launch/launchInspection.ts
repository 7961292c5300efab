/**
 * What a start of a server would run on this machine, without asking or starting anything: the program's file, its
 * folder, and how its environment differs from the editor's.
 */
import type { ResolvedLaunch } from './resolvedLaunch.ts';
import { inherited } from '../config/environment.ts';
import { isPath, type Machine } from './launchContext.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import { findProgram, pathFolders } from './programSearch.ts';

export interface LaunchInspection {
  /** Inputs without a value stay as variables. Holds the secrets of {@link secrets}. */
  readonly launch: ResolvedLaunch;
  readonly secrets: readonly string[];
  /** Set for a program. */
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
  /** The file of the command; undefined where there is none. */
  readonly file: string | undefined;
  /** The searched folders, when the command is a name and not a path. */
  readonly searched: readonly string[];
  readonly isFolderThere: boolean;
  /** Names of variables that the entry, or its envFile, sets or changes. */
  readonly set: readonly string[];
  /** Names of the editor's variables that the server does not get, without those of the editor itself. */
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
