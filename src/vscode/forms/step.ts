/**
 * What all steps of a form share: title, number of the step, the server's message, the buttons, and the ways to leave
 * without an answer. A step closes as soon as its signal aborts. Knows neither who asks nor what happens with the
 * answers.
 */
import * as vscode from 'vscode';
import { newestOnly, onAbort } from '../../base/async.ts';
import type { DisposableStore } from '../../base/disposable.ts';
import { showInput } from '../editor/showInput.ts';
import { neverAborted } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';

/** A longer message is cut in a step. */
export const maxMessage = 300;

export interface Frame {
  /** Names the asker: every title begins with it. */
  readonly title: string;
  /** Words of a server. */
  readonly message?: string;
  /** Closes the step. */
  readonly signal?: AbortSignal;
  /** Aborts when the question is postponed by something other than its own button. */
  readonly postponed?: AbortSignal;
  /** Shown in every step, after Back and the step's own buttons. */
  readonly buttons?: readonly StepButton[];
  /** What the values are: answers to a server's question, or, if absent, arguments of a tool. */
  readonly wants?: Wants;
}

export type Wants = 'answer' | 'argument';

export interface StepButton<E extends string = StepEnd> {
  readonly button: vscode.QuickInputButton;
  /** Ends the step with this, or runs something while the step stays open. */
  readonly press: E | (() => void);
}

/** @param icon the id of one of the editor's */
export function stepButton<E extends string>(
  icon: string,
  tooltip: string,
  press: E,
): StepButton<E>;
export function stepButton(icon: string, tooltip: string, press: () => void): StepButton<never>;
export function stepButton(
  icon: string,
  tooltip: string,
  press: string | (() => void),
): StepButton<string> {
  return { button: { iconPath: new vscode.ThemeIcon(icon), tooltip }, press };
}

export interface Place {
  /** The subject of this step; absent where the step itself says it. */
  readonly label?: string;
  /** From 1; absent for a step on its own. */
  readonly step?: number;
  readonly total?: number;
  readonly canGoBack?: boolean;
  /** False if the server has its answer already. Default true. */
  readonly canDecline?: boolean;
}

/**
 * How a step ended. `closed` also when it was withdrawn; the signal tells. `editor`: edit this value in an editor;
 * `json`: edit all values as JSON; `review`: go to the last page. These come only from the caller's buttons. Only the
 * last page ends with `go`: send the values, or run with them, and `change`: the draft is at the value to change.
 */
export type StepEnd =
  | 'next'
  | 'back'
  | 'decline'
  | 'later'
  | 'closed'
  | 'editor'
  | 'json'
  | 'review'
  | 'go'
  | 'change';

type StepInput = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/** The hint, then the server's message on one line and in quotes. */
export function promptText(frame: Frame, hint = ''): string {
  const message = oneLine(frame.message ?? '', maxMessage);
  const quoted = message === '' ? '' : `“${message}”`;
  return [quoted, hint].filter((part) => part !== '').join(' — ');
}

/**
 * Shows `input` until the user leaves it, then disposes it.
 * @param wire adds the listeners of this kind of step; `finish` leaves it
 */
export function runStep<E extends string = never>(
  input: StepInput,
  frame: Frame,
  place: Place,
  wire: (finish: (end: StepEnd | E) => void, store: DisposableStore) => void,
  extraButtons: readonly StepButton<StepEnd | E>[] = [],
): Promise<StepEnd | E> {
  const buttons = [...extraButtons, ...(frame.buttons ?? [])].filter(
    ({ press }) => press !== 'decline' || place.canDecline !== false,
  );
  input.title = place.label === undefined ? frame.title : `${frame.title}: ${place.label}`;
  input.step = place.step;
  input.totalSteps = place.total;
  input.ignoreFocusOut = true;
  input.buttons = [
    ...(place.canGoBack === true ? [vscode.QuickInputButtons.Back] : []),
    ...buttons.map(({ button }) => button),
  ];
  return showInput<StepEnd | E>(input, 'closed', (finish, store) => {
    store.add(onAbort(frame.signal ?? neverAborted, () => finish('closed')));
    store.add(onAbort(frame.postponed ?? neverAborted, () => finish('later')));
    store.add(
      input.onDidTriggerButton((pressed) => {
        const press =
          pressed === vscode.QuickInputButtons.Back
            ? 'back'
            : buttons.find(({ button }) => button === pressed)?.press;
        if (typeof press === 'function') {
          press();
        } else if (press !== undefined) {
          finish(press);
        }
      }),
    );
    wire(finish, store);
  });
}

/**
 * A box that goes on once its text is right.
 * @param onTyped gets each text that the user types
 * @param tell shows the problem of the text, and returns whether it is right
 */
export function boxStep(
  box: vscode.InputBox,
  frame: Frame,
  place: Place,
  onTyped: (text: string) => void,
  tell: () => Promise<boolean>,
  buttons: readonly StepButton[],
): Promise<StepEnd> {
  const wire = (finish: (end: StepEnd) => void, store: DisposableStore): void => {
    store.add(
      box.onDidChangeValue((text) => {
        onTyped(text);
        void tell();
      }),
    );
    store.add(box.onDidAccept(async () => (await tell()) && finish('next')));
  };
  return runStep(box, frame, place, wire, buttons);
}

/**
 * A box of its own, with Back.
 * @param problemOf of a text without blanks around it
 */
export async function textStep(
  look: Partial<Pick<vscode.InputBox, 'prompt' | 'value' | 'password'>>,
  frame: Frame,
  problemOf: (text: string) => string | undefined,
): Promise<{ readonly end: StepEnd; readonly text: string }> {
  const box = Object.assign(vscode.window.createInputBox(), look);
  const tell = async (): Promise<boolean> => {
    box.validationMessage = problemOf(box.value.trim());
    return box.validationMessage === undefined;
  };
  const end = await boxStep(box, frame, { canGoBack: true }, () => undefined, tell, []);
  return { end, text: box.value.trim() };
}

/**
 * Shows the problem of an input, and returns whether it is right. A check may take its time: of an input that the user
 * has changed meanwhile nothing is shown, and it is not right.
 * @param draw returns whether the input is right
 */
export function teller<I, P>(
  inputOf: () => I,
  check: (input: I) => Promise<P>,
  draw: (problem: P) => boolean,
): () => Promise<boolean> {
  const told = newestOnly(async () => {
    const input = inputOf();
    const problem = await check(input);
    return inputOf() === input && draw(problem);
  });
  return async () => (await told()) === true;
}

export interface StepItem extends vscode.QuickPickItem {
  /** It says something, and cannot be chosen. */
  readonly isInert?: true;
}

/** A step in which one of the items is chosen. A button on the row of an item ends it with `change`. */
export async function pickStep<T extends StepItem>(
  look: Partial<Pick<vscode.QuickPick<T>, 'items' | 'activeItems' | 'prompt' | 'placeholder'>>,
  frame: Frame,
  place: Place,
): Promise<{ readonly end: StepEnd; readonly item?: T | undefined }> {
  const pick = Object.assign(vscode.window.createQuickPick<T>(), look);
  pick.matchOnDescription = true;
  let item: T | undefined;
  const end = await runStep(pick, frame, place, (finish, store) => {
    store.add(
      pick.onDidAccept(() => {
        [item] = pick.selectedItems;
        if (item !== undefined && item.isInert !== true) {
          finish('next');
        }
      }),
    );
    store.add(
      pick.onDidTriggerItemButton((pressed) => {
        ({ item } = pressed);
        finish('change');
      }),
    );
  });
  return end === 'next' || end === 'change' ? { end, item } : { end };
}

/** A step in which any number of the items is checked. */
export async function pickManyStep<T extends StepItem>(
  {
    items,
    selectedItems = [],
    ...look
  }: Pick<vscode.QuickPick<T>, 'items'> &
    Partial<
      Pick<vscode.QuickPick<T>, 'selectedItems' | 'prompt' | 'placeholder' | 'matchOnDetail'>
    >,
  frame: Frame,
  place: Place,
): Promise<{ readonly end: StepEnd; readonly items: readonly T[] }> {
  const pick = Object.assign(vscode.window.createQuickPick<T>(), look);
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.items = items;
  pick.selectedItems = selectedItems;
  let checked: readonly T[] = [];
  const end = await runStep(pick, frame, place, (finish, store) => {
    store.add(
      pick.onDidAccept(() => {
        checked = pick.selectedItems;
        finish('next');
      }),
    );
  });
  return { end, items: checked };
}

export function separator(label: string): StepItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
