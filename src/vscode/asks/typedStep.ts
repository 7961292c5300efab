/** A step for a field that is typed: text or number. What is wrong is said while typing. */
import * as vscode from 'vscode';
import type { NumberField, TextField } from '../../host/asks/form/form.ts';
import type { FormDraft } from '../../host/asks/form/formDraft.ts';
import { fieldHint, problemText } from './fieldText.ts';
import { type Frame, type Place, type StepEnd, promptText, runStep } from './step.ts';

export async function askTyped(
  frame: Frame,
  place: Place,
  draft: FormDraft,
  field: TextField | NumberField,
): Promise<StepEnd> {
  const box = vscode.window.createInputBox();
  const given = draft.inputOf(field);
  const before = typeof given === 'string' ? given : '';
  // A box of one line would take line ends out of a default that has some.
  const shown = before.replaceAll(/[\r\n]+/gu, ' ');
  const show = showButton(field);
  const prompt = promptText(frame, fieldHint(field));
  box.value = shown;
  box.prompt = prompt;
  box.placeholder = placeholder(field);
  box.password = field.seemsSecret;
  const draw = (isTold: boolean): void => {
    const parsed = draft.answerTo(field);
    const problem =
      parsed.kind === 'problem' && isTold ? problemText(parsed.problem) : secretText(field);
    // The prompt gives way to such a message, so that it has to hold the server's words as well.
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
  return runStep(
    box,
    frame,
    place,
    (finish, store) => {
      store.add(
        box.onDidChangeValue((value) => {
          draft.set(field, value === shown ? before : value);
          draw(true);
        }),
      );
      store.add(
        box.onDidAccept(() => {
          if (draft.answerTo(field).kind === 'problem') {
            draw(true);
          } else {
            finish('next');
          }
        }),
      );
      store.add(
        box.onDidTriggerButton((button) => {
          if (button === show) {
            box.password = !box.password;
          }
        }),
      );
    },
    show === undefined ? [] : [show],
  );
}

function secretText({ seemsSecret }: TextField | NumberField): string | undefined {
  return seemsSecret
    ? vscode.l10n.t(
        'This seems to ask for a secret. Servers must not ask for one in a form: better leave it empty or decline.',
      )
    : undefined;
}

function showButton({ seemsSecret }: TextField | NumberField): vscode.QuickInputButton | undefined {
  return seemsSecret
    ? {
        iconPath: new vscode.ThemeIcon('eye'),
        tooltip: vscode.l10n.t('Show or hide what is typed'),
      }
    : undefined;
}

function placeholder(field: TextField | NumberField): string {
  if (!field.isRequired) {
    return vscode.l10n.t('Leave empty to give no answer');
  }
  return field.kind === 'number' ? vscode.l10n.t('A number') : vscode.l10n.t('Your answer');
}
