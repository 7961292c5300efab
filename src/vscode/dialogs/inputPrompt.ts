/** Asks the user for the value of an `${input:…}` variable: an input box, or a list to pick from. */
import * as vscode from 'vscode';
import type { InputDefinition } from '../../host/config/serverConfig.ts';
import type { InputPrompt } from '../../host/ports.ts';
import { oneLine } from '../text.ts';

export const inputPrompt: InputPrompt = {
  ask: async (server, input, signal) => {
    const cancellation = new vscode.CancellationTokenSource();
    const cancel = (): void => cancellation.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await show(server, input, cancellation.token);
    } finally {
      signal.removeEventListener('abort', cancel);
      cancellation.dispose();
    }
  },
};

async function show(
  server: string,
  input: InputDefinition,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const title = vscode.l10n.t('MCP server "{0}" needs a value: {1}', oneLine(server, 60), input.id);
  switch (input.type) {
    case 'promptString':
      return vscode.window.showInputBox(
        {
          title,
          prompt: oneLine(input.description, 300),
          password: input.password,
          ignoreFocusOut: true,
          ...(input.default === undefined ? {} : { value: input.default }),
        },
        token,
      );
    case 'pickString':
      return vscode.window.showQuickPick(
        // The default comes first, where Enter takes it.
        input.options.toSorted((a, b) => Number(b === input.default) - Number(a === input.default)),
        { title, placeHolder: oneLine(input.description, 300), ignoreFocusOut: true },
        token,
      );
  }
}
