/**
 * Lets the user edit a text in an editor. The user accepts or cancels it by the buttons of the editor's title bar, by
 * the notification, or by closing the editor.
 */
import * as vscode from 'vscode';
import { isMcpError } from '../../mcp/errors.ts';
import { toSignal } from './cancellation.ts';
import { errorText } from './errorText.ts';
import { contextKeys } from '../ids.ts';

export interface Edit<T> {
  /** The name of the document; a number is added while another document has it. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
  /** What the user should do, with the button's name as {0}. */
  readonly hint: (use: string) => string;
  /** @throws McpError saying what is wrong: the user continues to edit */
  readonly read: (text: string) => T | Promise<T>;
  /** Helps in the document while it is edited. */
  readonly assist?: (document: vscode.TextDocument) => vscode.Disposable;
}

/** Undefined when the user cancelled, or `signal` has aborted. */
export type EditText = <T>(edit: Edit<T>, signal: AbortSignal) => Promise<T | undefined>;

interface Open {
  readonly finish: (isUsed: boolean) => void;
}

export class TextEditing {
  /** By the path of the document. */
  readonly #open = new Map<string, Open>();

  /** Undefined when the user cancelled, or `signal` has aborted. Always closes the editor. */
  async run<T>(edit: Edit<T>, signal: AbortSignal): Promise<T | undefined> {
    const document = await open(this.#freeName(edit), edit);
    const help = edit.assist?.(document);
    try {
      // A progress, since code can close it when it is no longer needed.
      return await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          cancellable: true,
        },
        async (progress, token) => {
          // Not as the title: the editor adds a colon to that.
          const hint = edit.hint(vscode.l10n.t('Use Edited Text'));
          progress.report({ message: hint });
          const either = AbortSignal.any([signal, toSignal(token)]);
          while (await this.#isUsed(document, either)) {
            try {
              const read = await edit.read(document.getText());
              return either.aborted ? undefined : read;
            } catch (error) {
              if (!isMcpError(error)) {
                throw error;
              }
              progress.report({ message: `⚠ ${errorText(error)}. ${hint}` });
            }
          }
          return undefined;
        },
      );
    } finally {
      help?.dispose();
      await close(document);
    }
  }

  /** The button in the title bar of the active editor. */
  finish(isUsed: boolean): void {
    const path = vscode.window.activeTextEditor?.document.uri.path ?? '';
    this.#open.get(path)?.finish(isUsed);
  }

  /** Waits for a button, the closing of the editor, or the signal. */
  #isUsed(document: vscode.TextDocument, signal: AbortSignal): Promise<boolean> {
    const { path } = document.uri;
    return new Promise<boolean>((resolve) => {
      const finish = (isUsed: boolean): void => {
        closing.dispose();
        signal.removeEventListener('abort', giveUp);
        this.#open.delete(path);
        this.#showButtons();
        resolve(isUsed);
      };
      const giveUp = (): void => finish(false);
      // The editor tells of another language as of a close, too.
      const closing = vscode.workspace.onDidCloseTextDocument(() => {
        if (document.isClosed) {
          giveUp();
        }
      });
      this.#open.set(path, { finish });
      this.#showButtons();
      if (signal.aborted || document.isClosed) {
        giveUp();
        return;
      }
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #showButtons(): void {
    const paths = [...this.#open.keys()];
    void vscode.commands.executeCommand('setContext', contextKeys.editedPaths, paths);
  }

  #freeName({ name, language }: Pick<Edit<unknown>, 'name' | 'language'>): string {
    const taken = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
    const ending = language === 'json' ? 'json' : 'txt';
    let path = `${name}.${ending}`;
    for (let n = 2; taken.has(path); n += 1) {
      path = `${name} ${n}.${ending}`;
    }
    return path;
  }
}

async function open(path: string, { language, text }: Edit<unknown>): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.from({ scheme: 'untitled', path });
  const document = await vscode.languages.setTextDocumentLanguage(
    await vscode.workspace.openTextDocument(uri),
    language,
  );
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  await editor.edit((builder) => builder.replace(whole, text));
  editor.selection = new vscode.Selection(0, 0, 0, 0);
  return document;
}

/** Closes the editor without the question whether to save. */
async function close(document: vscode.TextDocument): Promise<void> {
  if (!document.isClosed) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}
