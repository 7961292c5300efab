/** Registers the language model tools. Their code is a bundle that is loaded with the first call. */
import * as vscode from 'vscode';
import { toolNames } from '../ids.ts';

export type ToolKind = keyof typeof toolNames;

/** The tools of the chat bundle. The editor has checked the input against package.json. */
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
