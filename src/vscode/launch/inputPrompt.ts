/**
 * Asks the user for the value of an `${input:…}` variable: an input box, or a list to pick from. Closing it gives no
 * value; "Later" postpones it.
 */
import { type InputPrompt, useOfInput } from '../../host/launch/inputs.ts';
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { later } from '../../host/questions/questionQueue.ts';
import type { InputDefinition, ServerConfig } from '../../host/config/serverConfig.ts';
import { oneLine } from '../text/labelText.ts';
import { type KeepFile, openFile, textFile } from '../text/wholeText.ts';

/** A longer description is cut; a document shows it whole on demand. */
const maxDescription = 300;

type Value = string | typeof later | undefined;

export function inputPrompt(keep: KeepFile): InputPrompt {
  return {
    ask: (server, input, { signal, postponable }) =>
      postponable((postponed) => ask(server, input, keep, signal, postponed)),
  };
}

async function ask(
  server: ServerConfig,
  input: InputDefinition,
  keep: KeepFile,
  signal: AbortSignal,
  postponed: AbortSignal,
): Promise<Value> {
  const store = new DisposableStore();
  const putOff = {
    iconPath: new vscode.ThemeIcon('watch'),
    tooltip: vscode.l10n.t('Later: come back from the status bar'),
  };
  const whole = {
    iconPath: new vscode.ThemeIcon('note'),
    tooltip: vscode.l10n.t('Show the whole description'),
  };
  let document: Promise<() => Promise<void>> | undefined;
  try {
    return await new Promise<Value>((resolve) => {
      const box = store.add(
        input.type === 'promptString' ? typed(input, resolve) : picked(input, resolve),
      );
      const { position, total, fields } = useOfInput(server, input.id);
      if (total > 1) {
        box.step = position;
        box.totalSteps = total;
      }
      box.prompt = `${promptText(input)}${placeText(server, fields)}`;
      box.title = vscode.l10n.t(
        'MCP server "{0}" needs a value: {1}',
        oneLine(server.name, 60),
        oneLine(input.id, 60),
      );
      box.ignoreFocusOut = true;
      box.buttons = [...(input.description.length > maxDescription ? [whole] : []), putOff];
      store.add(
        box.onDidTriggerButton((button) => {
          if (button === putOff) {
            resolve(later);
          } else {
            document ??= openFile(keep, textFile(`about-${input.id}`, input.description));
          }
        }),
      );
      store.add(box.onDidHide(() => resolve(undefined)));
      store.add(onAbort(signal, () => resolve(undefined)));
      store.add(onAbort(postponed, () => resolve(later)));
      box.show();
    });
  } finally {
    store.dispose();
    await (
      await document
    )?.();
  }
}

function typed(
  input: InputDefinition & { readonly type: 'promptString' },
  resolve: (value: Value) => void,
): vscode.InputBox {
  const box = vscode.window.createInputBox();
  box.password = input.password;
  box.value = input.default ?? '';
  box.onDidAccept(() => resolve(box.value));
  return box;
}

function picked(
  input: InputDefinition & { readonly type: 'pickString' },
  resolve: (value: Value) => void,
): vscode.QuickPick<vscode.QuickPickItem & { readonly value: string }> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value: string }>();
  // The default is first, so Enter takes it.
  pick.items = input.options
    .toSorted((a, b) => Number(b === input.default) - Number(a === input.default))
    .map((value) => ({ label: oneLine(value, 200), value }));
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (item !== undefined) {
      resolve(item.value);
    }
  });
  return pick;
}

/** An input without a description has its id as one, which the title shows already. */
function promptText({ id, description }: InputDefinition): string {
  return description === id ? '' : `${oneLine(description, maxDescription)} · `;
}

/** Where the value goes. */
function placeText({ launch }: ServerConfig, fields: readonly string[]): string {
  return vscode.l10n.t(
    'Goes into {0} of {1}. The editor keeps it as a secret.',
    oneLine(fields.join(', '), 120),
    oneLine(launch.kind === 'stdio' ? launch.command : launch.url, 120),
  );
}
