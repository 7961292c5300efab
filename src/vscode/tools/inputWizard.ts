/**
 * Asks for the input of a tool: an earlier one, a form with a step for each property, or JSON in an editor. host/tools
 * decides which values are valid; the question before the call comes after this.
 */
import type { SchemaChecker } from '../../host/schemas/schemaChecker.ts';
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import type { AnyField } from '../../host/forms/form.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ToolInput } from '../../host/toolApproval/approvals.ts';
import { InputDraft, isShowable } from '../../host/tools/inputDraft.ts';
import {
  readToolForm,
  type ToolForm,
  hasParameters,
  skeleton,
} from '../../host/tools/inputForm.ts';
import { McpError } from '../../mcp/errors.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { askField } from '../forms/fieldStep.ts';
import { problemText } from '../forms/fieldText.ts';
import {
  type Frame,
  type Place,
  type StepButton,
  stepButton,
  type StepEnd,
} from '../forms/step.ts';
import type { EditText } from '../text/textEditing.ts';
import { neverAborted } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import { askReview } from '../forms/reviewStep.ts';
import { pickStart } from './inputStart.ts';
import { askInputLine, inputInEditor } from './askInput.ts';
import { safeFileName } from '../text/resultFiles.ts';
import { suggestFrom } from './schemaSuggestions.ts';

interface InputQuestion {
  readonly server: string;
  readonly tool: Tool;
  /** Earlier inputs of the user, newest first. */
  readonly earlier: readonly JsonObject[];
  readonly forgetEarlier: () => Promise<void>;
  /** Begins with this input, of which parts may be missing. */
  readonly start?: JsonObject;
}

interface InputServices {
  readonly checker: SchemaChecker;
  readonly editText: EditText;
}

/** Undefined when the user gave up. Asks nothing for a tool without parameters. */
export async function askToolInput(
  question: InputQuestion,
  services: InputServices,
): Promise<ToolInput | undefined> {
  const { tool, earlier, start: begun } = question;
  if (!hasParameters(tool.inputSchema)) {
    return {};
  }
  const form = await readToolForm(tool.inputSchema, services.checker);
  const wizard = new InputWizard(question, services, form);
  if (begun !== undefined) {
    return wizard.again(begun);
  }
  if (earlier.length === 0) {
    return wizard.fill();
  }
  const start = await pickStart(wizard.title, earlier, form !== undefined, question.forgetEarlier);
  switch (start.kind) {
    case 'fill':
      return wizard.fill();
    case 'json':
      return wizard.editJson(skeleton(tool.inputSchema));
    case 'again':
      return wizard.again(start.input);
    case 'closed':
      return undefined;
  }
}

class InputWizard {
  readonly title: string;
  readonly #tool: Tool;
  readonly #services: InputServices;
  readonly #form: ToolForm | undefined;

  constructor({ server, tool }: InputQuestion, services: InputServices, form?: ToolForm) {
    this.title = `${oneLine(server, 60)}: ${oneLine(displayLabel(tool), 80)}`;
    this.#tool = tool;
    this.#services = services;
    this.#form = form;
  }

  fill(): Promise<ToolInput | undefined> {
    return this.#form === undefined
      ? this.#askJson(skeleton(this.#tool.inputSchema))
      : this.#walk(new InputDraft(this.#form, this.#services.checker));
  }

  /** Starts with an earlier input, on the last page of the form. */
  again(input: JsonObject): Promise<ToolInput | undefined> {
    if (this.#form === undefined || !isShowable(this.#form, input)) {
      return this.#askJson(input);
    }
    const draft = new InputDraft(this.#form, this.#services.checker, input);
    draft.position = this.#form.fields.length;
    return this.#walk(draft);
  }

  /** In an editor, with completion. Undefined when the user gave up. */
  editJson(input: JsonObject): Promise<ToolInput | undefined> {
    const { checker, editText } = this.#services;
    const tool = this.#tool;
    return editText(
      {
        ...inputInEditor(tool, input, checker),
        hint: (use) =>
          vscode.l10n.t(
            'Write the input of "{0}", then choose "{1}". You are asked before it runs.',
            oneLine(displayLabel(tool), 80),
            use,
          ),
      },
      neverAborted,
    );
  }

  async #askJson(input: JsonObject): Promise<ToolInput | undefined> {
    const how = { checker: this.#services.checker, signal: neverAborted };
    const end = await askInputLine(this.title, this.#tool, input, how);
    return end.kind === 'editor' ? this.editJson(end.input) : end.input;
  }

  async #walk(draft: InputDraft): Promise<ToolInput | undefined> {
    for (;;) {
      const field = draft.form.fields[draft.position];
      const end = field === undefined ? await this.#review(draft) : await this.#ask(draft, field);
      if (end === 'closed' || end === 'decline' || end === 'later') {
        return undefined;
      }
      if (end === 'json') {
        return this.editJson(await draft.soFar());
      }
      if (end === 'editor') {
        await this.#editValue(draft, field);
      }
      const input = await this.#move(draft, end);
      if (input !== undefined) {
        return input;
      }
    }
  }

  /** Returns the input if this was the end of the form. */
  async #move(
    draft: InputDraft,
    end: Exclude<StepEnd, 'closed' | 'decline' | 'later' | 'json'> | 'go' | 'change',
  ): Promise<ToolInput | undefined> {
    if (end === 'next' || end === 'back') {
      draft.move(end);
    } else if (end === 'review') {
      draft.goTo('review');
    }
    // A single valid value needs no review page: the question before the call shows it.
    const isLast = end === 'go' || (end === 'next' && draft.form.fields.length === 1);
    const review = isLast ? await draft.review() : undefined;
    return review?.kind === 'complete' ? review.content : undefined;
  }

  #review(draft: InputDraft): Promise<StepEnd | 'go' | 'change'> {
    return askReview(this.#frame([]), this.#place(draft, vscode.l10n.t('Review')), draft, {
      placeholder: vscode.l10n.t('Check the input: choose a value to change it'),
      go: {
        label: `$(play) ${vscode.l10n.t('Run…')}`,
        description: vscode.l10n.t('with this input; the question before the call shows all of it'),
        choice: 'go',
      },
      refused: vscode.l10n.t('Something has to be changed before the tool can run'),
      heading: vscode.l10n.t('input'),
      labelOf: argumentLabel,
      other: {
        label: `$(json) ${vscode.l10n.t('Edit as JSON…')}`,
        description: vscode.l10n.t('the whole input, in an editor'),
        choice: 'json',
      },
    });
  }

  #ask(draft: InputDraft, field: AnyField): Promise<StepEnd> {
    const frame = this.#frame([
      ...(draft.form.fields.length > 1 ? [reviewButton()] : []),
      jsonButton(),
    ]);
    return askField(frame, this.#place(draft, argumentLabel(field)), draft, field, [
      editorButton(),
    ]);
  }

  #place(draft: InputDraft, label: string): Place {
    const { length } = draft.form.fields;
    return {
      label,
      step: draft.position + 1,
      total: Math.max(length > 1 ? length + 1 : length, draft.position + 1),
      canGoBack: draft.position > 0 || draft.isChanging,
    };
  }

  #frame(buttons: readonly StepButton[]): Frame {
    return { title: this.title, message: '', signal: neverAborted, buttons, wants: 'argument' };
  }

  /** Edits one value in an editor: a text of several lines, or JSON with completion. */
  async #editValue(draft: InputDraft, field: AnyField | undefined): Promise<void> {
    if (field === undefined) {
      return;
    }
    const given = draft.inputOf(field);
    const text = typeof given === 'string' ? given : '';
    const isJson = field.kind === 'json';
    const parse = async (changed: string): Promise<string | undefined> => {
      const answer = await draft.parse(field, changed, this.#services.checker);
      return answer.kind === 'problem' ? problemText(answer.problem, 'argument') : undefined;
    };
    const edited = await this.#services.editText(
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
          const problem = await parse(changed);
          if (problem !== undefined) {
            throw new McpError('invalidInput', problem);
          }
          return changed;
        },
        ...(isJson && { assist: suggestFrom(field.schema, parse) }),
      },
      neverAborted,
    );
    if (edited !== undefined) {
      draft.set(field, isJson ? onOneLine(edited) : edited);
    }
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
  try {
    return `${JSON.stringify(text === '' ? startOf(schema['type']) : JSON.parse(text), undefined, 2)}\n`;
  } catch {
    return text;
  }
}

function startOf(type: unknown): unknown {
  return type === 'array' ? [] : {};
}

/** Line ends in JSON have no meaning. */
function onOneLine(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function reviewButton(): StepButton {
  const tooltip = vscode.l10n.t('Leave the others as they are, and look at the whole input');
  return stepButton('checklist', tooltip, 'review');
}

function jsonButton(): StepButton {
  return stepButton('json', vscode.l10n.t('Edit the whole input as JSON'), 'json');
}

function editorButton(): StepButton {
  return stepButton('edit', vscode.l10n.t('Write this value in an editor'), 'editor');
}
