/** The second step of the server picker: the actions on one server in its present state. */
import * as vscode from 'vscode';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { type CommandName, commandId } from '../ids.ts';
import { oneLine } from '../text/text.ts';
import { canSignIn, displayState, waitsForSignIn } from '../tree/stateDisplay.ts';

export async function pickServerAction(connection: ServerConnection): Promise<void> {
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
): (vscode.QuickPickItem & { readonly command: CommandName })[] {
  const { config, state } = connection;
  const { canStart, canStop } = displayState(state);
  const hasError = state.kind === 'failed' || state.kind === 'waiting';
  const isReady = state.kind === 'ready';
  return [
    ...(canSignIn(connection)
      ? [{ label: `$(key) ${vscode.l10n.t('Sign In')}`, command: 'signIn' as const }]
      : []),
    ...(waitsForSignIn(connection)
      ? [{ label: `$(close) ${vscode.l10n.t('Cancel Sign-In')}`, command: 'cancelSignIn' as const }]
      : []),
    ...(canStart && !canSignIn(connection)
      ? [{ label: `$(play) ${vscode.l10n.t('Start')}`, command: 'startServer' as const }]
      : []),
    ...(canStop
      ? [{ label: `$(debug-stop) ${vscode.l10n.t('Stop')}`, command: 'stopServer' as const }]
      : []),
    ...(isReady
      ? [
          {
            label: `$(debug-restart) ${vscode.l10n.t('Restart')}`,
            command: 'restartServer' as const,
          },
          {
            label: `$(refresh) ${vscode.l10n.t('Refresh Lists')}`,
            command: 'refreshServer' as const,
          },
        ]
      : []),
    ...(isReady && config.launch.kind !== 'stdio'
      ? [{ label: `$(sign-out) ${vscode.l10n.t('Sign Out')}`, command: 'signOut' as const }]
      : []),
    { label: `$(output) ${vscode.l10n.t('Show Log')}`, command: 'showServerLog' },
    { label: `$(arrow-swap) ${vscode.l10n.t('Inspect Messages')}`, command: 'inspectMessages' },
    ...(hasError
      ? [
          {
            label: `$(question) ${vscode.l10n.t('Why Does This Server Not Start?')}`,
            command: 'diagnoseServer' as const,
          },
          { label: `$(copy) ${vscode.l10n.t('Copy Error')}`, command: 'copyError' as const },
        ]
      : []),
    { label: `$(settings-gear) ${vscode.l10n.t('Open Settings')}`, command: 'openSettings' },
  ];
}
