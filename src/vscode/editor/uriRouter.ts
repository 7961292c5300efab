/**
 * The one handler that the editor allows an extension for its `vscode://` addresses. Routes each by its path. An
 * address may come from a stranger; its receiver must judge it.
 */
import * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable.ts';

/** @param query as the editor passes it: in a browser it is still encoded */
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
