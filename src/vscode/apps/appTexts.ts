/** Why an app is not shown, in sentences for its tab. */
import * as vscode from 'vscode';
import type { Consent } from '../../host/apps/shownApps.ts';
import type { UiCsp } from '../../mcp/types/apps.ts';

/**
 * Before the app is shown, nothing of it has been run (APP-27).
 * @param csp has sites
 */
export function outsideText(server: string, csp: UiCsp | undefined, consent: Consent): string {
  const {
    connectDomains = [],
    resourceDomains = [],
    frameDomains = [],
    baseUriDomains = [],
  } = csp ?? {};
  const lists = [
    { what: vscode.l10n.t('Exchange data'), sites: connectDomains },
    { what: vscode.l10n.t('Load scripts, styles, pictures, sound, fonts'), sites: resourceDomains },
    { what: vscode.l10n.t('Show pages in frames'), sites: frameDomains },
    { what: vscode.l10n.t('Base of its addresses'), sites: baseUriDomains },
  ];
  return [
    vscode.l10n.t(
      'The app of MCP server "{0}" wants to reach sites outside of the editor.',
      server,
    ),
    ...(consent === 'changed'
      ? [vscode.l10n.t('The app, or the entry of its server, has changed since you allowed this.')]
      : []),
    ...lists
      .filter(({ sites }) => sites.length > 0)
      .map(({ what, sites }) => `${what}: ${sites.join(', ')}`),
  ].join('\n');
}

export function goneText(server: string): string {
  if (!vscode.workspace.isTrusted) {
    return vscode.l10n.t(
      'MCP server "{0}" is not there in Restricted Mode, so its app cannot run.',
      server,
    );
  }
  return vscode.l10n.t(
    'MCP server "{0}" is not in the settings any more, so its app cannot run.',
    server,
  );
}

export function outdatedText(server: string): string {
  return vscode.l10n.t(
    'The settings of MCP server "{0}" have changed. Load its app again to go on.',
    server,
  );
}
