/**
 * Asks for the arguments of a prompt, one step each: what is typed, what the server suggests, or text
 * from the selection, the active file, the clipboard or an editor of several lines.
 */
import * as vscode from 'vscode';
import { after } from '../../base/async.ts';
import { DisposableStore, MutableDisposable, toDisposable } from '../../base/disposable.ts';
import { onUnexpectedError } from '../../base/event.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { PromptArguments } from '../../host/prompts/promptArguments.ts';
import { PromptCompletion, type Suggestions } from '../../host/prompts/promptCompletion.ts';
import type { PromptServer } from '../../host/prompts/resolvePrompt.ts';
import { isCancelled } from '../../mcp/errors.ts';
import type { Prompt, PromptArgument } from '../../mcp/types/lists.ts';
import type { EditText } from '../asks/textEditing.ts';
import { oneLine } from '../text.ts';
import { textSources, type TextSource } from './textSources.ts';

/** Pause in the typing after which the server is asked for suggestions. */
const typingPauseMs = 200;

type StepResult =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'source'; readonly source: TextSource }
  | { readonly kind: 'back' }
  | { readonly kind: 'closed' };

type StepItem = vscode.QuickPickItem & { readonly result?: StepResult };

/**
 * Undefined when the user closed a step. A prompt without arguments is not asked about.
 * @param known values to begin with, which can be changed
 * @param how `signal` closes the step that is open
 */
export async function askArguments(
  server: PromptServer,
  prompt: Prompt,
  known: PromptArguments,
  how: { readonly editText: EditText; readonly signal: AbortSignal },
): Promise<PromptArguments | undefined> {
  const { editText, signal } = how;
  const all = prompt.arguments ?? [];
  const completion = new PromptCompletion(server, prompt);
  const values: Record<string, string> = { ...known };
  let index = 0;
  while (index < all.length) {
    const argument = all[index];
    if (argument === undefined || signal.aborted) {
      return undefined;
    }
    const step = new ArgumentStep(
      { server, prompt, argument, index, count: all.length, editText },
      values,
      completion,
    );
    const result = await step.run(signal);
    switch (result.kind) {
      case 'closed':
        return undefined;
      case 'back':
        index = Math.max(0, index - 1);
        break;
      case 'source': {
        const text = await result.source.read(values[argument.name] ?? '', signal);
        if (text !== undefined) {
          values[argument.name] = text;
          index += 1;
        }
        break;
      }
      case 'value':
        values[argument.name] = result.value;
        index += 1;
        break;
    }
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

interface StepSubject {
  readonly server: PromptServer;
  readonly prompt: Prompt;
  readonly argument: PromptArgument;
  readonly index: number;
  readonly count: number;
  readonly editText: EditText;
}

class ArgumentStep {
  readonly #subject: StepSubject;
  readonly #values: PromptArguments;
  readonly #completion: PromptCompletion;
  readonly #store = new DisposableStore();
  readonly #pause = this.#store.add(new MutableDisposable());
  readonly #pick = this.#store.add(vscode.window.createQuickPick<StepItem>());
  #asking = new AbortController();
  #suggestions: Suggestions = { values: [], hasMore: false };

  constructor(subject: StepSubject, values: PromptArguments, completion: PromptCompletion) {
    this.#subject = subject;
    this.#values = values;
    this.#completion = completion;
  }

  run(signal: AbortSignal): Promise<StepResult> {
    const { server, prompt, argument, index, count } = this.#subject;
    const pick = this.#pick;
    pick.title = `${oneLine(server.config.name, 40)}: ${oneLine(displayLabel(prompt), 60)}`;
    pick.step = index + 1;
    pick.totalSteps = count;
    pick.ignoreFocusOut = true;
    pick.placeholder = this.#isRequired
      ? vscode.l10n.t('{0} (required)', this.#label)
      : vscode.l10n.t('{0} (optional, may be left empty)', this.#label);
    pick.prompt = oneLine(argument.description ?? '', 300);
    pick.buttons = index > 0 ? [vscode.QuickInputButtons.Back] : [];
    const value = this.#values[argument.name] ?? '';
    pick.value = value.includes('\n') ? '' : value;
    this.#draw();
    this.#suggest();
    const result = new Promise<StepResult>((resolve) => {
      this.#store.add(pick.onDidChangeValue(() => this.#onTyped()));
      this.#store.add(
        pick.onDidTriggerButton(() => {
          resolve({ kind: 'back' });
        }),
      );
      this.#store.add(
        pick.onDidAccept(() => {
          const accepted = this.#accepted();
          if (accepted !== undefined) {
            resolve(accepted);
          }
        }),
      );
      const close = (): void => resolve({ kind: 'closed' });
      this.#store.add(pick.onDidHide(close));
      signal.addEventListener('abort', close);
      this.#store.add(toDisposable(() => signal.removeEventListener('abort', close)));
    });
    pick.show();
    return result.finally(() => {
      this.#asking.abort();
      this.#store.dispose();
    });
  }

  get #isRequired(): boolean {
    return this.#subject.argument.required === true;
  }

  get #label(): string {
    return oneLine(displayLabel(this.#subject.argument), 60);
  }

  #accepted(): StepResult | undefined {
    const [item] = this.#pick.selectedItems;
    const typed = this.#pick.value;
    if (item?.result !== undefined) {
      return item.result;
    }
    return typed === '' && this.#isRequired ? undefined : { kind: 'value', value: typed };
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
    const { name } = this.#subject.argument;
    try {
      const typed = this.#pick.value;
      const suggestions = await this.#completion.suggest(name, typed, this.#values, signal);
      if (!signal.aborted) {
        this.#suggestions = suggestions;
        this.#pick.busy = false;
        this.#draw();
      }
    } catch (error) {
      // The user typed on, or closed the step.
      if (!isCancelled(error)) {
        throw error;
      }
    }
  }

  #draw(): void {
    const typed = this.#pick.value;
    const own: StepItem[] = [];
    const kept = this.#values[this.#subject.argument.name] ?? '';
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
    } else if (!this.#isRequired) {
      own.push({
        label: `$(circle-slash) ${vscode.l10n.t('Leave empty')}`,
        result: { kind: 'value', value: '' },
      });
    } else if (this.#suggestions.values.length === 0) {
      // The first item is what Enter takes: without this one it would be the clipboard.
      own.push({ label: `$(pencil) ${vscode.l10n.t('Type a value')}` });
    }
    const suggested = this.#suggestions.values
      .filter((value) => value !== typed)
      .map((value): StepItem => ({
        label: oneLine(value, 200),
        // What fits is the server's to say: it may suggest "Paris" for "fra".
        alwaysShow: true,
        result: { kind: 'value', value },
      }));
    const sources =
      typed === '' ? textSources(this.#label, this.#subject.editText).map(sourceItem) : [];
    this.#pick.items = [
      ...own,
      ...group(
        this.#suggestions.hasMore
          ? vscode.l10n.t('suggested, type for more')
          : vscode.l10n.t('suggested'),
        suggested,
      ),
      ...group(vscode.l10n.t('text from'), sources),
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
