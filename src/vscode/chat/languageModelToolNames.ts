/** Registers the language model tools. Everything behind them is a bundle, loaded with the first call. */
import * as vscode from 'vscode';
import { toolNames } from '../ids.ts';

export type ToolKind = keyof typeof toolNames;

/** What the chat bundle gives: a tool each. The editor has checked the input against package.json. */
export type ToolImplementations = Readonly<
  Record<ToolKind, Required<vscode.LanguageModelTool<object>>>
>;

export function registerLanguageModelTools(load: () => ToolImplementations): vscode.Disposable {
  const kinds: readonly ToolKind[] = ['find', 'call', 'readResource', 'getPrompt'];
  return vscode.Disposable.from(
    ...kinds.map((kind) =>
      vscode.lm.registerTool<object>(toolNames[kind], {
        prepareInvocation: (options, token) => load()[kind].prepareInvocation(options, token),
        invoke: (options, token) => load()[kind].invoke(options, token),
      }),
    ),
  );
}
