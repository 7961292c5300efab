/** The user interface of signing in, in VS Code. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { later, Turn } from '../../host/questions/questionQueue.ts';
import type {
  AccountProvider,
  AccountRequest,
  AccountToken,
  RedirectListener,
  RedirectWish,
  SignInAnswer,
  SignInSubject,
  SignInUi,
} from '../../host/signIn/signInUi.ts';
import { openExternal } from '../editor/openExternal.ts';
import { oneLine } from '../text/text.ts';
import { accountProvider, accountToken } from './accounts.ts';
import type { UriRouter } from '../editor/uriRouter.ts';
import { Redirects } from './redirects.ts';
import type { KeepFile } from '../text/wholeText.ts';
import { chooseIssuer, confirmPrivateAddress, confirmSignIn } from './signInDialog.ts';

export class EditorSignInUi implements SignInUi, Disposable {
  readonly #redirects: Redirects;
  readonly #keep: KeepFile;

  constructor(uris: UriRouter, keep: KeepFile) {
    this.#redirects = new Redirects(uris);
    this.#keep = keep;
  }

  confirmSignIn(subject: SignInSubject, turn: Turn): Promise<SignInAnswer | typeof later> {
    return confirmSignIn(subject, this.#keep, turn);
  }

  prepareRedirect(wish: RedirectWish): Promise<RedirectListener> {
    return this.#redirects.prepare(wish);
  }

  async openBrowser(url: URL, how: 'open' | 'copy'): Promise<boolean> {
    if (how === 'open') {
      return openExternal(url.href);
    }
    await vscode.env.clipboard.writeText(url.href);
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'Copied the link to sign in at {0}. Open it in a browser of this machine.',
        oneLine(url.host, 100),
      ),
    );
    return true;
  }

  chooseIssuer(
    question: Parameters<SignInUi['chooseIssuer']>[0],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    return chooseIssuer(question, signal);
  }

  confirmPrivateAddress(
    question: Parameters<SignInUi['confirmPrivateAddress']>[0],
    turn: Turn,
  ): Promise<boolean | typeof later> {
    return confirmPrivateAddress(question, this.#keep, turn);
  }

  accountProvider(issuer: string, named: string | undefined): AccountProvider | undefined {
    return accountProvider(issuer, named);
  }

  accountToken(request: AccountRequest): Promise<AccountToken | undefined> {
    return accountToken(request);
  }

  dispose(): void {
    this.#redirects.dispose();
  }
}
