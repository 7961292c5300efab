/**
 * The one handler that the editor grants an extension for its `vscode://` addresses: hands each on by its
 * path. What an address asks for is a stranger's wish, for its receiver to judge.
 */
import * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';

/** @param query as the editor gives it, which is still encoded in a browser */
export type UriReceiver = (query: string) => void;

export class UriRouter implements vscode.UriHandler, Disposable {
  readonly #receivers = new Map<string, UriReceiver>();
  readonly #registration = vscode.window.registerUriHandler(this);

  /** @param path with its slash, such as `/install` */
  on(path: string, receive: UriReceiver): Disposable {
    this.#receivers.set(path, receive);
    return toDisposable(() => this.#receivers.delete(path));
  }

  handleUri({ path, query }: vscode.Uri): void {
    this.#receivers.get(path)?.(query);
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
