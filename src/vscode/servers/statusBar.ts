/** The status bar item: how many servers are ready, and whether one has failed. A click opens the picker. */
import * as vscode from 'vscode';
import { CoalescedRun } from '../../base/async.ts';
import type { Event } from '../../base/event.ts';
import type { HostConfig } from '../../host/config/serverConfig.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Registry } from '../editor/registerCommands.ts';
import { commandId } from '../ids.ts';
import { oneLine } from '../text/labelText.ts';
import {
  needsSignIn,
  stateWords,
  waitsForAnswer,
  waitsForConsent,
  waitsForSignIn,
} from '../tree/stateDisplay.ts';

interface Config {
  readonly current: HostConfig;
  readonly onDidChange: Event<HostConfig>;
}

/** Each step of each start is a change, and many servers start at once. */
const burstTimes = { quietMs: 50, maxMs: 200 } as const;

export function showStatusBar(own: Registry['own'], host: McpHost, config: Config): void {
  const { Right } = vscode.StatusBarAlignment;
  const item = own(vscode.window.createStatusBarItem('mcpHost.servers', Right, 50));
  item.name = vscode.l10n.t('MCP Servers');
  item.command = commandId('showServers');
  const run = own(new CoalescedRun(async () => draw(item, host, config.current), burstTimes));
  const redraw = (): void => run.request();
  own(host.onDidChangeServers(redraw));
  own(config.onDidChange(redraw));
  own(host.onDidChangeServer(redraw));
  redraw();
}

function draw(item: vscode.StatusBarItem, host: McpHost, { problems }: HostConfig): void {
  const servers = [...host.servers.values()].filter(
    ({ config }) =>
      config.isEnabled && config.hiddenBy === undefined && config.forbiddenBy === undefined,
  );
  const broken = problems.filter(({ isFatal }) => isFatal === true).length;
  if (servers.length === 0 && broken === 0) {
    item.hide();
    return;
  }
  const { t } = vscode.l10n;
  const count = (kind: string): number => servers.filter(({ state }) => state.kind === kind).length;
  const failed = count('failed');
  const signingIn = servers.filter(waitsForSignIn).length;
  const unsigned = servers.filter(needsSignIn).length;
  const unconsented = servers.filter(waitsForConsent).length;
  const asking = servers.filter(waitsForAnswer).length;
  const isBusy = count('starting') - asking + count('waiting') + count('stopping') > 0;
  const icons: readonly (readonly [boolean, string])[] = [
    [isBusy, 'loading~spin'],
    [asking > 0, 'question'],
    [failed > 0, 'error'],
    [broken > 0, 'warning'],
    [unconsented > 0, 'shield'],
    [unsigned > 0, 'key'],
    [true, 'plug'],
  ];
  const [, icon] = icons.find(([isIt]) => isIt) ?? [];
  const ready = t('{0} ready', count('ready'));
  const more = [
    ...(failed > 0 ? [t('{0} failed', failed)] : []),
    ...(broken > 0
      ? [broken === 1 ? t('1 setting to fix') : t('{0} settings to fix', broken)]
      : []),
    ...(unconsented > 0 ? [t('{0} waiting for your consent', unconsented)] : []),
    ...(asking > 0 ? [t('{0} waiting for your answer', asking)] : []),
    ...(signingIn > 0 ? [t('signing in…')] : []),
    ...(unsigned > 0 ? [t('{0} to sign in to', unsigned)] : []),
  ];
  const all = [ready, ...more].join(', ');
  item.text = `$(${icon}) MCP ${more.length === 0 ? count('ready') : all}`;
  item.backgroundColor =
    failed > 0 ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
  item.tooltip = servers
    .map(({ config, state }) => `${oneLine(config.name, 60)}: ${stateWords(state)}`)
    .join('\n');
  item.accessibilityInformation = { label: t('MCP servers: {0}', all) };
  item.show();
}
