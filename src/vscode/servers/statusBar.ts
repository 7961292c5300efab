/** The status bar item: how many servers are ready, and whether one has failed. A click opens the picker. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { HostConfig } from '../../host/config/serverConfig.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { commandId } from '../ids.ts';
import { oneLine } from '../text/labelText.ts';
import { needsSignIn, stateWords, waitsForAnswer, waitsForSignIn } from '../tree/stateDisplay.ts';

export class ServerStatusBar implements Disposable {
  readonly #host: McpHost;
  readonly #config: { readonly current: HostConfig };
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(
    host: McpHost,
    config: { readonly current: HostConfig; readonly onDidChange: Event<HostConfig> },
  ) {
    this.#host = host;
    this.#config = config;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('mcpHost.servers', vscode.StatusBarAlignment.Right, 50),
    );
    this.#item.name = vscode.l10n.t('MCP Servers');
    this.#item.command = commandId('showServers');
    this.#store.add(host.onDidChangeServers(() => this.#draw()));
    this.#store.add(config.onDidChange(() => this.#draw()));
    this.#store.add(host.onDidChangeServer(() => this.#draw()));
    this.#draw();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #draw(): void {
    const servers = [...this.#host.servers.values()].filter(
      ({ config }) =>
        config.isEnabled && config.hiddenBy === undefined && config.forbiddenBy === undefined,
    );
    const isBroken = this.#config.current.problems.some(({ isFatal }) => isFatal === true);
    if (servers.length === 0 && !isBroken) {
      this.#item.hide();
      return;
    }
    const count = (kind: string): number =>
      servers.filter(({ state }) => state.kind === kind).length;
    const ready = count('ready');
    const failed = count('failed');
    const signingIn = servers.filter(waitsForSignIn).length;
    const unsigned = servers.filter(needsSignIn).length;
    const asking = servers.filter(waitsForAnswer).length;
    const isBusy = count('starting') - asking + count('waiting') + count('stopping') > 0;
    const icon = isBusy
      ? '$(loading~spin)'
      : asking > 0
        ? '$(question)'
        : failed > 0
          ? '$(error)'
          : isBroken
            ? '$(warning)'
            : unsigned > 0
              ? '$(key)'
              : '$(plug)';
    const more = [
      ...(failed > 0 ? [vscode.l10n.t('{0} failed', failed)] : []),
      ...(isBroken ? [vscode.l10n.t('settings to fix')] : []),
      ...(asking > 0 ? [vscode.l10n.t('{0} waiting for your answer', asking)] : []),
      ...(signingIn > 0 ? [vscode.l10n.t('signing in…')] : []),
      ...(unsigned > 0 ? [vscode.l10n.t('{0} to sign in to', unsigned)] : []),
    ];
    const text =
      more.length === 0 ? `${ready}` : [vscode.l10n.t('{0} ready', ready), ...more].join(', ');
    this.#item.text = `${icon} MCP ${text}`;
    this.#item.backgroundColor =
      failed > 0 ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.#item.tooltip = servers
      .map(({ config, state }) => `${oneLine(config.name, 60)}: ${stateWords(state)}`)
      .join('\n');
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t(
        'MCP servers: {0}',
        [vscode.l10n.t('{0} ready', ready), ...more].join(', '),
      ),
    };
    this.#item.show();
  }
}
