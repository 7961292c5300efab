/**
 * Asks for texts that a server wants, one step each: typed, suggested by the server, or from the selection, the active
 * file, the clipboard or an editor of several lines. Used for the arguments of prompts and the variables of resource
 * templates.
 */
import * as vscode from 'vscode';
import { after, onAbort } from '../../base/async.ts';
import { MutableDisposable } from '../../base/disposable.ts';
import { onUnexpectedError } from '../../base/event.ts';
import type {
  ArgumentCompletion,
  ArgumentTexts,
  Suggestions,
} from '../../host/resources/argumentCompletion.ts';
import { showInput } from '../editor/showInput.ts';
import { isCancelled } from '../../mcp/errors.ts';
import type { EditText } from '../text/textEditing.ts';
import { oneLine } from '../text/labelText.ts';
import { textSources, type TextSource } from './textSources.ts';

/** Pause in the typing before the server is asked for suggestions. */
const typingPauseMs = 200;

type StepResult =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'source'; readonly source: TextSource }
  | { readonly kind: 'back' }
  | { readonly kind: 'closed' };

type StepItem = vscode.QuickPickItem & { readonly result?: StepResult };

interface ValueField {
  readonly name: string;
  /** Ready for display. */
  readonly label: string;
  readonly description: string;
  readonly isRequired: boolean;
}

export interface ValueForm {
  /** Ready for display. */
  readonly title: string;
  readonly fields: readonly ValueField[];
  readonly completion: ArgumentCompletion;
  /** The result of the values so far, shown instead of the field's description. */
  readonly outcome?: (values: ArgumentTexts, field: ValueField) => string;
}

export interface HowToAsk {
  readonly editText: EditText;
  /** Closes the open step. */
  readonly signal: AbortSignal;
}

/**
 * Undefined when the user closed a step. Asks nothing for a form without fields.
 * @param known initial values, which the user can change
 * @param first the index of the first field to ask for
 */
export async function askValues(
  form: ValueForm,
  known: ArgumentTexts,
  { editText, signal }: HowToAsk,
  first = 0,
): Promise<ArgumentTexts | undefined> {
  const { fields } = form;
  // Without a prototype: an argument's name may be "constructor".
  const values: Record<string, string> = Object.assign(Object.create(null), known);
  let index = first;
  while (index < fields.length) {
    const field = fields[index];
    if (field === undefined || signal.aborted) {
      return undefined;
    }
    const step = new ValueStep({ form, field, index, editText }, values);
    const result = await step.run(signal);
    switch (result.kind) {
      case 'closed':
        return undefined;
      case 'back':
        index = Math.max(0, index - 1);
        break;
      case 'source': {
        const text = await result.source.read(values[field.name] ?? '', signal);
        if (text !== undefined) {
          values[field.name] = text;
          index += 1;
        }
        break;
      }
      case 'value':
        values[field.name] = result.value;
        index += 1;
        break;
    }
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

interface StepSubject {
  readonly form: ValueForm;
  readonly field: ValueField;
  readonly index: number;
  readonly editText: EditText;
}

class ValueStep {
  readonly #subject: StepSubject;
  readonly #values: ArgumentTexts;
  readonly #pause = new MutableDisposable();
  readonly #pick = vscode.window.createQuickPick<StepItem>();
  #asking = new AbortController();
  #suggestions: Suggestions = { values: [], hasMore: false };

  constructor(subject: StepSubject, values: ArgumentTexts) {
    this.#subject = subject;
    this.#values = values;
  }

  run(signal: AbortSignal): Promise<StepResult> {
    const { form, field, index } = this.#subject;
    const pick = this.#pick;
    pick.title = form.title;
    pick.step = index + 1;
    pick.totalSteps = form.fields.length;
    pick.ignoreFocusOut = true;
    pick.placeholder = field.isRequired
      ? vscode.l10n.t('{0} (required)', field.label)
      : vscode.l10n.t('{0} (optional, may be left empty)', field.label);
    pick.prompt = oneLine(field.description, 300);
    pick.buttons = index > 0 ? [vscode.QuickInputButtons.Back] : [];
    const value = this.#values[field.name] ?? '';
    pick.value = value.includes('\n') ? '' : value;
    this.#draw();
    this.#suggest();
    const result = showInput<StepResult>(pick, { kind: 'closed' }, (finish, store) => {
      store.add(pick.onDidChangeValue(() => this.#onTyped()));
      store.add(pick.onDidTriggerButton(() => finish({ kind: 'back' })));
      store.add(
        pick.onDidAccept(() => {
          const accepted = this.#accepted();
          if (accepted !== undefined) {
            finish(accepted);
          }
        }),
      );
      store.add(onAbort(signal, () => finish({ kind: 'closed' })));
    });
    return result.finally(() => {
      this.#asking.abort();
      this.#pause.dispose();
    });
  }

  #accepted(): StepResult | undefined {
    const [item] = this.#pick.selectedItems;
    const typed = this.#pick.value;
    if (item?.result !== undefined) {
      return item.result;
    }
    return typed === '' && this.#subject.field.isRequired
      ? undefined
      : { kind: 'value', value: typed };
  }

  #onTyped(): void {
    this.#draw();
    this.#pause.value = after(typingPauseMs, () => this.#suggest());
  }

  #suggest(): void {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#pick.busy = true;
    this.#showSuggestions(signal).catch(onUnexpectedError);
  }

  async #showSuggestions(signal: AbortSignal): Promise<void> {
    const {
      form,
      field: { name },
    } = this.#subject;
    try {
      const typed = this.#pick.value;
      const suggestions = await form.completion.suggest(name, typed, this.#values, signal);
      if (!signal.aborted) {
        this.#suggestions = suggestions;
        this.#pick.busy = false;
        this.#draw();
      }
    } catch (error) {
      // Cancelled: the user typed on, or closed the step.
      if (!isCancelled(error)) {
        throw error;
      }
    }
  }

  #draw(): void {
    const typed = this.#pick.value;
    const { form, field, editText } = this.#subject;
    if (form.outcome !== undefined) {
      this.#pick.prompt = form.outcome({ ...this.#values, [field.name]: typed }, field);
    }
    const own: StepItem[] = [];
    const kept = this.#values[field.name] ?? '';
    if (typed !== '') {
      own.push({
        label: typed,
        description: vscode.l10n.t('as typed'),
        alwaysShow: true,
        result: { kind: 'value', value: typed },
      });
    } else if (kept.includes('\n')) {
      own.push({
        label: oneLine(kept, 60),
        description: vscode.l10n.t('keep the {0} lines', kept.split('\n').length),
        result: { kind: 'value', value: kept },
      });
    } else if (!field.isRequired) {
      own.push({
        label: `$(circle-slash) ${vscode.l10n.t('Leave empty')}`,
        result: { kind: 'value', value: '' },
      });
    } else if (this.#suggestions.values.length === 0) {
      // Enter takes the first item: without this one that would be the clipboard.
      own.push({ label: `$(pencil) ${vscode.l10n.t('Type a value')}` });
    }
    const suggested = this.#suggestions.values
      .filter((value) => value !== typed)
      .map((value): StepItem => ({
        label: oneLine(value, 200),
        // The server decides what matches: it may suggest "Paris" for "fra".
        alwaysShow: true,
        result: { kind: 'value', value },
      }));
    const sources = typed === '' ? textSources(field.label, editText).map(sourceItem) : [];
    this.#pick.items = [
      ...own,
      ...group(
        this.#suggestions.hasMore
          ? vscode.l10n.t('suggested, type for more')
          : vscode.l10n.t('suggested'),
        suggested,
      ),
      ...group(vscode.l10n.t('other sources'), sources),
    ];
  }
}

function sourceItem(source: TextSource): StepItem {
  return {
    label: `$(${source.icon}) ${source.label}`,
    description: source.description,
    result: { kind: 'source', source },
  };
}

function group(label: string, items: readonly StepItem[]): readonly StepItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}
