/**
 * Adds a server to the settings: a command line or a URL, a name, and for whom. The editor writes
 * settings.json itself, so comments and order in it stay.
 */
import * as vscode from 'vscode';
import { splitCommandLine } from '../../host/config/commandLine.ts';
import { whatIsWrongWithName } from '../../host/config/parseConfig.ts';
import { socketUrlStart } from '../../host/config/socketUrl.ts';
import { section } from '../ids.ts';
import { writeSetting } from '../writeSetting.ts';

interface NewServer {
  readonly suggestedName: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Resolves to the name of the server that was added, undefined when the user closed a step. */
export async function addServer(): Promise<string | undefined> {
  const added = await askLaunch();
  if (added === undefined) {
    return undefined;
  }
  const target = await askTarget();
  if (target === undefined) {
    return undefined;
  }
  const servers = currentServers(target);
  const name = await askName(added.suggestedName, new Set(Object.keys(servers)));
  if (name === undefined) {
    return undefined;
  }
  await writeSetting('servers', { ...servers, [name]: added.entry }, target);
  return name;
}

async function askLaunch(): Promise<NewServer | undefined> {
  const title = vscode.l10n.t('Add MCP Server (1/3): how is it reached?');
  const kind = await vscode.window.showQuickPick(
    [
      {
        label: `$(terminal) ${vscode.l10n.t('Command')}`,
        detail: vscode.l10n.t(
          'A program on this machine, spoken to over stdio: npx, uvx, docker, a path…',
        ),
        launch: 'stdio' as const,
      },
      {
        label: `$(globe) ${vscode.l10n.t('URL')}`,
        detail: vscode.l10n.t('A server reached over HTTP, a WebSocket or a local socket'),
        launch: 'http' as const,
      },
    ],
    { title, ignoreFocusOut: true },
  );
  switch (kind?.launch) {
    case 'stdio':
      return askCommand();
    case 'http':
      return askUrl();
    case undefined:
      return undefined;
  }
}

async function askCommand(): Promise<NewServer | undefined> {
  const line = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add MCP Server (1/3): command line'),
    prompt: vscode.l10n.t('The command with its arguments. It is not run through a shell.'),
    placeHolder: 'npx -y @modelcontextprotocol/server-everything',
    ignoreFocusOut: true,
    validateInput: (value) => {
      const words = splitCommandLine(value);
      if (words === undefined) {
        return vscode.l10n.t('A quote is not closed.');
      }
      return words.length === 0 ? vscode.l10n.t('A command is needed.') : undefined;
    },
  });
  const [command, ...args] = (line === undefined ? undefined : splitCommandLine(line)) ?? [];
  if (command === undefined) {
    return undefined;
  }
  const subject = args.find((word) => !word.startsWith('-')) ?? command;
  return {
    suggestedName: baseName(subject),
    entry: args.length === 0 ? { command } : { command, args },
  };
}

async function askUrl(): Promise<NewServer | undefined> {
  const url = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add MCP Server (1/3): URL'),
    prompt: vscode.l10n.t('The MCP endpoint of the server.'),
    placeHolder: 'https://example.com/mcp',
    ignoreFocusOut: true,
    validateInput: (value) =>
      hostOf(value) === undefined
        ? vscode.l10n.t(
            'A URL that starts with https://, http://, wss://, ws://, unix:/// or pipe:/// is needed.',
          )
        : undefined,
  });
  const host = url === undefined ? undefined : hostOf(url);
  return url === undefined || host === undefined
    ? undefined
    : { suggestedName: host, entry: { url: url.trim() } };
}

function hostOf(text: string): string | undefined {
  const trimmed = text.trim();
  const socket = socketUrlStart.exec(trimmed)?.[0];
  if (socket !== undefined) {
    return baseName(trimmed.slice(socket.length).replace(/[#:].*$/u, ''));
  }
  const url = URL.parse(trimmed);
  return url !== null && /^(?:https?|wss?):$/u.test(url.protocol) ? url.hostname : undefined;
}

async function askTarget(): Promise<vscode.ConfigurationTarget | undefined> {
  if (vscode.workspace.workspaceFolders === undefined) {
    return vscode.ConfigurationTarget.Global;
  }
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: `$(account) ${vscode.l10n.t('For me')}`,
        detail: vscode.l10n.t('In your user settings: in every folder that you open'),
        target: vscode.ConfigurationTarget.Global,
      },
      {
        label: `$(root-folder) ${vscode.l10n.t('For this workspace')}`,
        detail: vscode.l10n.t(
          'In the settings of this workspace: for everybody who opens it, after their consent',
        ),
        target: vscode.ConfigurationTarget.Workspace,
      },
    ],
    { title: vscode.l10n.t('Add MCP Server (2/3): for whom?'), ignoreFocusOut: true },
  );
  return picked?.target;
}

function currentServers(target: vscode.ConfigurationTarget): Readonly<Record<string, unknown>> {
  const inspected = vscode.workspace
    .getConfiguration(section)
    .inspect<Readonly<Record<string, unknown>>>('servers');
  const value =
    target === vscode.ConfigurationTarget.Global
      ? inspected?.globalValue
      : inspected?.workspaceValue;
  return value ?? {};
}

async function askName(
  suggestion: string,
  taken: ReadonlySet<string>,
): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add MCP Server (3/3): name'),
    prompt: vscode.l10n.t('How the server is called in the side bar and in chat.'),
    value: suggestion,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const trimmed = value.trim();
      if (whatIsWrongWithName(trimmed) !== undefined) {
        return vscode.l10n.t('A name of 1 to 100 visible characters is needed.');
      }
      return taken.has(trimmed)
        ? vscode.l10n.t('There is a server of this name already. Choose another name.')
        : undefined;
    },
  });
  return name?.trim();
}

/** `@scope/server-time@1.2` and `/opt/time.js` give `server-time` and `time`. */
function baseName(subject: string): string {
  const last = subject.split(/[\\/]/u).at(-1) ?? subject;
  return last.replace(/@[^@]*$/u, '').replace(/\.[a-z]+$/u, '') || subject;
}
