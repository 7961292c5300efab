/** The steps that ask for a field of a form: a pick or a text box. host/forms decides which values are valid. */
import type {
  AnyField,
  BooleanField,
  ChoiceField,
  ChoicesField,
  FieldInput,
  FieldProblem,
  JsonField,
  NumberField,
  TextField,
} from '../../host/forms/form.ts';
import type { Draft } from '../../host/forms/formDraft.ts';
import {
  boxStep,
  type Frame,
  pickStep,
  type Place,
  promptText,
  runStep,
  type StepButton,
  stepButton,
  type StepEnd,
  teller,
} from './step.ts';
import * as vscode from 'vscode';
import { oneLine } from '../text/labelText.ts';
import { fieldHint, problemText, yesNo } from './fieldText.ts';

/** What a step reads and writes. */
type Inputs = Pick<Draft<AnyField, unknown>, 'inputOf' | 'set' | 'answerTo'>;

type TypedField = TextField | NumberField | JsonField;

/** @param textButtons additional buttons of a field for text or JSON; a field for a secret has none of them */
export function askField(
  frame: Frame,
  place: Place,
  draft: Inputs,
  field: AnyField,
  textButtons: readonly StepButton[] = [],
): Promise<StepEnd> {
  switch (field.kind) {
    case 'text':
      return askTyped(frame, place, draft, field, field.seemsSecret ? [] : textButtons);
    case 'json':
      return askTyped(frame, place, draft, field, textButtons);
    case 'number':
      return askTyped(frame, place, draft, field, []);
    case 'boolean':
    case 'choice':
      return askOne(frame, place, draft, field);
    case 'choices':
      return askSome(frame, place, draft, field);
  }
}

interface ValueItem extends vscode.QuickPickItem {
  readonly value: FieldInput;
}

async function askOne(
  frame: Frame,
  place: Place,
  draft: Inputs,
  field: BooleanField | ChoiceField,
): Promise<StepEnd> {
  const given = draft.inputOf(field);
  const none =
    frame.wants === 'answer' ? vscode.l10n.t('No answer') : vscode.l10n.t('Leave it out');
  const items: readonly ValueItem[] = [
    // First, so that Enter alone gives no answer.
    ...(field.isRequired ? [] : [{ label: `$(dash) ${none}`, value: undefined, alwaysShow: true }]),
    ...itemsOf(field),
  ];
  const look = {
    items,
    activeItems: items.filter(({ value }) => value === given).slice(0, 1),
    prompt: promptText(frame, fieldHint(field)),
    placeholder: vscode.l10n.t('Choose one'),
  };
  const { end, item } = await pickStep(look, frame, place);
  if (item !== undefined) {
    draft.set(field, item.value);
  }
  return end;
}

async function askSome(
  frame: Frame,
  place: Place,
  draft: Inputs,
  field: ChoicesField,
): Promise<StepEnd> {
  const pick = vscode.window.createQuickPick<ValueItem>();
  const given = draft.inputOf(field);
  const chosen: readonly unknown[] = typeof given === 'object' ? given : [];
  const prompt = promptText(frame, fieldHint(field));
  pick.canSelectMany = true;
  pick.items = itemsOf(field);
  pick.selectedItems = pick.items.filter(({ value }) => chosen.includes(value));
  pick.prompt = prompt;
  pick.placeholder = vscode.l10n.t('Check what applies, then OK');
  pick.matchOnDescription = true;
  const tell = tellerOf(draft, field, (problem) => {
    pick.prompt = problem ? `⚠ ${problemText(problem, frame.wants)} — ${prompt}` : prompt;
  });
  if (chosen.length > 0) {
    void tell();
  }
  return runStep(pick, frame, place, (finish, store) => {
    store.add(
      pick.onDidChangeSelection((items) => {
        draft.set(
          field,
          items.map(({ value }) => String(value)),
        );
        void tell();
      }),
    );
    store.add(pick.onDidAccept(async () => (await tell()) && finish('next')));
  });
}

function tellerOf(
  draft: Inputs,
  field: AnyField,
  draw: (problem: FieldProblem | undefined) => void,
): () => Promise<boolean> {
  return teller(
    () => draft.inputOf(field),
    () => draft.answerTo(field),
    (answer) => {
      draw(answer.kind === 'problem' ? answer.problem : undefined);
      return answer.kind !== 'problem';
    },
  );
}

/** Where one of them is chosen, the default says that it is. */
function itemsOf(field: BooleanField | ChoiceField | ChoicesField): readonly ValueItem[] {
  const options =
    field.kind === 'boolean'
      ? [true, false].map((value) => ({ value, label: yesNo(value) }))
      : field.options;
  return options.map(({ value, label }) => ({
    label: oneLine(label, 200) || vscode.l10n.t('(empty text)'),
    value,
    ...(field.default === value && { description: vscode.l10n.t('default') }),
  }));
}

async function askTyped(
  frame: Frame,
  place: Place,
  draft: Inputs,
  field: TypedField,
  extraButtons: readonly StepButton[],
): Promise<StepEnd> {
  const box = vscode.window.createInputBox();
  const given = draft.inputOf(field);
  const before = typeof given === 'string' ? given : '';
  // A box of one line would remove the line ends of a default.
  const shown = before.replaceAll(/[\r\n]+/gu, ' ');
  const prompt = promptText(frame, fieldHint(field));
  const isSecret = field.kind !== 'json' && field.seemsSecret;
  box.value = shown;
  box.prompt = prompt;
  box.placeholder = emptyText(frame, field);
  box.password = isSecret;
  const draw = (problem: FieldProblem | undefined): void => {
    const { Error: error, Warning: warning } = vscode.InputBoxValidationSeverity;
    const text = problem ? problemText(problem, frame.wants) : isSecret && secretText(frame);
    // The message replaces the prompt, so it must repeat the server's words.
    box.validationMessage = text
      ? { message: `${text} — ${prompt}`, severity: problem ? error : warning }
      : undefined;
  };
  const tell = tellerOf(draft, field, draw);
  draw(undefined);
  if (shown !== '') {
    void tell();
  }
  const onTyped = (value: string): void => draft.set(field, value === shown ? before : value);
  const buttons = [...(isSecret ? [showButton(box)] : []), ...extraButtons];
  return boxStep(box, frame, place, onTyped, tell, buttons);
}

/** A warning for a form only: in a tool's input a secret is legitimate, since the user decides to give it. */
function secretText({ wants }: Frame): string | undefined {
  return wants === 'answer'
    ? vscode.l10n.t(
        'This seems to ask for a secret. A server must not ask for secrets in a form. Leave it empty, or decline.',
      )
    : undefined;
}

function showButton(box: vscode.InputBox): StepButton {
  return stepButton('eye', vscode.l10n.t('Show or hide what is typed'), () => {
    box.password = !box.password;
  });
}

function emptyText({ wants }: Frame, field: TypedField): string {
  const isAnswer = wants === 'answer';
  if (field.kind === 'json') {
    const example = exampleOf(field);
    return field.isRequired
      ? vscode.l10n.t('JSON, such as {0}', example)
      : vscode.l10n.t('JSON, such as {0}; leave empty to leave it out', example);
  }
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

function exampleOf({ type }: JsonField): string {
  const list = '["one", "two"]';
  const object = '{"name": "value"}';
  return type === 'object' ? object : type === 'array' ? list : `"text", 12, [1, 2] or ${object}`;
}
