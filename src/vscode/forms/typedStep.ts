/** A step for a typed field: text or number. Shows problems while the user types. */
import * as vscode from 'vscode';
import type { NumberField, TextField } from '../../host/forms/form.ts';
import type { FieldInputs } from '../../host/forms/formDraft.ts';
import { fieldHint, problemText } from './fieldText.ts';
import {
  type Frame,
  type Place,
  type StepButton,
  type StepEnd,
  promptText,
  runStep,
} from './step.ts';

export async function askTyped(
  frame: Frame,
  place: Place,
  draft: FieldInputs,
  field: TextField | NumberField,
  extraButtons: readonly StepButton[] = [],
): Promise<StepEnd> {
  const box = vscode.window.createInputBox();
  const given = draft.inputOf(field);
  const before = typeof given === 'string' ? given : '';
  // A box of one line would remove the line ends of a default.
  const shown = before.replaceAll(/[\r\n]+/gu, ' ');
  const prompt = promptText(frame, fieldHint(field));
  box.value = shown;
  box.prompt = prompt;
  box.placeholder = placeholder(frame, field);
  box.password = field.seemsSecret;
  const draw = (isTold: boolean): void => {
    const parsed = draft.answerTo(field);
    const problem =
      parsed.kind === 'problem' && isTold
        ? problemText(parsed.problem, frame.wants)
        : secretText(frame, field);
    // The message replaces the prompt, so it must repeat the server's words.
    box.validationMessage =
      problem === undefined
        ? undefined
        : {
            message: `${problem} — ${prompt}`,
            severity:
              parsed.kind === 'problem' && isTold
                ? vscode.InputBoxValidationSeverity.Error
                : vscode.InputBoxValidationSeverity.Warning,
          };
  };
  draw(shown !== '');
  return runBox(
    box,
    frame,
    place,
    {
      onTyped: (value) => draft.set(field, value === shown ? before : value),
      isWrong: () => draft.answerTo(field).kind === 'problem',
      tell: () => draw(true),
    },
    [...showButton(box, field), ...extraButtons],
  );
}

/** The typed text, and its problem. */
interface Typing {
  readonly onTyped: (value: string) => void;
  readonly isWrong: () => boolean;
  readonly tell: () => void;
}

/** Shows the problem at each key; Enter goes on once there is none. */
export function runBox(
  box: vscode.InputBox,
  frame: Frame,
  place: Place,
  { onTyped, isWrong, tell }: Typing,
  buttons: readonly StepButton[],
): Promise<StepEnd> {
  return runStep(
    box,
    frame,
    place,
    (finish, store) => {
      store.add(
        box.onDidChangeValue((value) => {
          onTyped(value);
          tell();
        }),
      );
      store.add(
        box.onDidAccept(() => {
          if (isWrong()) {
            tell();
          } else {
            finish('next');
          }
        }),
      );
    },
    buttons,
  );
}

/** A warning for a form only: in a tool's input a secret is legitimate, since the user decides to give it. */
function secretText(
  { wants }: Frame,
  { seemsSecret }: TextField | NumberField,
): string | undefined {
  return seemsSecret && wants === 'answer'
    ? vscode.l10n.t(
        'This seems to ask for a secret. A server must not ask for secrets in a form. Leave it empty, or decline.',
      )
    : undefined;
}

function showButton(
  box: vscode.InputBox,
  { seemsSecret }: TextField | NumberField,
): readonly StepButton[] {
  const button = {
    iconPath: new vscode.ThemeIcon('eye'),
    tooltip: vscode.l10n.t('Show or hide what is typed'),
  };
  const press = (): void => {
    box.password = !box.password;
  };
  return seemsSecret ? [{ button, press }] : [];
}

function placeholder({ wants }: Frame, field: TextField | NumberField): string {
  const isAnswer = wants === 'answer';
  if (!field.isRequired) {
    return isAnswer
      ? vscode.l10n.t('Leave empty to give no answer')
      : vscode.l10n.t('Leave empty to leave it out');
  }
  if (field.kind === 'number') {
    return vscode.l10n.t('A number');
  }
  return isAnswer ? vscode.l10n.t('Your answer') : vscode.l10n.t('A text');
}
