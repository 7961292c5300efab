/** Where the value of an argument can come from besides the keyboard. */
import * as path from 'node:path';
import * as vscode from 'vscode';

export interface TextSource {
  readonly icon: string;
  readonly label: string;
  readonly description: string;
  /** Undefined when there turned out to be nothing, or the user gave up. */
  read(current: string): Promise<string | undefined>;
}

export function textSources(): readonly TextSource[] {
  return [...editorSources(vscode.window.activeTextEditor), clipboard, severalLines];
}

function editorSources(editor: vscode.TextEditor | undefined): readonly TextSource[] {
  if (editor === undefined) {
    return [];
  }
  const { document, selection } = editor;
  const name = path.posix.basename(document.uri.path);
  const whole: TextSource = {
    icon: 'file',
    label: vscode.l10n.t('Active file'),
    description: name,
    read: async () => document.getText(),
  };
  return selection.isEmpty
    ? [whole]
    : [
        {
          icon: 'selection',
          label: vscode.l10n.t('Selection'),
          description: vscode.l10n.t(
            '{0}, {1} characters',
            name,
            document.getText(selection).length,
          ),
          read: async () => document.getText(selection),
        },
        whole,
      ];
}

const clipboard: TextSource = {
  icon: 'clippy',
  get label() {
    return vscode.l10n.t('Clipboard');
  },
  description: '',
  read: async () => {
    const text = await vscode.env.clipboard.readText();
    return text === '' ? undefined : text;
  },
};

const severalLines: TextSource = {
  icon: 'edit',
  get label() {
    return vscode.l10n.t('Write several lines…');
  },
  description: '',
  read: async (current) => {
    const document = await vscode.workspace.openTextDocument({
      content: current,
      language: 'plaintext',
    });
    await vscode.window.showTextDocument(document);
    const use = vscode.l10n.t('Use Text');
    const answer = await vscode.window.showInformationMessage(
      vscode.l10n.t('Write the value in the editor, then choose "Use Text".'),
      use,
    );
    const text = document.getText();
    // Without this the editor would ask whether to save what has served its purpose.
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    return answer === use ? text : undefined;
  },
};
