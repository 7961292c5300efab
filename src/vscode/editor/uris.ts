/** Addresses: those of `vscode://` that open this extension, and those that open outside of the editor. */
import * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import type { LastDialog } from '../../host/questions/reading.ts';

/** @param query as the editor passes it: in a browser it is still encoded */
type UriReceiver = (query: string) => void;

export class UriRouter implements vscode.UriHandler, LastDialog, Disposable {
  readonly #receivers = new Map<string, UriReceiver>();
  readonly #registration = vscode.window.registerUriHandler(this);
  /** The editor asks before it hands an address over; our own dialogs note their end here, too. */
  goneAt = 0;

  /** @param path with its slash, such as `/install` */
  on(path: string, receive: UriReceiver): Disposable {
    this.#receivers.set(path, receive);
    return toDisposable(() => this.#receivers.delete(path));
  }

  handleUri({ path, query }: vscode.Uri): void {
    this.goneAt = Date.now();
    this.#receivers.get(path)?.(query);
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

/** False when nothing was opened, because the user or the system refused. */
export async function openExternal(href: string): Promise<boolean> {
  // Passes text: the editor decodes and re-encodes a Uri, which turns `%26` in a query into `&`.
  const browser: { openExternal(target: string | vscode.Uri): Thenable<boolean> } = vscode.env;
  return browser.openExternal(href);
}
