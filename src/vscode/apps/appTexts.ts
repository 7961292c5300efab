/** Why an app is not shown, in sentences for its tab. */
import * as vscode from 'vscode';

/** Before the app is shown, nothing of it has been run (APP-27). */
export function outsideText(server: string, outside: readonly string[]): string {
  return vscode.l10n.t(
    'The app of MCP server "{0}" wants to reach sites outside of the editor: {1}',
    server,
    outside.join(', '),
  );
}

export function goneText(server: string): string {
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
