/** Asks which of the values that servers bring along are secrets. The values themselves are not shown. */
import * as vscode from 'vscode';
import type { ImportedServer } from '../../host/import/importedServer.ts';
import { findSecrets } from '../../host/import/secretPlaces.ts';
import { oneLine } from '../text.ts';

/**
 * Asks once for all of them.
 * @returns what {@link secretKey} gives for each secret, undefined when the question was closed
 */
export async function pickSecrets(
  wizard: string,
  named: readonly { readonly server: ImportedServer; readonly name: string }[],
): Promise<ReadonlySet<string> | undefined> {
  const items = named.flatMap(({ server, name }) =>
    findSecrets(server.entry).map(({ field, value, isRequired }) => ({
      label: `$(key) ${oneLine(field, 80)}`,
      description: vscode.l10n.t('{0}, {1} characters', oneLine(name, 60), value.length),
      ...(isRequired ? { detail: vscode.l10n.t('goes to the secret storage in any case') } : {}),
      picked: true,
      key: secretKey(name, field),
    })),
  );
  if (items.length === 0) {
    return new Set();
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('{0}: which of these are secrets?', wizard),
    placeHolder: vscode.l10n.t('Check the secrets, then OK'),
    prompt: vscode.l10n.t(
      'Checked values go to the secret storage, others are written to the settings.',
    ),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked === undefined ? undefined : new Set(picked.map(({ key }) => key));
}

export function secretKey(name: string, field: string): string {
  return JSON.stringify([name, field]);
}
