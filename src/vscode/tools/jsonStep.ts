/** Steps that take JSON on one line: a property that no form can ask for, or the whole input. */
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import type { FieldInput } from '../../host/forms/form.ts';
import type { SchemaChecker } from '../../host/schemas/schemaChecker.ts';
import type { Argument } from '../../host/tools/inputDraft.ts';
import type { JsonField, ToolField } from '../../host/tools/inputForm.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { problemText } from '../forms/fieldText.ts';
import {
  type Frame,
  type Place,
  promptText,
  runStep,
  type StepButton,
  stepButton,
  type StepEnd,
} from '../forms/step.ts';
import { runBox } from '../forms/fieldStep.ts';
import { neverAborted } from '../text/cancellation.ts';
import { parameterHelp, problemOf, toObject } from './askInput.ts';
import { jsonHint } from './inputReview.ts';

/** The part of a draft that the step reads and writes. */
interface JsonInputs {
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

type WholeJsonEnd =
  | { readonly kind: 'input'; readonly input: JsonObject | undefined }
  | { readonly kind: 'editor'; readonly input: JsonObject };

/** `editor` when the user wants to continue in an editor. No input when the box was closed. */
export async function askWholeJson(
  title: string,
  tool: Tool,
  input: JsonObject,
  checker: SchemaChecker,
): Promise<WholeJsonEnd> {
  const box = vscode.window.createInputBox();
  box.value = JSON.stringify(input);
  box.prompt = parameterHelp(tool.inputSchema);
  box.placeholder = vscode.l10n.t('Arguments as JSON');
  const isWrong = (): boolean => {
    const problem = problemOf(box.value, tool, checker);
    box.validationMessage = problem;
    return problem?.severity === vscode.InputBoxValidationSeverity.Error;
  };
  isWrong();
  let value = box.value;
  const end = await runStep(
    box,
    { title, message: '', signal: neverAborted, buttons: [], wants: 'argument' },
    { label: vscode.l10n.t('input as JSON'), canGoBack: false },
    (finish, store) => {
      store.add(
        box.onDidChangeValue((changed) => {
          value = changed;
          isWrong();
        }),
      );
      store.add(
        box.onDidAccept(() => {
          if (!isWrong()) {
            finish('next');
          }
        }),
      );
    },
    [stepButton('edit', vscode.l10n.t('Write the input in an editor'), 'editor')],
  );
  const typed = toObject(value);
  return end === 'editor'
    ? { kind: 'editor', input: typed ?? input }
    : { kind: 'input', input: end === 'next' ? typed : undefined };
}
