/** A step that takes JSON on one line: for a property that no form can ask for. Shows problems while the user types. */
import * as vscode from 'vscode';
import type { FieldInput } from '../../host/forms/form.ts';
import type { Argument } from '../../host/tools/inputDraft.ts';
import type { JsonField, ToolField } from '../../host/tools/inputForm.ts';
import { problemText } from '../forms/fieldText.ts';
import {
  type Frame,
  type Place,
  promptText,
  type StepButton,
  type StepEnd,
} from '../forms/step.ts';
import { runBox } from '../forms/fieldStep.ts';
import { jsonHint } from './argumentText.ts';

/** The part of a draft that the step reads and writes. */
export interface JsonInputs {
  inputOf(field: ToolField): FieldInput;
  set(field: ToolField, input: FieldInput): void;
  answerTo(field: ToolField): Argument;
}

export async function askJson(
  frame: Frame,
  place: Place,
  draft: JsonInputs,
  field: JsonField,
  buttons: readonly StepButton[],
): Promise<StepEnd> {
  const box = vscode.window.createInputBox();
  const given = draft.inputOf(field);
  const prompt = promptText(frame, jsonHint(field));
  box.value = typeof given === 'string' ? given : '';
  box.prompt = prompt;
  box.placeholder = field.isRequired
    ? vscode.l10n.t('JSON, such as {0}', exampleOf(field))
    : vscode.l10n.t('JSON, such as {0}; leave empty to leave it out', exampleOf(field));
  const draw = (isTold: boolean): void => {
    const parsed = draft.answerTo(field);
    box.validationMessage =
      parsed.kind === 'problem' && isTold
        ? {
            message: `${problemText(parsed.problem, frame.wants)} — ${prompt}`,
            severity: vscode.InputBoxValidationSeverity.Error,
          }
        : undefined;
  };
  draw(box.value !== '');
  return runBox(
    box,
    frame,
    place,
    {
      onTyped: (value) => draft.set(field, value),
      isWrong: () => draft.answerTo(field).kind === 'problem',
      tell: () => draw(true),
    },
    buttons,
  );
}

function exampleOf({ type = '' }: JsonField): string {
  switch (type) {
    case 'object':
      return '{"name": "value"}';
    case 'array':
      return '["one", "two"]';
    default:
      return '"text", 12, [1, 2] or {"name": "value"}';
  }
}
