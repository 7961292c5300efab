/** The row of a server in the tree. */
import * as vscode from 'vscode';
import type { ConfigScope, ServerConfig } from '../../host/config/serverConfig.ts';
import type { Offer } from '../../host/editorChat/editorChat.ts';
import { asksForInputs } from '../../host/launch/inputs.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { ConnectionState } from '../../host/servers/connectionState.ts';
import type { ServerDescription } from '../../mcp/session/session.ts';
import { offerText } from '../editorChat/offerText.ts';
import { errorText } from '../text/errorText.ts';
import { scopeText } from '../config/scopeText.ts';
import { PlainTooltip } from '../text/plainTooltip.ts';
import { dotted, oneLine } from '../text/labelText.ts';
import { rowCommand } from './itemRows.ts';
import {
  canSignIn,
  displayState,
  isDown,
  needsSignIn,
  stateWords,
  waitsForAnswer,
  waitsForConsent,
  waitsForSignIn,
  waitsForValue,
} from './stateDisplay.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** What a server's row shows besides its state. */
export interface ServerFacts {
  /** Its progress in the editor's own chat. */
  readonly offer: Offer;
  /** Whether requests to it go out with a token. */
  readonly isSignedIn: boolean;
  /** Of the window, see `vscode.env.remoteName`. */
  readonly remoteName: string | undefined;
}

/** Without its tooltip, which is made on demand. */
export function serverItem(connection: ServerConnection, facts: ServerFacts): vscode.TreeItem {
  const { config, state } = connection;
  const label = oneLine(config.name, 80);
  const item = new vscode.TreeItem(label, collapsibleState(connection));
  const shown = stateText(connection);
  const more = [
    (state.kind === 'ready' && connection.startedFor) || '',
    placeOf(config.scope),
    machineWords(connection, facts),
  ].filter((words) => words !== '');
  item.description = dotted(shown, ...more);
  item.accessibilityInformation = {
    label: [label, shown || stateWords(state), ...more].join(', '),
  };
  item.iconPath = displayState(state).icon;
  item.contextValue = serverWords(connection, facts);
  const command = clickOf(connection);
  if (command !== undefined) {
    item.command = command;
  }
  return item;
}

/** Where programs run in a remote window, by the name that the editor has for its kind. */
const remoteWindows: ReadonlyMap<string, string> = new Map([
  ['ssh-remote', vscode.l10n.t('over SSH')],
  ['tunnel', vscode.l10n.t('over a tunnel')],
  ['wsl', vscode.l10n.t('in WSL')],
  ['dev-container', vscode.l10n.t('in the container')],
  ['attached-container', vscode.l10n.t('in the container')],
  ['codespaces', vscode.l10n.t('in the codespace')],
]);

/** Empty in a browser's window, too: its remote has no name but the address, which the browser shows. */
function machineWords({ config }: ServerConnection, { remoteName }: ServerFacts): string {
  if (remoteName === undefined || !/^[\w-]+$/u.test(remoteName)) {
    return '';
  }
  return config.launch.kind === 'stdio'
    ? (remoteWindows.get(remoteName) ?? remoteName)
    : vscode.l10n.t('reached from {0}', remoteName);
}

/** A click on the row opens what the server waits for. */
function clickOf(connection: ServerConnection): vscode.Command | undefined {
  const { config, state, id: serverId } = connection;
  if (isRestricted(state)) {
    return { command: 'workbench.trust.manage', title: vscode.l10n.t('Manage Workspace Trust') };
  }
  if (config.forbiddenBy !== undefined) {
    return {
      command: 'workbench.action.openSettings',
      title: vscode.l10n.t('Open Setting'),
      arguments: [`@id:${config.forbiddenBy}`],
    };
  }
  if (waitsForAnswer(connection)) {
    return rowCommand('showQuestions', vscode.l10n.t('Show Waiting Questions…'), undefined);
  }
  if (needsSignIn(connection)) {
    return rowCommand('signIn', vscode.l10n.t('Sign In'), { serverId });
  }
  const isAsked = waitsForConsent(connection) || waitsForValue(connection);
  return isAsked
    ? rowCommand('startServer', vscode.l10n.t('Start Server'), { serverId })
    : undefined;
}

function stateText({ config, state }: ServerConnection): string {
  if (config.hiddenBy !== undefined) {
    return vscode.l10n.t('hidden by {0}', scopeText(config.hiddenBy));
  }
  if (config.isSwitched === true && !config.isEnabled) {
    return vscode.l10n.t('off in this workspace');
  }
  return config.forbiddenBy === undefined
    ? displayState(state).words
    : vscode.l10n.t('not allowed by {0}', config.forbiddenBy);
}

/** Where the entry comes from, unless from the user's own settings. */
function placeOf(scope: ConfigScope): string {
  switch (scope.kind) {
    case 'user':
      return '';
    case 'remote':
      return vscode.l10n.t('remote machine');
    case 'workspace':
      return vscode.l10n.t('workspace');
    case 'folder':
    case 'extension':
      return oneLine(scope.name, 40);
    case 'followed':
      return vscode.l10n.t('from {0}', scope.program);
  }
}

/**
 * Expanded from the first draw on, also while nothing is inside: the editor remembers the first state that it is given.
 * Expanding a stopped on-demand server starts it.
 */
function collapsibleState({ config, state }: ServerConnection): vscode.TreeItemCollapsibleState {
  if (state.kind !== 'stopped' && state.kind !== 'stopping') {
    return Expanded;
  }
  if (!config.isEnabled || config.hiddenBy !== undefined || config.forbiddenBy !== undefined) {
    return None;
  }
  return config.startup === 'onDemand' ? Collapsed : Expanded;
}

function isRestricted(state: ConnectionState): boolean {
  return state.kind === 'stopped' && state.because === 'restricted';
}

/** Menus in package.json match these words. */
function serverWords(connection: ServerConnection, { isSignedIn }: ServerFacts): string {
  const { config, state } = connection;
  const { canStart, canStop } = displayState(state);
  const isReady = state.kind === 'ready';
  const words: Readonly<Record<string, boolean>> = {
    server: true,
    needsSignIn: canSignIn(connection),
    canStart: canStart && !canSignIn(connection),
    signsIn: waitsForSignIn(connection),
    signedIn: isSignedIn,
    canStop,
    canRestart: isReady,
    canRefresh: isReady,
    hasError: state.kind === 'failed' || state.kind === 'waiting',
    canDiagnose: isDown(connection),
    canSwitchOff: config.isEnabled && config.hiddenBy === undefined,
    canSwitchOn: !config.isEnabled && config.hiddenBy === undefined,
    hasInputs: asksForInputs(config),
    mayUpdate: namesVersion(config),
    hasLog: config.isEnabled && config.hiddenBy === undefined,
  };
  return Object.keys(words)
    .filter((word) => words[word])
    .join(' ');
}

/** Such as `server@1.2.0`. "Check for Update…" says so where it is no version after all. */
function namesVersion({ launch, scope: { kind } }: ServerConfig): boolean {
  return (
    launch.kind === 'stdio' &&
    (kind === 'user' || kind === 'workspace') &&
    launch.args.some((arg) => /[@:=]v?\d/u.test(arg))
  );
}

/** Empty where there is only one machine. */
function machineText(remoteName: string | undefined): string {
  return remoteName === undefined
    ? ''
    : vscode.l10n.t('the remote machine of this window ({0})', oneLine(remoteName, 60));
}

export function serverTooltip(
  connection: ServerConnection,
  { offer, isSignedIn, remoteName }: ServerFacts,
): vscode.MarkdownString {
  const { config, state } = connection;
  const { hiddenBy, forbiddenBy } = config;
  const { t } = vscode.l10n;
  const hidden =
    hiddenBy &&
    t('Not used: an entry of the same name in the {0} comes first.', scopeText(hiddenBy));
  const forbidden =
    forbiddenBy &&
    t(
      'Not used: the editor’s setting "{0}", which your organization may manage, does not allow it.',
      forbiddenBy,
    );
  const restricted = t(
    'No MCP server is started before you trust the folder. Click to manage trust.',
  );
  const tooltip = new PlainTooltip()
    .line(t('Server'), config.name)
    .line(t('From'), scopeText(config.scope))
    .line(
      config.launch.kind === 'stdio' ? t('Runs on') : t('Reached from'),
      machineText(remoteName),
    )
    .paragraph(hidden ?? '')
    .paragraph(forbidden ?? '')
    .line(t('Editor’s chat'), offerText(offer, connection))
    .line(t('Signed in'), isSignedIn ? t('yes') : '')
    .paragraph(isRestricted(state) ? restricted : '');
  switch (state.kind) {
    case 'ready':
      describeServer(tooltip, state.server);
      break;
    case 'failed':
      tooltip.line(vscode.l10n.t('Error'), errorText(state.error));
      tooltip.paragraph(state.lastStderr.join('\n'));
      break;
    case 'waiting':
      tooltip.line(vscode.l10n.t('Ended'), errorText(state.cause));
      tooltip.line(vscode.l10n.t('Restart'), vscode.l10n.t('attempt {0}', state.attempt));
      tooltip.paragraph(state.lastStderr.join('\n'));
      break;
    case 'stopped':
    case 'starting':
    case 'stopping':
      break;
  }
  return tooltip.build(
    state.kind === 'ready'
      ? vscode.l10n.t('“Show Details” has the rest.')
      : vscode.l10n.t('“Show Server Log” has the rest.'),
  );
}

function describeServer(tooltip: PlainTooltip, server: ServerDescription): void {
  const { info } = server;
  tooltip.line(vscode.l10n.t('Revision'), `${server.revision} (${server.era})`);
  tooltip.line(vscode.l10n.t('Transport'), server.transport);
  tooltip.line(vscode.l10n.t('Calls itself'), `${info.title ?? info.name} ${info.version}`);
  tooltip.paragraph(server.instructions ?? '');
}
