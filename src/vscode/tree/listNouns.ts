/** What people call the lists of a server. */
import * as vscode from 'vscode';
import type { ListKind } from '../../host/catalog/catalog.ts';

export function listTitle(list: ListKind): string {
  switch (list) {
    case 'tools':
      return vscode.l10n.t('Tools');
    case 'prompts':
      return vscode.l10n.t('Prompts');
    case 'resources':
      return vscode.l10n.t('Resources');
    case 'resourceTemplates':
      return vscode.l10n.t('Templates');
  }
}
