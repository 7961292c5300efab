/** The sources of an argument's value besides the keyboard. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { EditText } from '../text/textEditing.ts';
import { safeFileName } from '../text/resultFiles.ts';

export interface TextSource {
  readonly icon: string;
  readonly label: string;
  readonly description: string;
  /** Undefined when the source had nothing, the user gave up, or `signal` has aborted. */
  read(current: string, signal: AbortSignal): Promise<string | undefined>;
}

/** @param label of the argument, ready for display */
export function textSources(label: string, editText: EditText): readonly TextSource[] {
  return [
    ...editorSources(vscode.window.activeTextEditor),
    clipboard,
    severalLines(label, editText),
  ];
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

function severalLines(label: string, editText: EditText): TextSource {
  return {
    icon: 'edit',
    label: vscode.l10n.t('Write several lines…'),
    description: '',
    read: (current, signal) =>
      editText(
        {
          name: safeFileName(label),
          language: 'plaintext',
          text: current,
          hint: (use) => vscode.l10n.t('Write the value of "{0}", then choose "{1}".', label, use),
          read: (text) => text,
        },
        signal,
      ),
  };
}
