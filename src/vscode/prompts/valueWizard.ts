/**
 * Asks for texts that a server wants, one step each: typed, suggested by the server, or from the selection, the active
 * file, the clipboard or an editor of several lines. Used for the arguments of prompts and the variables of resource
 * templates.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { after } from '../../base/async.ts';
import { MutableDisposable, toDisposable } from '../../base/disposable.ts';
import type {
  ArgumentCompletion,
  ArgumentTexts,
  Suggestions,
} from '../../host/resources/argumentCompletion.ts';
import { runStep, separator } from '../forms/step.ts';
import { oneLine } from '../text/labelText.ts';
import { safeFileName } from '../text/resultFiles.ts';
import type { EditText } from '../text/textEditing.ts';

/** Pause in the typing before the server is asked for suggestions. */
const typingPauseMs = 200;

interface ValueItem extends vscode.QuickPickItem {
  /** Undefined when the source had nothing, or the user gave up. Absent: it only says something. */
  readonly read?: () => Promise<string | undefined>;
}

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

interface HowToAsk {
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
  how: HowToAsk,
  first = 0,
): Promise<ArgumentTexts | undefined> {
  // Without a prototype: an argument's name may be "constructor".
  const values: Record<string, string> = Object.assign(Object.create(null), known);
  let index = first;
  for (let field = form.fields[index]; field !== undefined; field = form.fields[index]) {
    const answer = await askValue(form, index, field, values, how);
    if (answer === 'closed') {
      return undefined;
    }
    if (answer === 'back') {
      index -= 1;
      continue;
    }
    const text = await answer();
    if (text !== undefined) {
      values[field.name] = text;
      index += 1;
    }
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

async function askValue(
  form: ValueForm,
  index: number,
  field: ValueField,
  values: ArgumentTexts,
  { editText, signal }: HowToAsk,
): Promise<'back' | 'closed' | NonNullable<ValueItem['read']>> {
  const { title, fields, completion, outcome } = form;
  const { name, label, isRequired } = field;
  const pick = vscode.window.createQuickPick<ValueItem>();
  const kept = values[name] ?? '';
  const pause = new MutableDisposable();
  let asking = new AbortController();
  let suggested: Suggestions = { values: [], hasMore: false };
  /** The user has accepted an empty box. */
  let isMissing = false;
  const edit = (): Promise<string | undefined> =>
    editText(
      {
        name: safeFileName(label),
        language: 'plaintext',
        text: kept,
        hint: (use) => vscode.l10n.t('Write the value of "{0}", then choose "{1}".', label, use),
        read: (text) => text,
      },
      signal,
    );
  const promptOf = (typed: string): string | undefined => {
    if (isMissing) {
      return `⚠ ${vscode.l10n.t('"{0}" is required: type a value, or choose where it comes from.', label)}`;
    }
    return outcome === undefined
      ? oneLine(field.description, 300)
      : outcome({ ...values, [name]: typed }, field);
  };
  const draw = (): void => {
    const typed = pick.value;
    pick.prompt = promptOf(typed);
    const own = ownItems(typed, kept, isRequired, suggested.values.length > 0);
    // The server decides what matches: it may suggest "Paris" for "fra".
    const offered = suggested.values
      .filter((value) => value !== typed)
      .map((value) => ({ ...valueItem(oneLine(value, 200), value), alwaysShow: true }));
    pick.items = [
      ...own,
      ...group(
        suggested.hasMore ? vscode.l10n.t('suggested, type for more') : vscode.l10n.t('suggested'),
        offered,
      ),
      ...group(vscode.l10n.t('other sources'), typed === '' ? sources(edit) : []),
    ];
    // The editor puts the row with exactly what is typed first, wherever it stood.
    if (isOnlyMatch(typed, suggested)) {
      pick.activeItems = offered;
    }
  };
  const suggest = async (): Promise<void> => {
    asking.abort();
    asking = new AbortController();
    const own = asking.signal;
    pick.busy = true;
    // It fails only when the user typed on, or closed the step.
    const found = await completion.suggest(name, pick.value, values, own).catch(() => suggested);
    if (!own.aborted) {
      suggested = found;
      pick.busy = false;
      draw();
    }
  };
  pick.placeholder = isRequired
    ? vscode.l10n.t('{0} (required)', label)
    : vscode.l10n.t('{0} (optional, may be left empty)', label);
  pick.value = kept.includes('\n') ? '' : kept;
  draw();
  void suggest();
  let chosen: ValueItem['read'];
  const place = { step: index + 1, total: fields.length, canGoBack: index > 0 };
  const end = await runStep(pick, { title, signal }, place, (finish, store) => {
    store.add(pause);
    store.add(toDisposable(() => asking.abort()));
    store.add(
      pick.onDidChangeValue(() => {
        isMissing = false;
        draw();
        pause.value = after(typingPauseMs, () => void suggest());
      }),
    );
    store.add(
      pick.onDidAccept(() => {
        const typed = pick.value;
        const isNothing = typed === '' && isRequired;
        chosen = pick.selectedItems[0]?.read ?? (isNothing ? undefined : async () => typed);
        if (chosen === undefined) {
          isMissing = true;
          draw();
        } else {
          finish('next');
        }
      }),
    );
  });
  return chosen ?? (end === 'back' ? 'back' : 'closed');
}

/** Enter takes it: what is typed is its beginning. */
function isOnlyMatch(typed: string, { values: [only, ...others], hasMore }: Suggestions): boolean {
  return (
    typed !== '' &&
    others.length === 0 &&
    !hasMore &&
    only?.toLowerCase().startsWith(typed.toLowerCase()) === true
  );
}

/** What the user has typed, or what stands for an empty box; the first item, which Enter takes. */
function ownItems(
  typed: string,
  kept: string,
  isRequired: boolean,
  hasSuggestions: boolean,
): readonly ValueItem[] {
  if (typed !== '') {
    const description = vscode.l10n.t('as typed');
    return [{ ...valueItem(typed, typed), description, alwaysShow: true }];
  }
  if (kept.includes('\n')) {
    const description = vscode.l10n.t('keep the {0} lines', kept.split('\n').length);
    return [{ ...valueItem(oneLine(kept, 60), kept), description }];
  }
  if (!isRequired) {
    return [valueItem(`$(circle-slash) ${vscode.l10n.t('Leave empty')}`, '')];
  }
  // Without this one, Enter would take the clipboard.
  return hasSuggestions ? [] : [{ label: `$(pencil) ${vscode.l10n.t('Type a value')}` }];
}

function valueItem(label: string, value: string): ValueItem {
  return { label, read: async () => value };
}

/** The sources of a value besides the keyboard. @param edit lets the user write several lines */
function sources(edit: () => Promise<string | undefined>): readonly ValueItem[] {
  return [
    ...editorSources(vscode.window.activeTextEditor),
    {
      label: `$(clippy) ${vscode.l10n.t('Clipboard')}`,
      read: async () => (await vscode.env.clipboard.readText()) || undefined,
    },
    { label: `$(edit) ${vscode.l10n.t('Write several lines…')}`, read: edit },
  ];
}

function editorSources(editor: vscode.TextEditor | undefined): readonly ValueItem[] {
  if (editor === undefined) {
    return [];
  }
  const { document, selection } = editor;
  const name = path.posix.basename(document.uri.path);
  const { length } = document.getText(selection);
  const selected = {
    label: `$(selection) ${vscode.l10n.t('Selection')}`,
    description: vscode.l10n.t('{0}, {1} characters', name, length),
    read: async () => document.getText(selection),
  };
  const whole = {
    label: `$(file) ${vscode.l10n.t('Active file')}`,
    description: name,
    read: async () => document.getText(),
  };
  return selection.isEmpty ? [whole] : [selected, whole];
}

function group(label: string, items: readonly ValueItem[]): readonly ValueItem[] {
  return items.length === 0 ? [] : [separator(label), ...items];
}
