/**
 * What all steps of a form share: title, number of the step, the server's message, the buttons, and
 * the ways to leave without an answer. A step is off the screen as soon as its signal aborts.
 */
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Asker } from '../../host/asks/elicitationUi.ts';
import { oneLine } from '../text.ts';
import { askerText } from './askerText.ts';

/** A longer one is cut in a step. */
export const maxMessage = 300;

export interface Frame {
  readonly asker: Asker;
  readonly message: string;
  readonly signal: AbortSignal;
  /** Aborts when the question is put off by something else than its own button. */
  readonly postponed: AbortSignal;
  /** Opens all that the server says as a document; undefined when no step cuts any of it. */
  readonly showWhole: (() => void) | undefined;
}

export interface Place {
  /** What this step is about. */
  readonly label: string;
  /** From 1; left out for a step that stands alone. */
  readonly step?: number;
  readonly total?: number;
  readonly canGoBack: boolean;
  /** False where the server has its answer already. Default true. */
  readonly canDecline?: boolean;
}

/** How a step ended. `closed` also when it was withdrawn; the signal tells. */
export type StepEnd = 'next' | 'back' | 'decline' | 'later' | 'closed';

type StepInput = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/** The server's message in one line and in quotes, after what else there is to say. */
export function promptText(frame: Frame, hint = ''): string {
  const message = oneLine(frame.message, maxMessage);
  const quoted = message === '' ? '' : `“${message}”`;
  return [hint, quoted].filter((part) => part !== '').join(' — ');
}

/**
 * Shows `input` and waits until the user leaves it; then it is disposed.
 * @param wire adds the listeners of this kind of step; `finish` leaves it
 */
export function runStep(
  input: StepInput,
  frame: Frame,
  place: Place,
  wire: (finish: (end: StepEnd) => void, store: DisposableStore) => void,
  extraButtons: readonly vscode.QuickInputButton[] = [],
): Promise<StepEnd> {
  const buttons = stepButtons(frame);
  input.title = `${askerText(frame.asker)}: ${place.label}`;
  input.step = place.step;
  input.totalSteps = place.total;
  input.ignoreFocusOut = true;
  input.buttons = [
    ...(place.canGoBack ? [vscode.QuickInputButtons.Back] : []),
    ...extraButtons,
    ...(buttons.whole === undefined ? [] : [buttons.whole]),
    buttons.later,
    ...(place.canDecline === false ? [] : [buttons.decline]),
  ];
  const store = new DisposableStore();
  store.add(input);
  return new Promise<StepEnd>((resolve) => {
    const onAbort = (): void => resolve('closed');
    const onPostponed = (): void => resolve('later');
    frame.signal.addEventListener('abort', onAbort, { once: true });
    frame.postponed.addEventListener('abort', onPostponed, { once: true });
    store.add({
      dispose: () => {
        frame.signal.removeEventListener('abort', onAbort);
        frame.postponed.removeEventListener('abort', onPostponed);
      },
    });
    store.add(input.onDidHide(() => resolve('closed')));
    store.add(
      input.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) {
          resolve('back');
        } else if (button === buttons.later) {
          resolve('later');
        } else if (button === buttons.decline) {
          resolve('decline');
        } else if (button === buttons.whole) {
          frame.showWhole?.();
        }
      }),
    );
    wire(resolve, store);
    if (frame.signal.aborted) {
      resolve('closed');
    } else if (frame.postponed.aborted) {
      resolve('later');
    } else {
      input.show();
    }
  }).finally(() => store.dispose());
}

function stepButtons(frame: Frame): {
  readonly later: vscode.QuickInputButton;
  readonly decline: vscode.QuickInputButton;
  readonly whole: vscode.QuickInputButton | undefined;
} {
  return {
    later: {
      iconPath: new vscode.ThemeIcon('watch'),
      tooltip: vscode.l10n.t('Later: keep the answers and come back from the status bar'),
    },
    decline: {
      iconPath: new vscode.ThemeIcon('circle-slash'),
      tooltip: vscode.l10n.t('Decline: tell the server no'),
    },
    whole:
      frame.showWhole === undefined
        ? undefined
        : {
            iconPath: new vscode.ThemeIcon('note'),
            tooltip: vscode.l10n.t('Show the whole message of the server'),
          },
  };
}
