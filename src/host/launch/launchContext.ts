/**
 * What the resolution of a launch needs to know of the machine and the window, and the parts of it
 * that the description for the consent dialog shares: folders, paths and the file of variables.
 */
import type { WorkspaceFolder } from '../config/workspace.ts';
import path from 'node:path';
import { withoutPath } from '../../base/fileError.ts';
import { McpError, isMcpError } from '../../mcp/errors.ts';
import { type Environment, lookUp, type Platform } from '../config/environment.ts';
import type {
  HttpLaunch,
  Launch,
  OAuthEntry,
  ServerConfig,
  StdioLaunch,
} from '../config/serverConfig.ts';
import {
  folderOf,
  folderPath,
  referencesIn,
  replaceReferences,
  unknownVariable,
} from '../config/variables.ts';

/** What is asked of the machine about its programs and where they are. */
export interface Programs {
  /** Whether there is a file that can be run. Never rejects. */
  isProgram(file: string): Promise<boolean>;
  /** Whether there is a folder. Never rejects. */
  isFolder(path: string): Promise<boolean>;
  /** Whether there is a file that is no link. Never rejects. */
  isFile(path: string): Promise<boolean>;
  /** The path without links; the path itself where it leads nowhere. Never rejects. */
  realPath(path: string): Promise<string>;
  /** What a link says, as it stands there; undefined where there is none. Opens nothing and follows nothing. Never rejects. */
  linkAt(path: string): Promise<string | undefined>;
  /** PATH of the user's login shell, asked once; undefined where it cannot be had. Never rejects. */
  shellPath(): Promise<string | undefined>;
}

/** The machine that servers run on. */
export interface Machine {
  readonly platform: Platform;
  readonly userHome: string;
  readonly env: Environment;
  /**
   * The text of a file. Rejects when there is none, with the code `EFBIG` when it is too large, with `ETIMEDOUT` when it
   * does not end; the message says so.
   */
  readFile(path: string): Promise<string>;
  readonly programs: Programs;
}

/** One moment's state of the window. */
export interface LaunchContext {
  readonly machine: Machine;
  readonly folders: readonly WorkspaceFolder[];
}

/** One text of a launch that may hold variables. `field` is its dotted path in the entry. */
export interface LaunchText {
  readonly field: string;
  readonly text: string;
}

/** Every text of a launch, in the order of the settings' documentation. */
export function textsOf(launch: Launch): readonly LaunchText[] {
  if (launch.kind === 'http') {
    return [
      { field: 'url', text: launch.url },
      ...Object.entries(launch.headers).map(([name, text]) => ({ field: `headers.${name}`, text })),
      ...oauthTexts(launch.oauth),
      ...connectionTexts(launch),
    ];
  }
  const { command, args, env, envFile, cwd } = launch;
  return [
    { field: 'command', text: command },
    ...args.map((text, index) => ({ field: `args[${index}]`, text })),
    ...Object.entries(env).flatMap(([name, text]) =>
      text === null ? [] : [{ field: `env.${name}`, text }],
    ),
    ...(envFile === undefined ? [] : [{ field: 'envFile', text: envFile }]),
    ...(cwd === undefined ? [] : [{ field: 'cwd', text: cwd }]),
  ];
}

/** The fields of `oauth` in which variables are replaced. */
export function oauthTexts(oauth: OAuthEntry | false | undefined): readonly LaunchText[] {
  const {
    privateKey,
    identityProvider,
    scopes = [],
    ...fields
  } = oauth === false ? {} : { ...oauth };
  const { clientId, clientSecret, issuer, assertion, assertionFile }: Partial<OAuthEntry> = fields;
  const texts: Readonly<Record<string, string | undefined>> = {
    'oauth.clientId': clientId,
    'oauth.clientSecret': clientSecret,
    'oauth.issuer': issuer,
    'oauth.privateKey.file': privateKey?.file,
    'oauth.identityProvider.tokenEndpoint': identityProvider?.tokenEndpoint,
    'oauth.identityProvider.clientId': identityProvider?.clientId,
    'oauth.identityProvider.clientSecret': identityProvider?.clientSecret,
    'oauth.identityProvider.idToken': identityProvider?.idToken,
    'oauth.assertion': assertion,
    'oauth.assertionFile': assertionFile,
  };
  return [
    ...Object.entries(texts).flatMap(([field, text]) =>
      text === undefined ? [] : [{ field, text }],
    ),
    ...scopes.map((text, index) => ({ field: `oauth.scopes[${index}]`, text })),
  ];
}

/** The texts of `tls` and `proxy`, those of `tls.ca` first. */
export function connectionTexts({ tls = {}, proxy = false }: HttpLaunch): readonly LaunchText[] {
  const { ca = [], cert, key, passphrase } = tls;
  const texts = [
    ...ca.map((text, index) => [ca.length === 1 ? 'tls.ca' : `tls.ca[${index}]`, text] as const),
    ['tls.cert', cert],
    ['tls.key', key],
    ['tls.passphrase', passphrase],
    ['proxy', proxy === false ? undefined : proxy],
  ] as const;
  return texts.flatMap(([field, text]) => (text === undefined ? [] : [{ field, text }]));
}

/** An error that names server and field. */
export function invalidField(
  server: ServerConfig,
  field: string,
  message: string,
  options?: ErrorOptions,
): McpError {
  return new McpError('invalidConfig', `${server.name}: ${field}: ${message}`, options);
}

/** Runs something for one field; `invalidConfig` errors of it get the server's and the field's name. */
export async function inField<T>(
  server: ServerConfig,
  field: string,
  run: () => Promise<T> | T,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isMcpError(error) && error.code === 'invalidConfig') {
      throw invalidField(server, field, error.message, { cause: error });
    }
    throw error;
  }
}

/**
 * Finds what would fail before anybody is asked anything: variables that are not known or have no value.
 * @throws McpError `invalidConfig`
 */
export async function checkVariables(
  server: ServerConfig,
  context: LaunchContext,
  checkInput: (id: string) => void,
): Promise<void> {
  for (const { field, text } of textsOf(server.launch)) {
    for (const reference of referencesIn(text)) {
      await inField(server, field, () => {
        switch (reference.kind) {
          case 'workspaceFolder':
            folderPath(context.folders, server.scope, reference.name);
            return;
          case 'env':
            environmentValue(context.machine, reference.name);
            return;
          case 'input':
            checkInput(reference.id);
            return;
          case 'userHome':
            return;
          case 'unknown':
            throw unknownVariable(reference);
        }
      });
    }
  }
}

/** @throws McpError `invalidConfig` when the editor's environment has no such variable. */
export function environmentValue({ platform, env }: Machine, name: string): string {
  const value = lookUp(platform, env, name);
  if (value === undefined) {
    throw new McpError(
      'invalidConfig',
      `\${env:${name}} has no value: the variable ${name} is not set where the editor runs. Set it and restart the editor, or use \${input:…}`,
    );
  }
  return value;
}

/**
 * Where relative paths of an entry begin: the folder that it belongs to, and the user's home for what belongs to no
 * workspace. What is found in a folder decides what many programs run, and that is for no workspace to say.
 */
export function baseFolder({ scope }: ServerConfig, { folders, machine }: LaunchContext): string {
  const own = folderOf(folders, scope) ?? (scope.kind === 'workspace' ? folders[0] : undefined);
  return own?.path ?? machine.userHome;
}

/** Absolute, from the text of a field whose variables are replaced. */
export function pathInFolder(text: string, server: ServerConfig, context: LaunchContext): string {
  return pathsOf(context.machine.platform).resolve(baseFolder(server, context), text);
}

/** Where a program starts: absolute, unless it begins with a value of the user, and with such values as they are written. */
export function startFolder(server: ServerConfig, context: LaunchContext): string {
  const { machine, folders } = context;
  const cwd = server.launch.kind === 'stdio' ? server.launch.cwd : undefined;
  if (cwd === undefined) {
    return baseFolder(server, context);
  }
  const text = replaceReferences(expandHome(cwd, machine), (reference) => {
    switch (reference.kind) {
      case 'workspaceFolder':
        return folderPath(folders, server.scope, reference.name);
      case 'userHome':
        return machine.userHome;
      case 'env':
      case 'input':
      case 'unknown':
        return undefined;
    }
  });
  return text.startsWith('${') ? text : pathInFolder(text, server, context);
}

/** Whether a text stands for a value of the user, which may be a secret: then it is told as it was written. */
export function isPrivateText(template: string): boolean {
  return referencesIn(template).some(({ kind }) => kind === 'env' || kind === 'input');
}

export function pathsOf(platform: Platform): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

/** `~` and `~/…` of a text in the settings. Values that variables stand for are not looked at. */
export function expandHome(text: string, { platform, userHome }: Machine): string {
  return /^~(?=$|\/)/u.test(text) || (platform === 'win32' && text.startsWith('~\\'))
    ? userHome + text.slice(1)
    : text;
}

/** Whether a command is a path, as opposed to a name that is looked for on PATH. */
export function isPath(command: string, platform: Platform): boolean {
  return command.includes('/') || (platform === 'win32' && command.includes('\\'));
}

/** Of an envFile, in whose variables risks are looked for before anybody is asked: 0.1 s for the worst that fits in. */
export const maxEnvFileChars = 64 * 1024;

/** @throws McpError `invalidConfig` when the file cannot be read, or is too large. */
export async function readEnvFile(
  server: ServerConfig & { readonly launch: StdioLaunch },
  file: string,
  machine: Machine,
): Promise<string> {
  try {
    const text = await machine.readFile(file);
    if (text.length > maxEnvFileChars) {
      throw tooLarge(maxEnvFileChars);
    }
    return text;
  } catch (error) {
    const { envFile = '', cwd = '' } = server.launch;
    const isPrivate = isPrivateText(envFile + cwd);
    throw unreadableFile(server, 'envFile', {
      shown: isPrivate ? envFile : file,
      isPrivate,
      wayOut: 'create it, or take the field out',
      error,
    });
  }
}

/** An error about a file that a field names. */
export function unreadableFile(
  server: ServerConfig,
  field: string,
  file: {
    /** Its path as it may be shown. */
    readonly shown: string;
    /** Its path may be a secret. */
    readonly isPrivate: boolean;
    /** For a file that is not there. */
    readonly wayOut: string;
    readonly error: unknown;
  },
): McpError {
  const { shown, isPrivate, wayOut, error } = file;
  return invalidField(server, field, `${shown} ${whyUnreadable(error, wayOut)}`, {
    cause: isPrivate ? withoutPath(error) : error,
  });
}

/** What {@link Machine.readFile} rejects with for it. */
function tooLarge(maxChars: number): Error {
  return Object.assign(new Error(`larger than ${maxChars / 1024} KiB`), { code: 'EFBIG' });
}

/** Errors of {@link Machine.readFile}. */
function whyUnreadable(error: unknown, wayOut: string): string {
  if (error instanceof Error && 'code' in error) {
    switch (error.code) {
      case 'EFBIG':
        return `is ${error.message}: is it the right file?`;
      case 'ETIMEDOUT':
        return `cannot be read: ${error.message}`;
    }
  }
  return `cannot be read: ${wayOut}`;
}
