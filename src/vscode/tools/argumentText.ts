/** Properties of a tool's input and their values in words. Decides nothing. */
import * as vscode from 'vscode';
import type { Argument, InputDraft } from '../../host/tools/inputDraft.ts';
import type { JsonField, ToolField } from '../../host/tools/inputForm.ts';
import { answerText } from '../forms/fieldText.ts';
import { oneLine } from '../text/text.ts';

const maxLabel = 60;
const maxDescription = 300;
const maxValue = 200;

/** The name that is sent, and the title if it differs. */
export function argumentLabel({ key, label }: ToolField): string {
  return label === key
    ? oneLine(key, maxLabel)
    : `${oneLine(label, maxLabel)} (${oneLine(key, 40)})`;
}

export function jsonHint({ description = '', isRequired, type }: JsonField): string {
  const rules = [
    isRequired ? vscode.l10n.t('required') : vscode.l10n.t('optional'),
    type === undefined ? vscode.l10n.t('JSON') : vscode.l10n.t('JSON: {0}', typeText(type)),
  ];
  return [oneLine(description, maxDescription), `(${rules.join(', ')})`]
    .filter((part) => part !== '')
    .join(' ');
}

function typeText(type: string): string {
  switch (type) {
    case 'array':
      return vscode.l10n.t('a list');
    case 'object':
      return vscode.l10n.t('an object');
    default:
      return oneLine(type, 40);
  }
}

/** The value of a field; an invalid one is shown as typed. */
export function argumentText(draft: InputDraft, field: ToolField): string {
  const answer: Argument = draft.answerTo(field);
  if (answer.kind === 'absent') {
    return vscode.l10n.t('(left out)');
  }
  const input = draft.inputOf(field);
  if (field.kind === 'json') {
    return oneLine(typeof input === 'string' ? input : '', maxValue);
  }
  return answerText(field, draft.answerTo(field), input);
}
