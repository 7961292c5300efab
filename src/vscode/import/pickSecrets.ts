/** Asks which texts of the new servers are secrets. Our guess is shown with its text. */
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { visible } from '../../base/visible.ts';
import type { ImportedServer } from '../../host/import/importedServer.ts';
import { findSecrets } from '../../host/import/secretPlaces.ts';
import { oneLine } from '../text/text.ts';
import { type KeepFile, openFile, textFile } from '../text/wholeText.ts';

/** A longer text is cut in the list; the document shows it whole. */
const maxText = 200;

interface SecretItem extends vscode.QuickPickItem {
  readonly key: string;
}

/**
 * Asks once for all of them.
 * @returns what {@link secretKey} gives for each secret, undefined when the question was closed
 */
export async function pickSecrets(
  wizard: string,
  named: readonly { readonly server: ImportedServer; readonly name: string }[],
  keep: KeepFile,
): Promise<ReadonlySet<string> | undefined> {
  const places = named.flatMap(({ server, name }) =>
    findSecrets(server.entry).map((place) => ({ ...place, server: name })),
  );
  if (places.length === 0) {
    return new Set();
  }
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<SecretItem>());
  const showAll = {
    iconPath: new vscode.ThemeIcon('note'),
    tooltip: vscode.l10n.t('Show All…'),
  };
  pick.title = vscode.l10n.t('{0}: which of these are secrets?', wizard);
  pick.placeholder = vscode.l10n.t('Check the secrets, then OK');
  pick.prompt = vscode.l10n.t(
    'Checked texts go to the secret storage, others are written to the settings.',
  );
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.buttons = [showAll];
  pick.items = places.map(({ server, field, text, isRequired }) => ({
    label: `$(key) ${oneLine(field, 80)}`,
    description: oneLine(server, 60),
    detail: [
      oneLine(visible(text), maxText),
      ...(isRequired ? [vscode.l10n.t('goes to the secret storage in any case')] : []),
    ].join(' · '),
    key: secretKey(server, field),
  }));
  pick.selectedItems = pick.items;
  const texts = places.map(({ server, field, text }) => `${server}: ${field}\n${visible(text)}\n`);
  let document: Promise<() => Promise<void>> | undefined;
  try {
    return await new Promise((resolve) => {
      store.add(
        pick.onDidTriggerButton(() => {
          document ??= openFile(keep, textFile('secrets', texts.join('\n')));
        }),
      );
      store.add(pick.onDidAccept(() => resolve(new Set(pick.selectedItems.map(({ key }) => key)))));
      store.add(pick.onDidHide(() => resolve(undefined)));
      pick.show();
    });
  } finally {
    store.dispose();
    await (
      await document
    )?.();
  }
}

export function secretKey(name: string, field: string): string {
  return JSON.stringify([name, field]);
}
