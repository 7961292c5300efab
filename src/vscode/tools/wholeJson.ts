/** The whole input of a tool as JSON on one line, for schemas without a form. */
import type { SchemaChecker } from '../../host/schemas/schemaChecker.ts';
import * as vscode from 'vscode';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { runStep } from '../forms/step.ts';
import { neverAborted } from '../text/cancellation.ts';
import { parameterHelp, problemOf } from './askInput.ts';

export type WholeJsonEnd =
  | { readonly kind: 'input'; readonly input: JsonObject | undefined }
  | { readonly kind: 'editor'; readonly input: JsonObject };

/** `editor` when the user wants to continue in an editor. No input when the box was closed. */
export async function askWholeJson(
  title: string,
  tool: Tool,
  input: JsonObject,
  checker: SchemaChecker,
): Promise<WholeJsonEnd> {
  const box = vscode.window.createInputBox();
  box.value = JSON.stringify(input);
  box.prompt = parameterHelp(tool.inputSchema);
  box.placeholder = vscode.l10n.t('Arguments as JSON');
  const isWrong = (): boolean => {
    const problem = problemOf(box.value, tool, checker);
    box.validationMessage = problem;
    return problem?.severity === vscode.InputBoxValidationSeverity.Error;
  };
  isWrong();
  let value = box.value;
  const end = await runStep(
    box,
    { title, message: '', signal: neverAborted, buttons: [], wants: 'argument' },
    { label: vscode.l10n.t('input as JSON'), canGoBack: false },
    (finish, store) => {
      store.add(
        box.onDidChangeValue((changed) => {
          value = changed;
          isWrong();
        }),
      );
      store.add(
        box.onDidAccept(() => {
          if (!isWrong()) {
            finish('next');
          }
        }),
      );
    },
    [
      {
        button: {
          iconPath: new vscode.ThemeIcon('edit'),
          tooltip: vscode.l10n.t('Write the input in an editor'),
        },
        press: 'editor',
      },
    ],
  );
  const typed = read(value);
  return end === 'editor'
    ? { kind: 'editor', input: typed ?? input }
    : { kind: 'input', input: end === 'next' ? typed : undefined };
}

function read(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
