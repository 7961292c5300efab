/**
 * What the resolution of a launch needs to know of the machine and the window, and what it shares with the description
 * for the consent dialog: folders, paths and the envFile.
 */
import { t } from '../../base/l10n.ts';
import type { WorkspaceFolder } from '../config/workspace.ts';
import path from 'node:path';
import { withoutPath } from '../../base/fileError.ts';
import { isString } from '../../base/json.ts';
import { McpError, isMcpError } from '../../mcp/errors.ts';
import { leavesOf } from '../config/entryReader.ts';
import { type Environment, lookUp, type Platform } from '../config/environment.ts';
import type { ServerConfig, StdioLaunch } from '../config/serverConfig.ts';
import {
  folderOf,
  folderPath,
  referencesIn,
  replaceReferences,
  substitute,
  type VariableValues,
} from '../config/variables.ts';

/** Questions to the machine about programs and paths. */
export interface Programs {
  /** Whether the path is an executable file. Never rejects. */
  isProgram(file: string): Promise<boolean>;
  /** Whether the path is a folder. Never rejects. */
  isFolder(path: string): Promise<boolean>;
  /** Whether the path is a file and no link. Never rejects. */
  isFile(path: string): Promise<boolean>;
  /** The path with links resolved; undefined where nothing is there. Never rejects. */
  realPath(path: string): Promise<string | undefined>;
  /** The text of a link; undefined where there is none. Opens and follows nothing. Never rejects. */
  linkAt(path: string): Promise<string | undefined>;
  /** PATH of the user's login shell, asked once; undefined when the shell fails. Never rejects. */
  shellPath(): Promise<string | undefined>;
  /** The same where that did not lead to a program, which may be new: asked again when it is old. Never rejects. */
  newShellPath(): Promise<string | undefined>;
}

/** The machine that servers run on. */
export interface Machine {
  readonly platform: Platform;
  readonly userHome: string;
  readonly env: Environment;
  /**
   * The text of a file. Rejects when there is none, with the code `EFBIG` for one that is too large, with `ETIMEDOUT`
   * for one that does not end; the message says so.
   */
  readFile(path: string): Promise<string>;
  /** The SHA-256 of a file's bytes at this moment, in hexadecimal. Rejects as {@link readFile}. */
  digest(path: string): Promise<string>;
  readonly programs: Programs;
}

/** The state of the window at one moment. */
export interface LaunchContext {
  readonly machine: Machine;
  readonly folders: readonly WorkspaceFolder[];
}

/** One text of a launch that may hold variables. `field` is its dotted path in the entry. */
export interface LaunchText {
  readonly field: string;
  readonly text: string;
}

/** Fields whose texts hold no variables. */
const plainFields =
  /^(?:kind|type|sandboxed\.program|oauth\.(?:grant|clientMetadataUrl|provider|privateKey\.(?:algorithm|keyId)))$/u;

/** Fields that name files on this machine. */
export const fileFields =
  /^(?:tls\.(?:ca(?:\[\d+\])?|cert|key)|oauth\.(?:privateKey\.file|assertionFile))$/u;

/** All texts of a launch, or of some of its fields, that may hold variables, in the order of the parsed entry. */
export function textsOf(fields: object): readonly LaunchText[] {
  return leavesOf(fields).flatMap(({ field, value }) =>
    isString(value) && !plainFields.test(field) ? [{ field, text: value }] : [],
  );
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

/** Runs something for one field; adds server and field to its `invalidConfig` errors. */
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
 * Checks, before anybody is asked, that all variables are known and have a value.
 * @throws McpError `invalidConfig`
 */
export async function checkVariables(
  server: ServerConfig,
  context: LaunchContext,
  checkInput: (id: string) => void,
): Promise<void> {
  const values: VariableValues = {
    ...placeValues(server, context),
    input: async (id) => {
      checkInput(id);
      return '';
    },
  };
  for (const { field, text } of textsOf(server.launch)) {
    await inField(server, field, () => substitute(text, values));
  }
}

/** What variables stand for that nobody is asked for. */
export function placeValues(
  { scope }: ServerConfig,
  { machine, folders }: LaunchContext,
): Omit<VariableValues, 'input'> {
  return {
    workspaceFolder: (name) => folderPath(folders, scope, name),
    userHome: () => machine.userHome,
    env: (name) => environmentValue(machine, name),
  };
}

/** @throws McpError `invalidConfig` when the editor's environment has no such variable. */
export function environmentValue({ platform, env }: Machine, name: string): string {
  const value = lookUp(platform, env, name);
  if (value === undefined) {
    throw new McpError(
      'invalidConfig',
      t(
        '{0} has no value: the variable {1} is not set where the editor runs. Set it and restart the editor, or use ${input:…}',
        `\${env:${name}}`,
        name,
      ),
    );
  }
  return value;
}

/**
 * The base of an entry's relative paths: its workspace folder, or the user's home for an entry of no workspace. Files
 * in the base decide what many programs run, and a workspace must not decide that for the user's servers.
 */
export function baseFolder({ scope }: ServerConfig, { folders, machine }: LaunchContext): string {
  const own = folderOf(folders, scope) ?? (scope.kind === 'workspace' ? folders[0] : undefined);
  return own?.path ?? machine.userHome;
}

/** The absolute path for the text of a field, variables replaced. */
export function pathInFolder(text: string, server: ServerConfig, context: LaunchContext): string {
  return pathsOf(context.machine.platform).resolve(baseFolder(server, context), text);
}

/** Where a program starts: absolute, unless it begins with a user's value. Such values stay as variables. */
export function startFolder(server: ServerConfig, context: LaunchContext): string {
  const cwd = server.launch.kind === 'stdio' ? server.launch.cwd : undefined;
  if (cwd === undefined) {
    return baseFolder(server, context);
  }
  const { workspaceFolder, userHome } = placeValues(server, context);
  const text = replaceReferences(expandHome(cwd, context.machine), (reference) =>
    reference.kind === 'workspaceFolder'
      ? workspaceFolder(reference.name)
      : reference.kind === 'userHome'
        ? userHome()
        : undefined,
  );
  return text.startsWith('${') ? text : pathInFolder(text, server, context);
}

/** Whether a text holds a user's value, which may be a secret: then it is shown as it was written. */
export function isPrivateText(template: string): boolean {
  return referencesIn(template).some(({ kind }) => kind === 'env' || kind === 'input');
}

export function pathsOf(platform: Platform): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

/** Expands `~` and `~/…` of a text in the settings, but not in values of variables. */
export function expandHome(text: string, { platform, userHome }: Machine): string {
  return /^~(?=$|\/)/u.test(text) || (platform === 'win32' && text.startsWith('~\\'))
    ? userHome + text.slice(1)
    : text;
}

/** Whether a command is a path rather than a name to look up on PATH. */
export function isPath(command: string, platform: Platform): boolean {
  return command.includes('/') || (platform === 'win32' && command.includes('\\'));
}

/** Characters of an envFile. Risks are searched in its variables before anybody is asked: the worst takes 0.1 s. */
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
      wayOut: t('create it, or remove the field'),
      error,
    });
  }
}

/** An error about a file that a field names. */
export function unreadableFile(
  server: ServerConfig,
  field: string,
  file: {
    /** The path, as it may be shown. */
    readonly shown: string;
    /** The path may hold a secret. */
    readonly isPrivate: boolean;
    /** What to do when the file does not exist. */
    readonly wayOut: string;
    readonly error: unknown;
  },
): McpError {
  const { shown, isPrivate, wayOut, error } = file;
  return invalidField(server, field, `${shown} ${whyUnreadable(error, wayOut)}`, {
    cause: isPrivate ? withoutPath(error) : error,
  });
}

/** The rejection of {@link Machine.readFile} for a file that is too large. */
function tooLarge(maxChars: number): Error {
  return Object.assign(new Error(t('larger than {0} KiB', maxChars / 1024)), { code: 'EFBIG' });
}

/** Explains errors of {@link Machine.readFile}. */
function whyUnreadable(error: unknown, wayOut: string): string {
  if (error instanceof Error && 'code' in error) {
    switch (error.code) {
      case 'EFBIG':
        return t('is {0}: is it the right file?', error.message);
      case 'ETIMEDOUT':
        return t('cannot be read: {0}', error.message);
    }
  }
  return t('cannot be read: {0}', wayOut);
}
