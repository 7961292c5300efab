/** A server that is started, as a consent shows it: command line, folder, environment, and the files behind them. */
import { t } from '../../base/l10n.ts';
import { envFilePath, parseEnvFile, resolveWorkingDirectory } from './resolveLaunch.ts';
import { expandHome, invalidField, pathsOf, readEnvFile, unreadableFile } from './launchContext.ts';
import type { SandboxSettings, ServerConfig, StdioLaunch } from '../config/serverConfig.ts';
import { referencesIn } from '../config/variables.ts';
import { type Described, type Describing, fact } from './describing.ts';
import { pathParts, toAbsolute } from './folderPaths.ts';
import type { LaunchFact } from './launchDescription.ts';
import { stdioRisks } from './risks.ts';
import { visible, visibleWhole } from '../../base/visible.ts';

type StdioServer = ServerConfig & { readonly launch: StdioLaunch };

/** `content` is for the hash: unescaped, and with the content of files that the facts only name. */
export async function describeStdio(
  server: StdioServer,
  describing: Describing,
): Promise<Described & { readonly content: unknown }> {
  const { launch } = server;
  const { machine, folders } = describing.context;
  const command = describing.known(expandHome(launch.command, machine));
  const args = launch.args.map((text) => describing.known(text));
  const env = Object.fromEntries(
    Object.entries(launch.env).map(([name, text]) => [
      name,
      text === null ? null : describing.known(text),
    ]),
  );
  const cwd = describing.path(launch.cwd);
  const shownCwd = await describing.shownPath(cwd);
  const envFile = await describeEnvFile(server, cwd, describing);
  const files = await workspaceFiles([command, ...args], cwd, describing);
  const facts = [
    fact('command', visibleWhole(command)),
    ...args.map((text) => fact('argument', visibleWhole(text))),
    fact('workingDirectory', shownCwd),
    ...Object.entries(env).map(([name, text]) =>
      text === null
        ? fact('environmentRemoved', visibleWhole(name))
        : fact('environment', `${visible(name)}=${visible(text)}`),
    ),
    ...(envFile === undefined ? [] : [fact('environmentFile', envFile.shown)]),
    ...files.filter(({ leads }) => leads).map(({ shown }) => fact('link', shown)),
    ...sandboxFacts(server.sandbox, describing),
  ];
  // The paths of a sandbox tool are its bounds.
  const [program = command, ...own] =
    launch.sandboxed === undefined ? [command, ...args] : args.slice(-1 - launch.sandboxed.ownArgs);
  const risks = stdioRisks({
    platform: machine.platform,
    userHome: machine.userHome,
    folders: folders.map(({ path }) => path),
    cwd: referencesIn(cwd).length === 0 ? cwd : undefined,
    namesFolder: launch.cwd !== undefined,
    command: program,
    args: own,
    writable: server.sandbox?.write.map((path) => describing.known(path)) ?? [],
    env,
    envFile: envFile?.text === undefined ? {} : parseEnvFile(envFile.text),
    ...(envFile === undefined ? {} : { envFilePath: envFile.path }),
  });
  const pinned = await pinnedFiles(server, files, describing);
  return {
    facts: [...facts, ...pinned.facts],
    risks: [...risks, ...pinned.risks],
    content: {
      launch,
      command,
      args,
      env,
      cwd: shownCwd,
      ...(envFile && { envFile: { path: envFile.shown, text: envFile.text } }),
      links: files.map(({ shown }) => shown),
      ...(pinned.content && { files: pinned.content }),
    },
  };
}

interface DescribedFile {
  readonly path: string;
  /** The path, and where it leads. */
  readonly shown: string;
  /** Undefined where the file may not be opened yet. */
  readonly text?: string | undefined;
}

/** Reads the envFile from where the start will read it. */
async function describeEnvFile(
  server: StdioServer,
  cwd: string,
  describing: Describing,
): Promise<DescribedFile | undefined> {
  const { envFile } = server.launch;
  if (envFile === undefined) {
    return undefined;
  }
  const path = describing.path(envFile, cwd);
  const text = await describing.contentOf('envFile', envFile, path, async (resolver) => {
    const folder = await resolveWorkingDirectory(server, describing.context, resolver);
    const file = envFilePath(await resolver.path('envFile', envFile), folder, describing.context);
    return readEnvFile(server, file, describing.context.machine);
  });
  return { path, shown: await describing.shownPath(path), text };
}

interface NamedFile {
  /** Where it finally leads. */
  readonly target: string;
  readonly shown: string;
  /** A link leads elsewhere. */
  readonly leads: boolean;
}

/** The workspace files that a command line names: whoever can change them changes what runs. */
async function workspaceFiles(
  words: readonly string[],
  cwd: string,
  describing: Describing,
): Promise<readonly NamedFile[]> {
  const { machine } = describing.context;
  const places = {
    platform: machine.platform,
    userHome: machine.userHome,
    cwd: referencesIn(cwd).length === 0 ? cwd : undefined,
  };
  const found = new Map<string, NamedFile>();
  for (const [index, word] of words.entries()) {
    for (const part of pathParts(word)) {
      // A command without a slash is looked up on PATH.
      const isPath =
        index > 0 || part.includes('/') || part.includes(pathsOf(machine.platform).sep);
      const path = isPath && part !== '' ? toAbsolute(part, places) : undefined;
      if (path !== undefined && describing.isInWorkspace(path) && !found.has(path)) {
        const target = await describing.target(path);
        const isThere =
          target !== path ||
          (describing.isInWorkspace(target) && (await machine.programs.isFile(target)));
        if (isThere) {
          const shown = await describing.shownPath(path);
          found.set(path, { target, shown, leads: target !== path });
        }
      }
    }
  }
  return [...found.values()];
}

/** Marks workspace files as changeable; or, if the entry asks for it, binds the consent to their content. */
async function pinnedFiles(
  server: StdioServer,
  files: readonly NamedFile[],
  describing: Describing,
): Promise<Described & { readonly content?: readonly (readonly [string, string])[] }> {
  const paths = files
    .map(({ target }) => target)
    .filter((target) => describing.isInWorkspace(target));
  if (server.pinFiles !== true) {
    const text = paths.map(visible).join(', ');
    const risk = { kind: 'workspace', what: 'changeable', text } as const;
    return { facts: [], risks: paths.length === 0 ? [] : [risk] };
  }
  if (paths.length === 0) {
    const text = t(
      'has no effect: the command line names no file of the workspace. Name one there, or remove the field',
    );
    describing.problem(invalidField(server, 'pinFiles', text));
  }
  const content = await Promise.all(
    paths.map(async (path) => [path, await digestOfPinned(server, path, describing)] as const),
  );
  return {
    facts: paths.map((path) => fact('pinnedFile', visibleWhole(path))),
    risks: [],
    content,
  };
}

function digestOfPinned(
  server: StdioServer,
  path: string,
  describing: Describing,
): Promise<string> {
  return describing.attempt(async () => {
    try {
      return await describing.context.machine.digest(path);
    } catch (error) {
      const wayOut = t('put it there, or remove the field');
      const file = { shown: path, isPrivate: false, wayOut, error };
      throw unreadableFile(server, 'pinFiles', file);
    }
  }, '');
}

/** In the words of the entry; the sandbox tool itself is part of the command line. */
function sandboxFacts(
  sandbox: SandboxSettings | undefined,
  describing: Describing,
): readonly LaunchFact[] {
  return sandbox === undefined
    ? []
    : [
        ...sandbox.write.map((path) =>
          fact('sandbox', `write: ${visibleWhole(describing.known(path))}`),
        ),
        fact('sandbox', `network: ${sandbox.network}`),
      ];
}
