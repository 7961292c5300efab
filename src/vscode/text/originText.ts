/** Who makes a request, in words. */
import * as vscode from 'vscode';
import { readOrigin } from '../../host/requestOrigin.ts';
import { oneLine } from './labelText.ts';

/** Undefined for an unknown origin. */
export function originText(origin: unknown): string | undefined {
  const read = readOrigin(origin);
  switch (read?.kind) {
    case 'model':
      return vscode.l10n.t('for a model');
    case 'user':
      return vscode.l10n.t('asked by you');
    case 'client':
      return vscode.l10n.t('for the editor’s own chat');
    case 'app':
      return vscode.l10n.t('for an app of the server');
    case 'extension':
      return vscode.l10n.t('for the extension {0}', oneLine(read.id, 60));
    case undefined:
      return undefined;
  }
}
