/** A server's progress in the editor's own chat, in words for its tooltip. */
import * as vscode from 'vscode';
import { accessSettings } from '../../host/editorChat/editorAccess.ts';
import type { Offer } from '../../host/editorChat/editorChat.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { section } from '../ids.ts';

/** Empty for nothing to say. */
export function offerText(
  offer: Offer,
  connection: Pick<ServerConnection, 'config' | 'state'>,
): string {
  switch (offer.kind) {
    case 'none':
      return '';
    case 'off':
      return offer.by === 'setting'
        ? vscode.l10n.t('off ({0})', `"${section}.bridge.enabled"`)
        : vscode.l10n.t('off ({0} in its entry)', '"bridge"');
    case 'unsupported':
      return vscode.l10n.t('not offered: this editor takes no MCP servers from extensions');
    case 'blocked':
      return offer.setting === accessSettings.disableAIFeatures
        ? vscode.l10n.t('the setting "{0}" switches all chat off, @mcp too', offer.setting)
        : vscode.l10n.t(
            'not allowed by the setting "{0}", which your organization may manage; use @mcp',
            offer.setting,
          );
    case 'waiting':
      return vscode.l10n.t('being offered');
    case 'untilNeeded':
      return vscode.l10n.t('offered as soon as the server has run once');
    case 'inUse':
      return hasSomething(connection)
        ? vscode.l10n.t('prompts as {0}, tools in agent mode', `/mcp.${slashWord(offer.label)}.*`)
        : vscode.l10n.t('offered as soon as the server runs');
    case 'notStarted':
      return [
        vscode.l10n.t(
          'offered, not started: run "MCP: List Servers" from the command palette, choose "{0}", then "Start Server"',
          offer.label,
        ),
        ...(offer.suspect === undefined
          ? []
          : [vscode.l10n.t('the setting "{0}" may prevent it', offer.suspect)]),
      ].join('; ');
  }
}

/** Whether a usable server is behind the bridge: the editor connects to the bridge in any case. */
function hasSomething({ config, state }: Pick<ServerConnection, 'config' | 'state'>): boolean {
  switch (state.kind) {
    case 'starting':
    case 'ready':
    case 'waiting':
      return true;
    case 'stopping':
    case 'stopped':
      return config.startup === 'onDemand';
    case 'failed':
      return false;
  }
}

/** The label as the editor writes it in a slash command. */
function slashWord(label: string): string {
  return label.replaceAll(/[^a-z0-9_.-]/giu, '_');
}
