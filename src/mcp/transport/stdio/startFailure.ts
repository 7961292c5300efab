/** Explains why a process did not start, where it was searched, and what may help (STDIO-10). */
import { t } from '../../../base/l10n.ts';
import { stat } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { McpError } from '../../errors.ts';
import { valueOf } from '../../windowsPrograms.ts';

export interface FailedStart {
  readonly command: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** Limit of PATH folders that a message lists. */
const listedFolders = 20;

/** How to install a launcher that is often missing. */
const launcherSources: Readonly<Record<string, string>> = {
  npx: 'Node.js (https://nodejs.org)',
  npm: 'Node.js (https://nodejs.org)',
  node: 'Node.js (https://nodejs.org)',
  pnpm: 'pnpm (https://pnpm.io)',
  bunx: 'Bun (https://bun.sh)',
  bun: 'Bun (https://bun.sh)',
  deno: 'Deno (https://deno.com)',
  uvx: 'uv (https://docs.astral.sh/uv)',
  uv: 'uv (https://docs.astral.sh/uv)',
  python: 'Python (https://www.python.org)',
  python3: 'Python (https://www.python.org)',
  docker: 'Docker (https://www.docker.com)',
  dotnet: '.NET (https://dotnet.microsoft.com)',
};

/** Node reports a missing working directory like a missing command, so this checks the directory. */
export async function describeStartFailure(error: Error, start: FailedStart): Promise<McpError> {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const cwdProblem = start.cwd === undefined ? undefined : await problemOfFolder(start.cwd);
  if (cwdProblem !== undefined) {
    return new McpError(
      'unreachable',
      t(
        'Cannot start "{0}": the working directory "{1}" {2}. Correct "cwd" or create the folder.',
        start.command,
        start.cwd ?? '',
        cwdProblem,
      ),
      { cause: error },
    );
  }
  if (code.startsWith('ERR_INVALID_ARG')) {
    // No `cause`: its message quotes the value, which may be a secret.
    return new McpError(
      'unreachable',
      t(
        'Cannot start "{0}": the command, an argument or an environment variable contains a NUL character, or is empty and must not be.',
        start.command,
      ),
    );
  }
  return new McpError(
    'unreachable',
    t('Cannot start "{0}": {1}', start.command, reason(code, start)),
    { cause: error },
  );
}

function reason(code: string, start: FailedStart): string {
  switch (code) {
    case 'ENOENT':
      return reasonNotFound(start);
    case 'EACCES':
    case 'EPERM':
      return t(
        'permission denied. The file must be executable (chmod +x) and must not be a folder; a script can also be given as an argument to its interpreter.',
      );
    case 'ENOEXEC':
      return t(
        'the file is not a program for this machine. A script needs a first line such as "#!/usr/bin/env node", or its interpreter as the command.',
      );
    case 'E2BIG':
      return t('the arguments and environment variables are too long together for this system.');
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return t(
        'the system has no room for another process or file ({0}). Stop some programs and try again.',
        code,
      );
    default:
      return t('the system refused it ({0}).', code === '' ? t('no reason given') : code);
  }
}

function reasonNotFound(start: FailedStart): string {
  const { command } = start;
  if (/[/\\]/.test(command)) {
    const hint = /\s-/.test(command)
      ? t('The command seems to contain arguments: they belong in "args".')
      : t('Check the path, and for a script also the interpreter that its first line names.');
    return `${t('there is no such file.')} ${hint}`;
  }
  return [t('it was not found.'), searchedFolders(start.env), ...hintsFor(command, start.env)].join(
    ' ',
  );
}

function searchedFolders(env: FailedStart['env']): string {
  const folders = (valueOf(env, 'PATH') ?? '').split(delimiter).filter((folder) => folder !== '');
  if (folders.length === 0) {
    return t('The environment of the server has no PATH to search.');
  }
  const listed = folders.slice(0, listedFolders).join(delimiter);
  const more = folders.length - listedFolders;
  return more > 0
    ? t('Searched in PATH: {0} and {1} more.', listed, more)
    : t('Searched in PATH: {0}.', listed);
}

function hintsFor(command: string, env: FailedStart['env']): readonly string[] {
  if (/\s/.test(command.trim())) {
    return [t('The command contains spaces: arguments belong in "args".')];
  }
  const name = command.replace(/\.(cmd|exe)$/i, '');
  const source =
    name === 'bwrap'
      ? t('bubblewrap, a package of your Linux distribution, which "sandbox" needs')
      : launcherSources[name];
  const isWindows = process.platform === 'win32';
  const hints: string[] = [];
  if (source !== undefined) {
    // On Windows the editor keeps the PATH that it was started with.
    hints.push(
      isWindows ? t('Install {0}, then restart the editor.', source) : t('Install {0}.', source),
    );
  }
  if (isWindows && env['APPDATA'] === undefined) {
    hints.push(t('The variable APPDATA is not set; launchers that npm installs need it.'));
  }
  return [
    ...hints,
    t(
      'Give the absolute path as "command", or set PATH in "env"; an editor that was not started from a terminal may have a shorter PATH than your shell.',
    ),
  ];
}

async function problemOfFolder(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : t('is not a folder');
  } catch {
    return t('does not exist or cannot be read');
  }
}
