/**
 * Asks for the input of a tool: an earlier one, a form with a step for each property, or JSON in an editor. host/tools
 * decides which values are valid; the question before the call comes after this.
 */
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import type { AnyField } from '../../host/forms/form.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ToolInput } from '../../host/toolApproval/approvals.ts';
import {
  hasParameters,
  InputDraft,
  isSendable,
  isShowable,
  readToolForm,
  skeleton,
  type ToolForm,
} from '../../host/tools/inputForm.ts';
import type { EarlierInput } from '../../host/tools/keptInputs.ts';
import { McpError } from '../../mcp/errors.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { problemText } from '../forms/fieldText.ts';
import { askForm, reviewButton } from '../forms/formWizard.ts';
import { pickStep, separator, stepButton, type StepItem } from '../forms/step.ts';
import { neverAborted } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import { askInput, editInput, type InputEdit } from './askInput.ts';
import { safeFileName } from '../text/resultFiles.ts';
import { suggestFrom } from './schemaSuggestions.ts';

interface InputQuestion {
  readonly server: string;
  readonly tool: Tool;
  /** Earlier inputs of the user, newest first. */
  readonly earlier: readonly EarlierInput[];
  readonly forgetEarlier: () => Promise<void>;
  /** Begins with this input, of which parts may be missing. */
  readonly start?: JsonObject;
}

/** Undefined when the user gave up. Asks nothing for a tool without parameters. */
export async function askToolInput(
  question: InputQuestion,
  services: Pick<InputEdit, 'checker' | 'editText'>,
): Promise<ToolInput | undefined> {
  const { server, tool, earlier } = question;
  if (!hasParameters(tool.inputSchema)) {
    return {};
  }
  const form = await readToolForm(tool.inputSchema, services.checker);
  const title = `${oneLine(server, 60)}: ${oneLine(displayLabel(tool), 80)}`;
  const wizard: Wizard = {
    ...services,
    tool,
    form,
    title,
    signal: neverAborted,
    hint: (use) =>
      vscode.l10n.t(
        'Write the input of "{0}", then choose "{1}". You are asked before it runs.',
        oneLine(displayLabel(tool), 80),
        use,
      ),
  };
  const { start, isWhole = false }: Chosen =
    question.start !== undefined || earlier.length === 0
      ? { start: question.start ?? 'fill' }
      : await pickStart(question, title, form !== undefined);
  switch (start) {
    case undefined:
      return undefined;
    case 'json':
      return editInput(skeleton(tool.inputSchema), wizard);
    case 'fill':
      return form === undefined
        ? askInput(skeleton(tool.inputSchema), wizard)
        : fillIn(wizard, new InputDraft(form, services.checker));
    default:
      return (await isSendable(tool.inputSchema, { input: start, isWhole }, services.checker))
        ? start
        : again(wizard, start);
  }
}

type Start = 'fill' | 'json' | JsonObject;

interface StartItem extends StepItem {
  readonly start?: Start | 'forget';
  readonly isWhole?: boolean;
}

interface Chosen {
  readonly start: Start | undefined;
  /** An earlier input is wanted as it is, and nothing of it was left out. */
  readonly isWhole?: boolean;
}

/** A form, JSON, or an earlier input. */
async function pickStart(
  { earlier, forgetEarlier }: InputQuestion,
  title: string,
  hasForm: boolean,
): Promise<Chosen> {
  const change = {
    iconPath: new vscode.ThemeIcon('edit'),
    tooltip: vscode.l10n.t('Change this input before it is sent'),
  };
  const items: readonly StartItem[] = [
    {
      label: `$(list-ordered) ${hasForm ? vscode.l10n.t('Fill In') : vscode.l10n.t('Type JSON')}`,
      description: hasForm ? vscode.l10n.t('one step for each parameter') : '',
      start: 'fill',
    },
    {
      label: `$(json) ${vscode.l10n.t('Edit as JSON…')}`,
      description: vscode.l10n.t('in an editor, with suggestions'),
      start: 'json',
    },
    separator(vscode.l10n.t('last used')),
    ...earlier.map(({ input, isWhole }) => ({
      label: `$(history) ${oneLine(JSON.stringify(input), 200)}`,
      buttons: [change],
      start: input,
      isWhole,
    })),
    separator(''),
    {
      label: `$(trash) ${vscode.l10n.t('Forget These')}`,
      description: vscode.l10n.t('and start again'),
      start: 'forget',
    },
  ];
  const placeholder = vscode.l10n.t('Which input should the tool get?');
  const { end, item } = await pickStep({ items, placeholder }, { title }, {});
  if (item?.start !== 'forget') {
    return { start: item?.start, isWhole: end === 'next' && item?.isWhole === true };
  }
  await forgetEarlier();
  return { start: 'fill' };
}

interface Wizard extends InputEdit {
  /** Undefined: the input is JSON. */
  readonly form: ToolForm | undefined;
}

/** Starts with an earlier input, on the last page of the form. */
function again(wizard: Wizard, input: JsonObject): Promise<ToolInput | undefined> {
  const { form, checker } = wizard;
  if (form === undefined || !isShowable(form, input)) {
    return askInput(input, wizard);
  }
  const draft = new InputDraft(form, checker, input);
  draft.goTo('review');
  return fillIn(wizard, draft);
}

async function fillIn(wizard: Wizard, draft: InputDraft): Promise<ToolInput | undefined> {
  const end = await askForm({ title: wizard.title }, draft, {
    labelOf: argumentLabel,
    placeholder: vscode.l10n.t('Check the input: choose a value to change it'),
    go: {
      label: `$(play) ${vscode.l10n.t('Run…')}`,
      description: vscode.l10n.t('with this input; the question before the call shows all of it'),
    },
    refused: vscode.l10n.t('Something has to be changed before the tool can run'),
    heading: vscode.l10n.t('input'),
    other: {
      label: `$(json) ${vscode.l10n.t('Edit as JSON…')}`,
      description: vscode.l10n.t('the whole input, in an editor'),
      choice: 'json',
    },
    buttons: [
      ...(draft.form.fields.length === 1
        ? []
        : [reviewButton(vscode.l10n.t('Leave the others as they are'))]),
      stepButton('json', vscode.l10n.t('Edit the whole input as JSON'), 'json'),
    ],
    textButtons: [stepButton('edit', vscode.l10n.t('Write this value in an editor'), 'editor')],
    editValue: (field) => editValue(wizard, draft, field),
    skipsReview: true, // the question before the call shows the whole input
  });
  if (end === 'json') {
    return editInput(await draft.soFar(), wizard);
  }
  const review = end === 'go' ? await draft.review() : undefined;
  return review?.kind === 'complete' ? review.content : undefined;
}

/** Edits one value in an editor: a text of several lines, or JSON with completion. */
async function editValue(
  { checker, editText }: Wizard,
  draft: InputDraft,
  field: AnyField,
): Promise<void> {
  const given = draft.inputOf(field);
  const text = typeof given === 'string' ? given : '';
  const isJson = field.kind === 'json';
  const problemOf = async (changed: string): Promise<string | undefined> => {
    const answer = await draft.parse(field, changed, checker);
    return answer.kind === 'problem' ? problemText(answer.problem, 'argument') : undefined;
  };
  const edited = await editText(
    {
      name: safeFileName(field.key),
      language: isJson ? 'json' : 'plaintext',
      text: isJson ? indented(text, field) : text,
      hint: (use) =>
        vscode.l10n.t(
          'Write the value of "{0}", then choose "{1}".',
          oneLine(argumentLabel(field), 80),
          use,
        ),
      read: async (changed) => {
        const problem = await problemOf(changed);
        if (problem !== undefined) {
          throw new McpError('invalidInput', problem);
        }
        return changed;
      },
      ...(isJson && { assist: suggestFrom(field.schema, problemOf) }),
    },
    neverAborted,
  );
  if (edited !== undefined) {
    draft.set(field, isJson ? onOneLine(edited) : edited);
  }
}

const maxLabel = 60;

/** The name that is sent, and the title if it differs. */
function argumentLabel({ key, label }: AnyField): string {
  return label === key
    ? oneLine(key, maxLabel)
    : `${oneLine(label, maxLabel)} (${oneLine(key, 40)})`;
}

function indented(text: string, { schema }: AnyField): string {
  const start = schema['type'] === 'array' ? [] : {};
  try {
    return `${JSON.stringify(text === '' ? start : JSON.parse(text), undefined, 2)}\n`;
  } catch {
    return text;
  }
}

/** Line ends in JSON have no meaning. */
function onOneLine(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
