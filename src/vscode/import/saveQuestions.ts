/** The questions about every new server before it is saved: for whom, its name, which of its texts are secrets. */
import * as vscode from 'vscode';
import { type KeptInputs, SettingsTarget } from './settingsTarget.ts';
import { whatIsWrongWithName } from '../../host/config/parseConfig.ts';
import { visible } from '../../base/visible.ts';
import type { ImportedServer } from '../../host/import/importedServer.ts';
import { type ImportPlan, planImport } from '../../host/import/planImport.ts';
import { findSecrets, type SecretPlace } from '../../host/import/secretPlaces.ts';
import { pickManyStep, pickStep, stepButton, type StepEnd, textStep } from '../forms/step.ts';
import type { TurnEnd } from '../../host/questions/inTurn.ts';
import { oneLine } from '../text/labelText.ts';
import type { ResultFile } from '../text/resultFiles.ts';
import { type KeepFile, textFile, withFile } from '../text/wholeText.ts';

export function userTarget(userData: vscode.Uri): SettingsTarget {
  return new SettingsTarget(vscode.ConfigurationTarget.Global, userData);
}

/** Skipped where no folder is open: then only the user has settings. */
export async function askTarget(
  userData: vscode.Uri,
  title: string,
  placeholder: string,
): Promise<{ readonly end: TurnEnd<StepEnd>; readonly target: SettingsTarget | undefined }> {
  if (vscode.workspace.workspaceFolders === undefined) {
    return { end: 'skip', target: userTarget(userData) };
  }
  const items = [
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
  ];
  const { end, item } = await pickStep({ items, placeholder }, { title }, { canGoBack: true });
  return { end, target: item && new SettingsTarget(item.target, userData) };
}

export async function askName(
  title: string,
  suggestion: string,
  taken: ReadonlySet<string>,
): Promise<{ readonly end: StepEnd; readonly name: string }> {
  const prompt = vscode.l10n.t('What the server is called in the side bar and in chat.');
  const look = { prompt, value: suggestion };
  const { end, text } = await textStep(look, { title }, (name) => whatIsWrong(name, taken));
  return { end, name: text };
}

function whatIsWrong(name: string, taken: ReadonlySet<string>): string | undefined {
  if (whatIsWrongWithName(name) !== undefined) {
    return vscode.l10n.t('Enter a name of 1 to 100 visible characters.');
  }
  return taken.has(name)
    ? vscode.l10n.t('A server of this name already exists. Choose another name.')
    : undefined;
}

/** A longer text is cut in the list; the document shows it whole. */
const maxText = 200;

export interface NamedServer {
  readonly server: ImportedServer;
  /** Its name in our settings. */
  readonly name: string;
  /** Path of the source file; empty for a single server. */
  readonly file: string;
}

/**
 * What would be written. Asks once for all servers which of their texts are secrets; uses no id of an existing input.
 * Without a plan when the question was left otherwise than by `next`.
 */
export async function planServers(
  wizard: string,
  named: readonly NamedServer[],
  target: SettingsTarget,
  { inputs, keepFile }: { readonly inputs: () => KeptInputs; readonly keepFile: KeepFile },
): Promise<{ readonly end: TurnEnd<StepEnd>; readonly plan: ImportPlan | undefined }> {
  const { end, secrets } = await pickSecrets(wizard, named, keepFile);
  if (end !== 'next' && end !== 'skip') {
    return { end, plan: undefined };
  }
  const chosen = named.map((one) => ({
    ...one,
    isSecret: ({ field }: SecretPlace) => secrets.has(secretKey(one.name, field)),
  }));
  return { end, plan: planImport(chosen, await takenIds(target, inputs())) };
}

/** The ids of inputs that are defined, or have a value. */
export async function takenIds(
  { scope, inputs: written }: SettingsTarget,
  inputs: KeptInputs,
): Promise<readonly string[]> {
  const kept = (await inputs.stored()).filter((stored) => stored.scope === scope.kind);
  return [...written.map(({ id }) => String(id)), ...kept.map(({ id }) => id)];
}

/** Gives what {@link secretKey} gives for each secret. Skipped where nothing could be one. */
async function pickSecrets(
  wizard: string,
  named: readonly NamedServer[],
  keep: KeepFile,
): Promise<{ readonly end: TurnEnd<StepEnd>; readonly secrets: ReadonlySet<string> }> {
  const places = named.flatMap(({ server, name }) =>
    findSecrets(server.entry)
      .filter(({ isPlaceholder }) => !isPlaceholder)
      .map((place) => ({ ...place, server: name })),
  );
  if (places.length === 0) {
    return { end: 'skip', secrets: new Set() };
  }
  const items = places.map(({ server, field, text, isRequired }) => ({
    label: `$(key) ${oneLine(field, 80)}`,
    description: oneLine(server, 60),
    detail: [
      oneLine(visible(text), maxText),
      ...(isRequired ? [vscode.l10n.t('goes to the secret storage in any case')] : []),
    ].join(' · '),
    key: secretKey(server, field),
  }));
  const texts = places.map(({ server, field, text }) => `${server}: ${field}\n${visible(text)}\n`);
  const all = (): ResultFile => textFile('secrets', texts.join('\n'));
  const { end, items: checked } = await withFile(keep, all, (open) =>
    pickManyStep(
      {
        items,
        selectedItems: items,
        placeholder: vscode.l10n.t('Tick the secrets, then OK'),
        prompt: vscode.l10n.t(
          'Checked texts go to the secret storage, others are written to the settings.',
        ),
      },
      {
        title: vscode.l10n.t('{0}: which of these are secrets?', wizard),
        buttons: [stepButton('note', vscode.l10n.t('Show All…'), open)],
      },
      { canGoBack: true },
    ),
  );
  return { end, secrets: new Set(checked.map(({ key }) => key)) };
}

function secretKey(name: string, field: string): string {
  return JSON.stringify([name, field]);
}
