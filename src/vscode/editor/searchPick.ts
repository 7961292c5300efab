/** A pick that searches while the user types, and shows what it found last. */
import * as vscode from 'vscode';
import { toDisposable } from '../../base/disposable.ts';
import { onUnexpectedError } from '../../base/event.ts';
import { McpError } from '../../mcp/errors.ts';
import { showInput } from './showInput.ts';

/** A row without a choice says something, or separates others. */
export type SearchRow<C> = vscode.QuickPickItem & { readonly choice?: C };

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
}

/** @returns undefined when the user closed it */
export async function searchPick<C>({
  look,
  find,
}: Search<C>): Promise<{ readonly choice: C; readonly typed: string } | undefined> {
  const pick = Object.assign(vscode.window.createQuickPick<SearchRow<C>>(), look);
  let searching = new AbortController();
  const stop = (): void => searching.abort(new McpError('cancelled', 'The search is over'));
  const search = async (): Promise<void> => {
    stop();
    searching = new AbortController();
    const { signal } = searching;
    pick.busy = true;
    try {
      const { rows, prompt } = await find(pick.value, signal);
      if (!signal.aborted) {
        pick.items = rows;
        pick.prompt = prompt;
        pick.busy = false;
      }
    } catch (error) {
      if (!signal.aborted) {
        throw error;
      }
    }
  };
  const start = (): void => void search().catch(onUnexpectedError);
  return showInput<{ readonly choice: C; readonly typed: string } | undefined>(
    pick,
    undefined,
    (finish, store) => {
      store.add(toDisposable(stop));
      store.add(pick.onDidChangeValue(start));
      store.add(
        pick.onDidAccept(() => {
          const choice = pick.selectedItems[0]?.choice;
          // The rows of an earlier text say nothing of this one.
          if (choice !== undefined && !pick.busy) {
            finish({ choice, typed: pick.value });
          }
        }),
      );
      start();
    },
  );
}
