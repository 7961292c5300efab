/** Commands on servers: start, stop, restart, refresh, log, error, and the picker of the status bar. */
import * as vscode from 'vscode';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';
import { errorOf } from '../../host/servers/connectionState.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { isCancelled } from '../../mcp/errors.ts';
import type { WorkspaceSwitches } from '../../host/config/workspaceSwitches.ts';
import type { CommandHandlers } from '../editor/registerCommands.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { tellServerError } from '../editor/tellError.ts';
import { commandId, type CommandName } from '../ids.ts';
import { errorReport } from '../text/errorText.ts';
import { oneLine } from '../text/labelText.ts';
import {
  canSignIn,
  displayState,
  isDown,
  needsSignIn,
  waitsForConsent,
  waitsForSignIn,
} from '../tree/stateDisplay.ts';
import { serverOf, serverPick } from './pickServer.ts';

/** @param questions are told which server the user has just started */
export function serverCommands(
  host: McpHost,
  logs: OutputLogs,
  questions: Pick<QuestionQueue, 'expect'>,
  switches: WorkspaceSwitches,
): CommandHandlers {
  const { t } = vscode.l10n;
  const onServer =
    (
      placeHolder: string,
      fits: (connection: ServerConnection) => boolean,
      none: string,
      run: (connection: ServerConnection) => Promise<void> | void,
    ): NonNullable<CommandHandlers['startServer']> =>
    async (argument) => {
      const connection = await serverOf(host, argument, { placeHolder, fits, none });
      if (connection !== undefined) {
        await run(connection);
      }
    };
  const starting = (connection: ServerConnection, start: () => Promise<unknown>): Promise<void> => {
    questions.expect(connection.id);
    return telling(connection, logs, start);
  };
  const noneRuns = t('No MCP server is running.');
  return {
    startServer: onServer(
      t('Which server should start?'),
      ({ state }) => displayState(state).canStart,
      t('No MCP server can be started: all are running, or switched off in the settings.'),
      (connection) => starting(connection, () => connection.start()),
    ),
    stopServer: onServer(t('Which server should stop?'), isStoppable, noneRuns, (connection) =>
      connection.stop(),
    ),
    restartServer: onServer(
      t('Which server should restart?'),
      isStoppable,
      noneRuns,
      (connection) => starting(connection, () => connection.restart()),
    ),
    stopAllServers: () => host.stopAll(),
    switchServerOff: onServer(
      t('Which server should be off in this workspace?'),
      (connection) => isOn(connection) === true,
      t('No MCP server is on.'),
      ({ config }) => switches.set(config, false),
    ),
    switchServerOn: onServer(
      t('Which server should be on in this workspace?'),
      (connection) => isOn(connection) === false,
      t('No MCP server is off.'),
      ({ config }) => switches.set(config, true),
    ),
    choosePrompts: () => choosePrompts(host, switches),
    refreshServer: onServer(
      t('Which server’s lists should be fetched again?'),
      ({ state }) => state.kind === 'ready',
      noneRuns,
      ({ catalog }) => catalog.refresh(),
    ),
    showServerLog: onServer(
      t('Which server’s log?'),
      () => true,
      t('No MCP servers are configured.'),
      ({ id }) => logs.show(id),
    ),
    showLog: () => logs.showHost(),
    copyError: onServer(
      t('Which server’s error?'),
      hasError,
      t('No MCP server has failed.'),
      copyError,
    ),
    showServers: () => showServers(host),
  };
}

/**
 * Shows why a server did not start, with its own log one click away. A user who has just refused the consent or the
 * sign-in needs no message.
 */
async function telling(
  connection: ServerConnection,
  logs: Pick<OutputLogs, 'show'>,
  start: () => Promise<unknown>,
): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!isCancelled(error) && !waitsForConsent(connection) && !needsSignIn(connection)) {
      // Not awaited: a message stays until it is closed.
      void tellServerError(connection.config.name, error, () => logs.show(connection.id));
    }
  }
}

function isStoppable({ state }: ServerConnection): boolean {
  return displayState(state).canStop;
}

/** Undefined for one that is not used, on or off. */
function isOn({ config }: ServerConnection): boolean | undefined {
  return config.hiddenBy === undefined ? config.isEnabled : undefined;
}

function hasError({ state }: ServerConnection): boolean {
  return errorOf(state) !== undefined;
}

async function copyError({ config, state }: ServerConnection): Promise<void> {
  if (state.kind === 'failed' || state.kind === 'waiting') {
    const error = state.kind === 'failed' ? state.error : state.cause;
    await vscode.env.clipboard.writeText(errorReport(config.name, error, state.lastStderr));
    vscode.window.setStatusBarMessage(
      vscode.l10n.t('Copied the error of {0}', oneLine(config.name, 60)),
      3000,
    );
  }
}

async function showServers(host: McpHost): Promise<void> {
  const add = { label: `$(add) ${vscode.l10n.t('Add Server…')}` };
  const view = { label: `$(list-tree) ${vscode.l10n.t('Show in Side Bar')}` };
  const servers = [...host.servers.values()].map(serverPick);
  const picked = await vscode.window.showQuickPick<
    vscode.QuickPickItem & { readonly connection?: ServerConnection }
  >([...servers, { label: '', kind: vscode.QuickPickItemKind.Separator }, add, view], {
    title: vscode.l10n.t('MCP servers'),
    placeHolder: vscode.l10n.t('Choose one to see what can be done with it'),
  });
  if (picked === add) {
    await vscode.commands.executeCommand(commandId('addServer'));
  } else if (picked === view) {
    await vscode.commands.executeCommand('workbench.view.extension.mcpHost');
  } else if (picked?.connection !== undefined) {
    await pickServerAction(picked.connection);
  }
}

/** Checked servers have their prompts in the editor's chat, in this workspace. */
async function choosePrompts(host: McpHost, switches: WorkspaceSwitches): Promise<void> {
  const { promptsOff } = switches;
  const items = [...host.servers.values()]
    .filter(({ config, catalog }) => config.bridge && catalog.known('prompts').length > 0)
    .map(({ id, config, catalog }) => ({
      label: oneLine(config.name, 80),
      description: oneLine(
        catalog
          .known('prompts')
          .map(({ name }) => name)
          .join(', '),
        160,
      ),
      picked: !promptsOff.has(id),
      id,
    }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Prompts in the editor’s chat (/mcp.)'),
    placeHolder: vscode.l10n.t(
      'Check the servers whose prompts you want in this workspace, then OK',
    ),
    canPickMany: true,
  });
  if (picked !== undefined) {
    const chosen = new Set(picked.map(({ id }) => id));
    const shown = new Set(items.map(({ id }) => id));
    const others = [...promptsOff].filter((id) => !shown.has(id));
    await switches.setPromptsOff([...others, ...[...shown].filter((id) => !chosen.has(id))]);
  }
}

async function pickServerAction(connection: ServerConnection): Promise<void> {
  const picked = await vscode.window.showQuickPick(actionsFor(connection), {
    title: oneLine(connection.config.name, 80),
    placeHolder: vscode.l10n.t('What is to be done with this server?'),
  });
  if (picked !== undefined) {
    await vscode.commands.executeCommand(commandId(picked.command), { serverId: connection.id });
  }
}

function actionsFor(
  connection: ServerConnection,
): readonly (vscode.QuickPickItem & { readonly command: CommandName })[] {
  const { config, state } = connection;
  const { canStart, canStop } = displayState(state);
  const mustSignIn = canSignIn(connection);
  const isReady = state.kind === 'ready';
  const isRemote = config.launch.kind !== 'stdio';
  const { t } = vscode.l10n;
  const rows: readonly (readonly [boolean, icon: string, label: string, CommandName])[] = [
    [mustSignIn, 'key', vscode.l10n.t('Sign In'), 'signIn'],
    [waitsForSignIn(connection), 'close', vscode.l10n.t('Cancel Sign-In'), 'cancelSignIn'],
    [canStart && !mustSignIn, 'play', vscode.l10n.t('Start'), 'startServer'],
    [canStop, 'debug-stop', vscode.l10n.t('Stop'), 'stopServer'],
    [isReady, 'debug-restart', vscode.l10n.t('Restart'), 'restartServer'],
    [
      isOn(connection) === true,
      'circle-slash',
      t('Switch Off in This Workspace'),
      'switchServerOff',
    ],
    [isOn(connection) === false, 'check', t('Switch On in This Workspace'), 'switchServerOn'],
    [isReady, 'refresh', vscode.l10n.t('Refresh Lists'), 'refreshServer'],
    [isReady && isRemote, 'sign-out', vscode.l10n.t('Sign Out'), 'signOut'],
    [true, 'output', vscode.l10n.t('Show Log'), 'showServerLog'],
    [true, 'arrow-swap', vscode.l10n.t('Inspect Messages'), 'inspectMessages'],
    [isDown(connection), 'question', t('Why Does This Server Not Start?'), 'diagnoseServer'],
    [hasError(connection), 'copy', vscode.l10n.t('Copy Error'), 'copyError'],
    [true, 'settings-gear', vscode.l10n.t('Open Settings'), 'openSettings'],
  ];
  return rows
    .filter(([isShown]) => isShown)
    .map(([, icon, label, command]) => ({ label: `$(${icon}) ${label}`, command }));
}
