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
    let isDone = false;
    const finish = (result: T): void => {
      isDone = true;
      resolve(result);
    };
    store.add(input.onDidHide(() => finish(closed)));
    wire(finish, store);
    // One that was withdrawn before would hide what the user has open.
    if (!isDone) {
      input.show();
    }
  }).finally(() => store.dispose());
}
