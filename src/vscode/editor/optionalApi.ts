/** The parts of the API that some editors lack, such as older forks of VS Code and Theia. The rest works without them. */
import * as vscode from 'vscode';

export const optionalApi: {
  readonly chat: Partial<typeof vscode.chat> | undefined;
  readonly lm: Partial<typeof vscode.lm> | undefined;
} = { chat: vscode.chat, lm: vscode.lm };
