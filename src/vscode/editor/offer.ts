import { onUnexpectedError } from '../../base/event.ts';

/**
 * A message with one button. Not awaited: a message stays until it is closed.
 * @param show of `vscode.window`
 * @param run when the button is pressed
 */
export function offer(
  show: (text: string, button: string) => Thenable<string | undefined>,
  text: string,
  button: string,
  run: () => unknown,
): void {
  const offered = async (): Promise<void> => {
    if ((await show(text, button)) === button) {
      await run();
    }
  };
  offered().catch(onUnexpectedError);
}
