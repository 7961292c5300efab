/** The questions about every new server before it is saved: for whom, its name, which of its texts are secrets. */
import * as vscode from 'vscode';
import { type KeptInputs, SettingsTarget } from './settingsTarget.ts';
import { whatIsWrongWithName } from '../../host/config/parseConfig.ts';
import { visible } from '../../base/visible.ts';
import type { ImportedServer } from '../../host/import/importedServer.ts';
import { type ImportPlan, planImport } from '../../host/import/planImport.ts';
import { findSecrets, type SecretPlace } from '../../host/import/secretPlaces.ts';
import { showInput } from '../editor/showInput.ts';
import { oneLine } from '../text/labelText.ts';
import { type KeepFile, openFile, textFile } from '../text/wholeText.ts';

export function userTarget(userData: vscode.Uri): SettingsTarget {
  return new SettingsTarget(vscode.ConfigurationTarget.Global, userData);
}

/** @returns undefined when the user closed the question */
export async function askTarget(
  userData: vscode.Uri,
  { title, placeHolder }: { readonly title: string; readonly placeHolder?: string },
): Promise<SettingsTarget | undefined> {
  if (vscode.workspace.workspaceFolders === undefined) {
    return userTarget(userData);
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

export interface NamedServer {
  readonly server: ImportedServer;
  /** Its name in our settings. */
  readonly name: string;
  /** Path of the source file; empty for a single server. */
  readonly file: string;
}

/**
 * What would be written. Asks once for all servers which of their texts are secrets; uses no id of an existing input.
 * @returns undefined when the question was closed
 */
export async function planServers(
  wizard: string,
  named: readonly NamedServer[],
  { scope, inputIds }: SettingsTarget,
  { inputs, keepFile }: { readonly inputs: KeptInputs; readonly keepFile: KeepFile },
): Promise<ImportPlan | undefined> {
  const secrets = await pickSecrets(wizard, named, keepFile);
  if (secrets === undefined) {
    return undefined;
  }
  const kept = (await inputs.stored()).filter((stored) => stored.scope === scope.kind);
  const chosen = named.map((one) => ({
    ...one,
    isSecret: ({ field }: SecretPlace) => secrets.has(secretKey(one.name, field)),
  }));
  return planImport(chosen, [...inputIds, ...kept.map(({ id }) => id)]);
}

/** @returns what {@link secretKey} gives for each secret, undefined when the question was closed */
async function pickSecrets(
  wizard: string,
  named: readonly NamedServer[],
  keep: KeepFile,
): Promise<ReadonlySet<string> | undefined> {
  const places = named.flatMap(({ server, name }) =>
    findSecrets(server.entry)
      .filter(({ isPlaceholder }) => !isPlaceholder)
      .map((place) => ({ ...place, server: name })),
  );
  if (places.length === 0) {
    return new Set();
  }
  const pick = vscode.window.createQuickPick<SecretItem>();
  pick.title = vscode.l10n.t('{0}: which of these are secrets?', wizard);
  pick.placeholder = vscode.l10n.t('Check the secrets, then OK');
  pick.prompt = vscode.l10n.t(
    'Checked texts go to the secret storage, others are written to the settings.',
  );
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.buttons = [{ iconPath: new vscode.ThemeIcon('note'), tooltip: vscode.l10n.t('Show All…') }];
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
    return await showInput<ReadonlySet<string> | undefined>(pick, undefined, (finish, store) => {
      store.add(
        pick.onDidTriggerButton(() => {
          document ??= openFile(keep, textFile('secrets', texts.join('\n')));
        }),
      );
      store.add(pick.onDidAccept(() => finish(new Set(pick.selectedItems.map(({ key }) => key)))));
    });
  } finally {
    await (
      await document
    )?.();
  }
}

function secretKey(name: string, field: string): string {
  return JSON.stringify([name, field]);
}
