/** Shows an input of the editor's top until it is done with. */
import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';

/**
 * Disposes the input in the end.
 * @param closed the result when the user closes it
 * @param wire adds the listeners that lead to other results
 */
export function showInput<T>(
  input: vscode.QuickInput,
  closed: T,
  wire: (finish: (result: T) => void, store: DisposableStore) => void,
): Promise<T> {
  const store = new DisposableStore();
  store.add(input);
  return new Promise<T>((resolve) => {
    store.add(input.onDidHide(() => resolve(closed)));
    wire(resolve, store);
    input.show();
  }).finally(() => store.dispose());
}
