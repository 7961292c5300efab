/** A pick that searches while the user types, and shows what it found last. What was checked stays above it. */
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.ts';
import { toDisposable } from '../../base/disposable.ts';
import { onUnexpectedError } from '../../base/event.ts';
import { McpError } from '../../mcp/errors.ts';
import { neverAborted } from '../text/cancellation.ts';
import { showInput } from './showInput.ts';

/** The pick stays when it is pressed. */
export interface RowButton extends vscode.QuickInputButton {
  readonly press: () => Promise<void>;
}

/** A row without a choice says something, or separates others. */
export type SearchRow<C> = Omit<vscode.QuickPickItem, 'buttons'> & {
  readonly choice?: C;
  readonly buttons?: readonly RowButton[];
};

/** Rows match already, perhaps by a text that is cut off in them: they have `alwaysShow`. */
interface Found<C> {
  readonly rows: readonly SearchRow<C>[];
  readonly prompt?: string | undefined;
}

interface Search<C> {
  readonly look: Pick<vscode.QuickPick<SearchRow<C>>, 'title' | 'placeholder'> &
    Partial<Pick<vscode.QuickPick<SearchRow<C>>, 'value' | 'ignoreFocusOut'>>;
  /** The signal aborts when something else is typed, and in the end. */
  readonly find: (typed: string, signal: AbortSignal) => Promise<Found<C>>;
  /** It has a Back button, which closes it. */
  readonly canGoBack?: boolean;
  /** Rows can be checked, and Enter takes them all; where none is, it takes the row that it is on. */
  readonly isForMany?: boolean;
  /** Closes the pick. */
  readonly signal?: AbortSignal | undefined;
  /** Enter takes the first row that was found, wherever the editor sorts it to: it puts exactly what is typed first. */
  readonly takesFirst?: boolean;
}

interface Chosen<C> {
  readonly choice: C;
  /** More than that one only where the pick is for many. */
  readonly choices: readonly C[];
  readonly typed: string;
}

/** @returns undefined when the user closed it */
export async function searchPick<C>({
  look,
  find,
  isForMany = false,
  signal: ended = neverAborted,
  takesFirst = false,
  canGoBack = false,
}: Search<C>): Promise<Chosen<C> | undefined> {
  const pick = Object.assign(vscode.window.createQuickPick<SearchRow<C>>(), look);
  pick.canSelectMany = isForMany;
  pick.buttons = canGoBack ? [vscode.QuickInputButtons.Back] : [];
  const checked = (): readonly SearchRow<C>[] => (isForMany ? pick.selectedItems : []);
  return showInput<Chosen<C> | undefined>(pick, undefined, (finish, store) => {
    let searching = new AbortController();
    /** Taken while the search was under way. */
    let early: SearchRow<C> | undefined;
    const stop = (): void => searching.abort(new McpError('cancelled', 'The search is over'));
    const take = (choices: readonly C[]): void => {
      const [choice] = choices;
      if (choice !== undefined) {
        finish({ choice, choices, typed: pick.value });
      }
    };
    const search = async (): Promise<void> => {
      stop();
      searching = new AbortController();
      const { signal } = searching;
      early = undefined;
      pick.busy = true;
      try {
        const { rows, prompt } = await find(pick.value, signal);
        if (!signal.aborted) {
          const kept = checked();
          const chosen = new Set(kept.map(({ choice }) => choice));
          const others = rows.filter(({ choice }) => choice === undefined || !chosen.has(choice));
          // The editor forgets what was checked with the rows that it no longer has.
          pick.items = [...kept, ...others];
          pick.selectedItems = kept;
          pick.prompt = prompt;
          pick.busy = false;
          const first = others.find(({ choice }) => choice !== undefined);
          if (takesFirst && first !== undefined) {
            pick.activeItems = [first];
          }
          if (first?.choice !== undefined && early !== undefined && isAlike(first, early)) {
            take([first.choice]);
          }
        }
      } catch (error) {
        if (!signal.aborted) {
          throw error;
        }
      }
    };
    const start = (): void => void search().catch(onUnexpectedError);
    store.add(toDisposable(stop));
    store.add(onAbort(ended, () => finish(undefined)));
    store.add(pick.onDidChangeValue(start));
    store.add(pick.onDidTriggerButton(() => finish(undefined)));
    store.add(
      pick.onDidTriggerItemButton(({ item, button }) => {
        const pressed = item.buttons?.find((one) => one === button);
        pressed?.press().catch(onUnexpectedError);
      }),
    );
    store.add(
      pick.onDidAccept(() => {
        const { selectedItems, activeItems } = pick;
        const rows = isForMany && selectedItems.length === 0 ? activeItems : selectedItems;
        // The rows of an earlier text count for this one where its rows begin with the same; what was checked always does.
        if (pick.busy && checked().length === 0) {
          [early] = rows;
        } else {
          take(rows.flatMap((row) => row.choice ?? []));
        }
      }),
    );
    start();
  });
}

/** Whether a person sees no difference. */
function isAlike(a: vscode.QuickPickItem, b: vscode.QuickPickItem): boolean {
  return a.label === b.label && a.description === b.description && a.detail === b.detail;
}
