/**
 * Asks the user for the value of an `${input:…}` variable: an input box, or a list to pick from. Closing it gives no
 * value; "Later" postpones it.
 */
import { back, type InputPrompt, useOfInput } from '../../host/launch/inputs.ts';
import * as vscode from 'vscode';
import { later, type Turn } from '../../host/questions/questionQueue.ts';
import type { InputDefinition, ServerConfig } from '../../host/config/serverConfig.ts';
import {
  type Frame,
  pickStep,
  type Place,
  runStep,
  stepButton,
  type StepEnd,
} from '../forms/step.ts';
import { oneLine } from '../text/labelText.ts';
import type { ResultFile } from '../text/resultFiles.ts';
import { type KeepFile, textFile, withFile } from '../text/wholeText.ts';

/** A longer description is cut; a document shows it whole on demand. */
const maxDescription = 300;

export function inputPrompt(keep: KeepFile): InputPrompt {
  return {
    ask: (server, input, turn, canGoBack) => ask(server, input, keep, turn, { canGoBack }),
  };
}

function ask(
  server: ServerConfig,
  input: InputDefinition,
  keep: KeepFile,
  { signal, postponable }: Turn,
  way: Pick<Place, 'canGoBack'>,
): Promise<string | typeof back | typeof later | undefined> {
  const { position, total, fields } = useOfInput(server, input.id);
  const title = vscode.l10n.t(
    'MCP server "{0}" needs a value: {1}',
    oneLine(server.name, 60),
    oneLine(input.id, 60),
  );
  const place = total > 1 ? { ...way, step: position, total } : way;
  const prompt = `${promptText(input)}${placeText(server, fields)}`;
  const whole = (): ResultFile => textFile(`about-${input.id}`, input.description);
  return postponable((postponed) =>
    withFile(keep, whole, async (open) => {
      const buttons = [
        ...(input.description.length > maxDescription
          ? [stepButton('note', vscode.l10n.t('Show the whole description'), open)]
          : []),
        stepButton('watch', vscode.l10n.t('Later: come back from the status bar'), 'later'),
      ];
      const { end, value } = await askValue(
        input,
        prompt,
        { title, signal, postponed, buttons },
        place,
      );
      return end === 'later' ? later : end === 'back' ? back : value;
    }),
  );
}

async function askValue(
  input: InputDefinition,
  prompt: string,
  frame: Frame,
  place: Place,
): Promise<{ readonly end: StepEnd; readonly value?: string | undefined }> {
  if (input.type === 'pickString') {
    // The default is first, so Enter takes it.
    const items = input.options
      .toSorted((a, b) => Number(b === input.default) - Number(a === input.default))
      .map((value) => ({ label: oneLine(value, 200), value }));
    const { end, item } = await pickStep({ items, prompt }, frame, place);
    return { end, value: item?.value };
  }
  const box = vscode.window.createInputBox();
  box.password = input.password;
  box.value = input.default ?? '';
  box.prompt = prompt;
  const end = await runStep(box, frame, place, (finish, store) => {
    store.add(box.onDidAccept(() => finish('next')));
  });
  return end === 'next' ? { end, value: box.value } : { end };
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
