/**
 * What of a user's own server comes out of the workspace that is open: its folder, its program, what its runtime loads.
 * The user wrote the entry for every workspace, and who wrote this one must not decide unseen what it runs.
 */
import { variableKey } from '../config/environment.ts';
import { isPath, type Machine, pathsOf } from '../config/launchContext.ts';
import { findProgram } from '../config/programSearch.ts';
import type { ResolvedLaunch, WorkspaceFolder } from '../ports.ts';
import { isInside, leadsAnywhere, pathParts } from './folderPaths.ts';
import { isLoaderVariable } from './loaderVariables.ts';
import { type Program, programsOf } from './programs.ts';
import { visible } from './visible.ts';

/** Programs that run what their first words name. What others are given is data to them. */
const runners =
  /^(?:node|nodejs|tsx|ts-node|deno|bunx?|npm|npx|pnpm|pnpx|yarn|python[\d.]*|pythonw|pypy[\d.]*|py|uvx?|pipx|poetry|ruby|bundle|perl|php|lua|java|dotnet|go|cargo|make|just|task|sh|bash|zsh|dash|ash|ksh|fish|t?csh|source|\.|cd|pushd|cmd|powershell|pwsh|osascript|tclsh|rscript|julia)$/u;
/** Words of theirs that say to run what follows. */
const verbs = /^(?:run|exec|x|dlx|start|tool|task)$/u;
/** Options of theirs with a value behind them. */
const valued =
  /^(?:-[rpCWXf]|--(?:require|import|loader|experimental-loader|env-file|package|prefix|userconfig|directory|project|cwd|with|with-editable|from|python|file|config|dir)|-jar|-cp|-classpath|-File)$/u;

type StdioLaunch = Extract<ResolvedLaunch, { kind: 'stdio' }>;

/** @returns what is found inside, ready to be shown; nothing where all of it is the user's own */
export async function fromWorkspace(
  launch: StdioLaunch,
  machine: Machine,
  folders: readonly WorkspaceFolder[],
): Promise<readonly string[]> {
  if (folders.length === 0) {
    return [];
  }
  const { platform, userHome, programs } = machine;
  const { command, args, cwd, env } = launch;
  const paths = pathsOf(platform);
  const own = folders.map(({ path }) => path);
  const real = await Promise.all(own.map((path) => programs.realPath(path)));
  const places = { platform, userHome, cwd, folders: [...own, ...real] };
  const program = isPath(command, platform) ? command : await findProgram(command, env, machine);
  const ran = programsOf(command, args, platform).programs.filter(({ name }) => runners.test(name));
  const isFound = async (path: string): Promise<boolean> =>
    isInside(path, places) || isInside(await programs.realPath(path), places);
  const isFolderFound = await isFound(cwd);
  const named = [
    ...ran.flatMap(leadingWords).flatMap(pathParts),
    ...Object.entries(env).flatMap(([name, value]) =>
      variableKey(platform, name) === 'PATH' || isLoaderVariable(name, platform)
        ? partsOf(value, paths.delimiter)
        : [],
    ),
    // What is relative to a folder of the workspace is said by that folder.
  ].filter((word) => leadsAnywhere(word, platform) || (!isFolderFound && /[\\/]/u.test(word)));
  const candidates = [cwd, ...(program === undefined ? [] : [program]), ...named];
  const found: string[] = [];
  for (const path of new Set(candidates.map((one) => paths.resolve(cwd, one)))) {
    if (await isFound(path)) {
      found.push(visible(path));
    }
  }
  return found;
}

/** Up to what is run: options with their values, and the first word that is none. */
function leadingWords({ words }: Program): readonly string[] {
  const leading: string[] = [];
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? '';
    leading.push(word);
    if (valued.test(word)) {
      index += 1;
      leading.push(words[index] ?? '');
    } else if (!word.startsWith('-') && !verbs.test(word)) {
      break;
    }
  }
  return leading;
}

/** The paths in the value of a variable, and what options among them name. */
function partsOf(value: string, delimiter: string): readonly string[] {
  return value
    .split(delimiter)
    .flatMap((entry) => (/\s/u.test(entry) ? [entry, ...entry.split(/\s+/u)] : [entry]))
    .flatMap(pathParts);
}
