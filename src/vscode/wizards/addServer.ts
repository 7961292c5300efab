/**
 * Adds a server to the settings: a command line or a URL, a name, and for whom. Offers to import what
 * other programs have.
 */
import * as vscode from 'vscode';
import { splitCommandLine } from '../../host/config/commandLine.ts';
import { whatIsWrongWithName } from '../../host/config/parseConfig.ts';
import { socketUrlStart } from '../../host/config/socketUrl.ts';
import { findImports, type FoundFile } from './findImports.ts';
import { importServers, type ImportServices } from './importServers.ts';
import { askTarget } from './settingsTarget.ts';

interface NewServer {
  readonly suggestedName: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Resolves to the names of the servers that were added, undefined when the user closed a step. */
export async function addServer(services: ImportServices): Promise<readonly string[] | undefined> {
  const added = await askLaunch(services.userData);
  if (added === undefined) {
    return undefined;
  }
  if (!('entry' in added)) {
    return importServers(added, services);
  }
  const target = await askTarget(
    vscode.l10n.t('Add MCP Server (2/3): for whom?'),
    services.userData,
  );
  if (target === undefined) {
    return undefined;
  }
  const name = await askName(added.suggestedName, target.serverNames);
  if (name === undefined) {
    return undefined;
  }
  await target.add({ servers: Object.fromEntries([[name, added.entry]]), inputs: [] });
  return [name];
}

type Way = 'stdio' | 'http' | readonly FoundFile[];

async function askLaunch(
  userData: vscode.Uri | undefined,
): Promise<NewServer | readonly FoundFile[] | undefined> {
  const title = vscode.l10n.t('Add MCP Server (1/3): how is it reached?');
  // The list shows as soon as it is known what can be imported.
  const items = findImports(userData).then((files): (vscode.QuickPickItem & { way: Way })[] => [
    {
      label: `$(terminal) ${vscode.l10n.t('Command')}`,
      detail: vscode.l10n.t(
        'A program on this machine, spoken to over stdio: npx, uvx, docker, a path…',
      ),
      way: 'stdio',
    },
    {
      label: `$(globe) ${vscode.l10n.t('URL')}`,
      detail: vscode.l10n.t('A server reached over HTTP, a WebSocket or a local socket'),
      way: 'http',
    },
    ...(files.length === 0 ? [] : [importItem(files)]),
  ]);
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  switch (picked?.way) {
    case 'stdio':
      return askCommand();
    case 'http':
      return askUrl();
    case undefined:
      return undefined;
    default:
      return picked?.way;
  }
}

function importItem(files: readonly FoundFile[]): vscode.QuickPickItem & { way: Way } {
  const count = files.reduce((sum, { servers }) => sum + servers.length, 0);
  const programs = [...new Set(files.map(({ program }) => program))].join(', ');
  return {
    label: `$(arrow-down) ${vscode.l10n.t('Import')}`,
    detail:
      count === 1
        ? vscode.l10n.t('1 server found in the settings of {0}', programs)
        : vscode.l10n.t('{0} servers found in the settings of {1}', count, programs),
    way: files,
  };
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
