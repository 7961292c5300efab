/** How to begin with the input of a tool: a form, JSON, or an earlier input. */
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import { oneLine } from '../text/labelText.ts';

type InputStart =
  | { readonly kind: 'fill' | 'json' | 'closed' }
  | { readonly kind: 'again'; readonly input: JsonObject };

interface StartItem extends vscode.QuickPickItem {
  readonly start?: InputStart | 'forget';
}

export async function pickStart(
  title: string,
  earlier: readonly JsonObject[],
  hasForm: boolean,
  forget: () => Promise<void>,
): Promise<InputStart> {
  const picked = await vscode.window.showQuickPick(items(earlier, hasForm), {
    title,
    placeHolder: vscode.l10n.t('Which input should the tool get?'),
    ignoreFocusOut: true,
  });
  if (picked?.start === 'forget') {
    await forget();
    return { kind: 'fill' };
  }
  return picked?.start ?? { kind: 'closed' };
}

function items(earlier: readonly JsonObject[], hasForm: boolean): readonly StartItem[] {
  return [
    {
      label: `$(list-ordered) ${hasForm ? vscode.l10n.t('Fill In') : vscode.l10n.t('Type JSON')}`,
      description: hasForm ? vscode.l10n.t('one step for each parameter') : '',
      start: { kind: 'fill' },
    },
    {
      label: `$(json) ${vscode.l10n.t('Edit as JSON…')}`,
      description: vscode.l10n.t('in an editor, with suggestions'),
      start: { kind: 'json' },
    },
    { label: vscode.l10n.t('last used'), kind: vscode.QuickPickItemKind.Separator },
    ...earlier.map((input) => ({
      label: `$(history) ${oneLine(JSON.stringify(input), 200)}`,
      start: { kind: 'again', input } as const,
    })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(trash) ${vscode.l10n.t('Forget These')}`,
      description: vscode.l10n.t('and start again'),
      start: 'forget',
    },
  ];
}
