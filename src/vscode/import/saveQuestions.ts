/** The questions about every new server before it is saved: for whom, its name, which of its texts are secrets. */
import * as vscode from 'vscode';
import { SettingsTarget } from './settingsTarget.ts';
import { whatIsWrongWithName } from '../../host/config/parseConfig.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { visible } from '../../base/visible.ts';
import type { ImportedServer } from '../../host/import/importedServer.ts';
import { findSecrets } from '../../host/import/secretPlaces.ts';
import { oneLine } from '../text/labelText.ts';
import { type KeepFile, openFile, textFile } from '../text/wholeText.ts';

/** @returns undefined when the user closed the question */
export async function askTarget({
  title,
  placeHolder,
  userData,
}: {
  readonly title: string;
  readonly placeHolder?: string;
  /** The folder `User` of the editor. */
  readonly userData: vscode.Uri | undefined;
}): Promise<SettingsTarget | undefined> {
  if (vscode.workspace.workspaceFolders === undefined) {
    return new SettingsTarget(vscode.ConfigurationTarget.Global, userData);
  }
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: `$(account) ${vscode.l10n.t('For me')}`,
        detail: vscode.l10n.t('In your user settings: in every folder that you open'),
        target: vscode.ConfigurationTarget.Global,
      },
      {
        label: `$(root-folder) ${vscode.l10n.t('For this workspace')}`,
        detail: vscode.l10n.t(
          'In the settings of this workspace: for everybody who opens it, after their consent',
        ),
        target: vscode.ConfigurationTarget.Workspace,
      },
    ],
    { title, ...(placeHolder !== undefined && { placeHolder }), ignoreFocusOut: true },
  );
  return picked === undefined ? undefined : new SettingsTarget(picked.target, userData);
}

/** @returns undefined when the question was closed */
export async function askName(
  title: string,
  suggestion: string,
  taken: ReadonlySet<string>,
): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('What the server is called in the side bar and in chat.'),
    value: suggestion,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const trimmed = value.trim();
      if (whatIsWrongWithName(trimmed) !== undefined) {
        return vscode.l10n.t('Enter a name of 1 to 100 visible characters.');
      }
      return taken.has(trimmed)
        ? vscode.l10n.t('A server of this name already exists. Choose another name.')
        : undefined;
    },
  });
  return name?.trim();
}

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
