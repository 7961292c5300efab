/** The scope of a setting, in words. */
import * as vscode from 'vscode';
import type { ConfigScope } from '../host/config/serverConfig.ts';
import { oneLine } from './text.ts';

export function scopeText(scope: ConfigScope): string {
  switch (scope.kind) {
    case 'user':
      return vscode.l10n.t('user settings');
    case 'workspace':
      return vscode.l10n.t('workspace settings');
    case 'folder':
      return vscode.l10n.t('settings of the folder {0}', oneLine(scope.name, 60));
  }
}
