/** Where a server's entry comes from, and how long an answer counts, in words. */
import type { ConfigScope, RememberedScope } from '../../host/config/serverConfig.ts';
import * as os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { oneLine } from '../text/labelText.ts';

export function scopeText(scope: ConfigScope): string {
  switch (scope.kind) {
    case 'user':
      return vscode.l10n.t('user settings');
    case 'remote':
      return vscode.l10n.t('settings of the remote machine');
    case 'workspace':
      return vscode.l10n.t('workspace settings');
    case 'folder':
      return vscode.l10n.t('settings of the folder {0}', oneLine(scope.name, 60));
    case 'extension':
      return vscode.l10n.t('extension {0}', scope.id);
    case 'followed':
      return vscode.l10n.t(
        '{0}, followed: {1}',
        scope.program,
        oneLine(shortPath(scope.path), 120),
      );
  }
}

/** @param scope of a stored sign-in; its workspace may not be open, so it is shown by its address */
export function storedScopeText(scope: string): string {
  return scope === 'user' ? scopeText({ kind: 'user' }) : oneLine(scope, 150);
}

/** A path relative to its workspace folder, else to the home folder. */
export function shortPath(file: string): string {
  const home = os.homedir();
  const relative = vscode.workspace.asRelativePath(file, false);
  return relative === file && file.startsWith(`${home}${path.sep}`)
    ? `~${file.slice(home.length)}`
    : relative;
}

export function rememberedText(scope: RememberedScope): {
  readonly label: string;
  readonly description: string;
} {
  switch (scope) {
    case 'session':
      return {
        label: vscode.l10n.t('This Session'),
        description: vscode.l10n.t('until this window closes'),
      };
    case 'workspace':
      return {
        label: vscode.l10n.t('This Workspace'),
        description: vscode.l10n.t('whenever this workspace is open'),
      };
    case 'always':
      return { label: vscode.l10n.t('Always'), description: vscode.l10n.t('in every workspace') };
  }
}
