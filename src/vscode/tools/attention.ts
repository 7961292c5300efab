import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/** Milliseconds in which the user still waits for what they asked for, whatever they click meanwhile. */
const waitingMs = 3_000;

/** Of the user's own documents: one that a question opens belongs to the call. */
const ownSchemes = new Set(['file', 'vscode-remote', 'vscode-notebook-cell']);

/** Whether the user has turned to an editor while something ran: what it brings must not take the focus then. */
export class Attention implements Disposable {
  readonly #startedAt = Date.now();
  readonly #store = new DisposableStore();
  #hasTurned = false;

  constructor() {
    this.#store.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
        // Without a kind, no key or mouse button has been pressed.
        const isByHand =
          kind !== undefined && kind !== vscode.TextEditorSelectionChangeKind.Command;
        if (isByHand && ownSchemes.has(textEditor.document.uri.scheme)) {
          this.#hasTurned = true;
        }
      }),
    );
  }

  get hasTurned(): boolean {
    return this.#hasTurned && Date.now() - this.#startedAt > waitingMs;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
