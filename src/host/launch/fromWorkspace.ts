/**
 * What of a user's own server comes out of the workspace that is open. The user wrote the entry for every workspace, and
 * who wrote this one must not decide unseen what it runs. Which argument a program runs, and which is data to it, that
 * program alone knows: every text that leads into the workspace counts.
 */
import type { ResolvedLaunch } from './resolvedLaunch.ts';
import { percentDecoded } from '../../base/percentEncoding.ts';
import { lookUp, type Platform, variableKey } from '../config/environment.ts';
import {
  baseFolder,
  isPrivateText,
  type LaunchText,
  type Machine,
  pathInFolder,
  textsOf,
} from './launchContext.ts';
import { findProgram } from './programSearch.ts';
import { type ResolveContext, Resolver } from './resolver.ts';
import { SecretCollector } from './secrets.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import { leadsAnywhere, toAbsolute } from './folderPaths.ts';
import { isLoaderVariable } from './loaderVariables.ts';
import { visible } from '../../base/visible.ts';
import { WorkspacePaths } from './workspacePaths.ts';

/** Of a server at a URL: what is read on this machine. */
const fileFields = /^(?:tls\.(?:ca|cert|key)|oauth\.(?:privateKey\.file|assertionFile)$)/u;

/** What stands between the paths of a text. The colon of a drive does not. */
const separators: Readonly<Record<Platform, RegExp>> = {
  posix: /[\s"'`=,;:|&<>(){}[\]@]+/u,
  win32: /(?:[\s"'`=,;|&<>(){}[\]@]|(?<!(?<![A-Za-z])[A-Za-z]):)+/u,
};

interface NamedText {
  readonly text: string;
  /** A value of the user may be in it: the folder is shown alone. */
  readonly isPrivate: boolean;
}

/**
 * @param server as a debugger has it, and without what a sandbox makes of its command line
 * @param launch what would be started of it
 * @returns what is found inside, ready to be shown; nothing where all of it is the user's own
 */
export async function fromWorkspace(
  server: ServerConfig,
  launch: ResolvedLaunch,
  context: ResolveContext,
): Promise<readonly string[]> {
  const { machine, folders } = context;
  if (folders.length === 0) {
    return [];
  }
  const { platform, userHome } = machine;
  const inside = await WorkspacePaths.of(folders, machine);
  const { cwd, env } = { cwd: baseFolder(server, context), env: {}, ...launch };
  const isFolderInside = (await inside.folderOf(cwd)) !== undefined;
  const places = { platform, userHome, cwd, folders: [] };
  const found: string[] = [];
  /** Whether one of these is inside. */
  const note = async (words: readonly string[], { isPrivate }: NamedText): Promise<boolean> => {
    const before = found.length;
    for (const word of new Set(words)) {
      // What is relative to a folder of the workspace is said by that folder.
      const isNamed = word !== '' && (!isFolderInside || leadsAnywhere(word, platform));
      const path = isNamed ? toAbsolute(word, places) : undefined;
      const folder = path === undefined ? undefined : await inside.folderOf(path);
      if (path !== undefined && folder !== undefined) {
        found.push(visible(isPrivate ? folder : path));
      }
    }
    return found.length > before;
  };
  for (const named of await namedTexts(server, launch, context)) {
    const words = wordsOf(named.text, platform);
    const programs = words.filter((word) => /^\w[\w.+-]*$/u.test(word));
    const files = await Promise.all(programs.map((name) => findProgram(name, env, machine)));
    const isSeen =
      (await note([...files.flatMap((file) => file ?? []), ...words], named)) ||
      // A name may hold what separates others.
      (await note([named.text], named));
    if (!isSeen) {
      found.push(...inside.namedIn(named.text).map(visible));
    }
  }
  return [...new Set(found)];
}

/** Of an entry, its variables replaced. */
async function namedTexts(
  server: ServerConfig,
  launch: ResolvedLaunch,
  context: ResolveContext,
): Promise<readonly NamedText[]> {
  const resolver = new Resolver(server, context, new SecretCollector());
  const { launch: entry, sandbox } = server;
  const resolved = (texts: readonly LaunchText[]): Promise<readonly NamedText[]> =>
    Promise.all(
      texts.map(async ({ field, text }) => ({
        text: await resolver.path(field, text),
        isPrivate: isPrivateText(text),
      })),
    );
  if (entry.kind === 'http') {
    const files = await resolved(textsOf(entry).filter(({ field }) => fileFields.test(field)));
    const socket = launch.kind === 'http' ? launch.socketPath : undefined;
    return [
      ...files
        .filter(({ text }) => !text.includes('-----BEGIN'))
        .map((file) => ({ ...file, text: pathInFolder(file.text, server, context) })),
      ...(socket === undefined ? [] : [{ text: socket, isPrivate: isPrivateText(entry.url) }]),
    ];
  }
  const texts = textsOf(entry).filter(({ field }) => field !== 'cwd');
  const writes = (sandbox?.write ?? []).map((text) => ({ field: 'sandbox.write', text }));
  const { cwd, env } = { cwd: '', env: {}, ...launch };
  return [
    { text: cwd, isPrivate: isPrivateText(entry.cwd ?? '') },
    ...(await resolved([...texts, ...writes])),
    ...otherVariables(entry.env, env, context.machine),
  ];
}

/**
 * Those that the entry does not set itself. The editor's own name the workspace in passing, as PWD does: of them those
 * count that make a program load another.
 */
function otherVariables(
  own: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>>,
  { platform, env: editors }: Machine,
): readonly NamedText[] {
  const set = new Set(Object.keys(own).map((name) => variableKey(platform, name)));
  return Object.entries(env)
    .filter(([name]) => !set.has(variableKey(platform, name)))
    .flatMap(([name, text]) => {
      const loads = variableKey(platform, name) === 'PATH' || isLoaderVariable(name, platform);
      const isEditors = lookUp(platform, editors, name) === text;
      return loads || !isEditors ? [{ text, isPrivate: !loads }] : [];
    });
}

/** The words that may be paths, and what begins at a root within them, as in `-I/path`. */
function wordsOf(text: string, platform: Platform): readonly string[] {
  const words = text
    .split(separators[platform])
    .flatMap((word) => [word, percentDecoded(word)])
    // Of a URL: `///C:/path`.
    .map((word) => word.replace(/^[\\/]+(?=[A-Za-z]:[\\/])/u, ''));
  const rooted = words.flatMap(
    (word) => /(?<![A-Za-z])[A-Za-z]:[\\/].*$/su.exec(word) ?? /[\\/~$%].*$/su.exec(word) ?? [],
  );
  return [...new Set([...words, ...rooted])].filter((word) => word !== '');
}
