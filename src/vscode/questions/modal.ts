/**
 * The one way to ask in a modal dialog before something runs, is sent or is kept. A modal takes the keyboard from a
 * user who is typing. So the focused button commits nothing, and a committing answer within a second is asked for
 * again.
 */
import * as vscode from 'vscode';
import { truncated } from '../../base/text.ts';
import type { RememberedScope } from '../../host/config/serverConfig.ts';
import type { Turn } from '../../host/questions/questionQueue.ts';
import { rememberedText } from '../config/scopeText.ts';
import { withToken } from '../text/cancellation.ts';
import { type KeepFile, readWhole } from '../text/wholeText.ts';
import type { ResultFile } from '../text/resultFiles.ts';
import type { Asker } from '../../host/questions/asker.ts';
import { askedAt } from '../../host/questions/reading.ts';
import { oneLine } from '../text/labelText.ts';

/** More or longer lines are cut in a dialog; the document has them whole. */
const maxLine = 1_000;
export const maxModalLines = 80;

export interface ModalButton<A> {
  readonly title: string;
  readonly answer: A;
  /** After this answer something runs, is sent or is kept. */
  readonly commits?: true;
  /** Means closing the dialog, and replaces the editor's own Cancel. */
  readonly isCloseAffordance?: true;
}

interface Modal<A> {
  /** Short: above a detail that has to be scrolled, the editor shows only one line. */
  readonly message: string;
  readonly detail: string;
  readonly isWarning?: boolean;
  /** Has the focus when the dialog appears. */
  readonly first: Omit<ModalButton<A>, 'commits'>;
  readonly others: readonly ModalButton<A>[];
}

/** @returns undefined when the dialog was closed */
export async function askModal<A>({
  message,
  detail,
  isWarning,
  first,
  others,
}: Modal<A>): Promise<A | undefined> {
  return ask(message, detail, isWarning === true, [first, ...others]);
}

async function ask<A>(
  message: string,
  detail: string,
  isWarning: boolean,
  buttons: readonly ModalButton<A>[],
): Promise<A | undefined> {
  for (let text = detail; ; text = `${tooSoonText()}\n\n${detail}`) {
    const isRead = askedAt(Date.now());
    const options = { modal: true, detail: text };
    const picked = isWarning
      ? await vscode.window.showWarningMessage(message, options, ...buttons)
      : await vscode.window.showInformationMessage(message, options, ...buttons);
    if (isRead(Date.now()) || picked?.commits !== true) {
      return picked?.answer;
    }
  }
}

/**
 * A question right after the user's choice in a list of ours, so nobody is typing elsewhere.
 * @param commit title of the button that does it
 */
export async function confirmChoice(
  message: string,
  detail: string,
  commit: string,
): Promise<boolean> {
  return (
    (await ask(message, detail, true, [{ title: commit, answer: true, commits: true }])) ?? false
  );
}

/** Code cannot close a modal: an answer after the question was withdrawn is ignored. */
function tellTooLate(
  message: string,
  buttons: readonly ModalButton<unknown>[],
  answer: unknown,
): void {
  if (buttons.some((button) => button.commits === true && button.answer === answer)) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'Your answer had no effect and is not remembered: the question had been withdrawn. "{0}"',
        message,
      ),
      vscode.l10n.t('OK'),
    );
  }
}

function tooSoonText(): string {
  return vscode.l10n.t('You answered within a second, perhaps by mistake. Please answer again.');
}

export interface ReviewedModal<A extends string> {
  readonly message: string;
  /** The lines of the dialog. */
  readonly lines: readonly string[];
  readonly isWarning?: boolean;
  /** What the first button opens: the whole text. */
  readonly whole: {
    readonly title: string;
    readonly placeHolder: string;
    readonly file: ResultFile | (() => Promise<ResultFile>);
  };
  /** The lines leave out something that the document has. */
  readonly isCut?: boolean;
  readonly buttons: readonly ModalButton<A>[];
  /** One more button, the second, asks for how long, and the answer is a scope. Without scopes there is none. */
  readonly remember?: Remember<Extract<A, RememberedScope>> & { readonly button: string };
}

interface Remember<S extends RememberedScope> {
  readonly scopes: readonly S[];
  readonly title: string;
  readonly placeHolder: string;
}

/**
 * A modal whose first button opens everything as a document, and comes back.
 * @returns undefined when the question was closed or withdrawn
 */
export async function askReviewed<A extends string>(
  { message, lines, isWarning, whole, isCut = false, buttons, remember }: ReviewedModal<A>,
  keep: KeepFile,
  turn: Turn,
): Promise<A | 'later' | undefined> {
  const shown = lines.slice(0, maxModalLines).map((line) => truncated(line, maxLine));
  const isWhole =
    !isCut && shown.length === lines.length && shown.every((line, index) => line === lines[index]);
  const missing = isWhole
    ? []
    : [`⚠ ${vscode.l10n.t('This is not complete: Show All… opens the whole text.')}`, ''];
  const others = withRemember(buttons, remember);
  for (;;) {
    const answer = await askModal<A | 'whole' | 'remember'>({
      message,
      detail: [...missing, ...shown].join('\n'),
      isWarning,
      first: {
        title: isWhole ? vscode.l10n.t('Review…') : vscode.l10n.t('Show All…'),
        answer: 'whole',
      },
      others,
    });
    if (turn.signal.aborted) {
      tellTooLate(message, others, answer);
      return undefined;
    }
    if (answer !== 'whole' && answer !== 'remember') {
      return answer;
    }
    const end =
      answer === 'whole'
        ? await showWhole(whole, keep, turn)
        : remember && (await pickRemembered(remember, turn.signal));
    if (end !== undefined || turn.signal.aborted) {
      return end;
    }
  }
}

function withRemember<A extends string>(
  buttons: readonly ModalButton<A>[],
  remember: ReviewedModal<A>['remember'],
): readonly ModalButton<A | 'remember'>[] {
  return remember === undefined || remember.scopes.length === 0
    ? buttons
    : [
        ...buttons.slice(0, 1),
        { title: remember.button, answer: 'remember', commits: true },
        ...buttons.slice(1),
      ];
}

async function showWhole(
  { title, placeHolder, file }: ReviewedModal<string>['whole'],
  keep: KeepFile,
  turn: Turn,
): Promise<'later' | undefined> {
  const whole = typeof file === 'function' ? await file() : file;
  const end = await readWhole({ title, placeHolder, whole }, keep, turn);
  return end === 'later' ? end : undefined;
}

/** `MCP server "weather" (npx)`, or its app */
export function askerText({ name, origin, isApp }: Asker): string {
  const [shownName, shownOrigin] = [oneLine(name, 60), oneLine(origin, 60)];
  return isApp === true
    ? vscode.l10n.t('The app of MCP server "{0}" ({1})', shownName, shownOrigin)
    : vscode.l10n.t('MCP server "{0}" ({1})', shownName, shownOrigin);
}

/** Asks how long an answer is remembered. Undefined when the pick was closed, or `signal` aborted. */
export async function pickRemembered<S extends RememberedScope>(
  { scopes, title, placeHolder }: Remember<S>,
  signal: AbortSignal,
): Promise<S | undefined> {
  const items = scopes.map((scope) => ({ ...rememberedText(scope), scope }));
  const picked = await withToken(signal, (token) =>
    vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }, token),
  );
  return picked?.scope;
}
