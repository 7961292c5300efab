/**
 * What a user's own server takes out of the open workspace. The user wrote the entry for every workspace, and the
 * author of this one must not decide unnoticed what it runs. Only the program knows which argument it runs and which is
 * data: every text that leads into the workspace counts.
 */
import type { ResolvedLaunch } from './launchGate.ts';
import { percentDecoded } from '../../base/percentEncoding.ts';
import { lookUp, type Platform, variableKey } from '../config/environment.ts';
import {
  baseFolder,
  fileFields,
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
import { leadsAnywhere, toAbsolute, WorkspacePaths } from './folderPaths.ts';
import { isLoaderVariable } from './risks.ts';
import { visible } from '../../base/visible.ts';

/** Separators of paths in a text. The colon of a drive is none. */
const separators: Readonly<Record<Platform, RegExp>> = {
  posix: /[\s"'`=,;:|&<>(){}[\]@]+/u,
  win32: /(?:[\s"'`=,;|&<>(){}[\]@]|(?<!(?<![A-Za-z])[A-Za-z]):)+/u,
};

interface NamedText {
  readonly text: string;
  /** The text may hold a user's value: then only the folder is shown. */
  readonly isPrivate: boolean;
}

/**
 * @param server with the debugger's command line, but not the sandbox's
 * @param launch its resolved launch
 * @returns what is found inside, ready to be shown; empty where all of it is the user's own
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
  const places = { platform, userHome, cwd };
  const found: string[] = [];
  /** Notes the words that are inside, and returns whether there was one. */
  const note = async (words: readonly string[], { isPrivate }: NamedText): Promise<boolean> => {
    const before = found.length;
    for (const word of new Set(words)) {
      // A word relative to a workspace folder is reported by that folder.
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
      // A file name may hold separators.
      (await note([named.text], named));
    if (!isSeen) {
      found.push(...inside.namedIn(named.text).map(visible));
    }
  }
  return [...new Set(found)];
}

/** Texts of an entry, with variables replaced. */
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
 * Variables that the entry does not set. The editor's own variables, such as PWD, may name the workspace: they count
 * only if they make a program load another.
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

/** The words that may be paths, and absolute paths within them, as in `-I/path`. */
function wordsOf(text: string, platform: Platform): readonly string[] {
  const words = text
    .split(separators[platform])
    .flatMap((word) => [word, percentDecoded(word)])
    // The path of a URL: `///C:/path`.
    .map((word) => word.replace(/^[\\/]+(?=[A-Za-z]:[\\/])/u, ''));
  const rooted = words.flatMap(
    (word) => /(?<![A-Za-z])[A-Za-z]:[\\/].*$/su.exec(word) ?? /[\\/~$%].*$/su.exec(word) ?? [],
  );
  return [...new Set([...words, ...rooted])].filter((word) => word !== '');
}
