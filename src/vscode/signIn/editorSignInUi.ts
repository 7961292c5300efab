/** The user interface of signing in, in VS Code, and the editor's own accounts as a way to sign in. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type {
  AccountProvider,
  AccountRequest,
  AccountToken,
  SignInUi,
} from '../../host/signIn/signInUi.ts';
import { openExternal, type UriRouter } from '../editor/uris.ts';
import { oneLine } from '../text/labelText.ts';
import { Redirects } from './redirects.ts';
import type { KeepFile } from '../text/wholeText.ts';
import { chooseIssuer, confirmPrivateAddress, confirmSignIn } from './signInDialog.ts';
import { isObject, isString } from '../../base/json.ts';
import { knownAccountOf } from '../../host/signIn/accountAccess.ts';
import { McpError } from '../../mcp/errors.ts';

export function createSignInUi(uris: UriRouter, keep: KeepFile): SignInUi & Disposable {
  const redirects = new Redirects(uris);
  return {
    confirmSignIn: (subject, turn) => confirmSignIn(subject, keep, turn),
    prepareRedirect: (wish) => redirects.prepare(wish),
    openBrowser,
    chooseIssuer,
    confirmPrivateAddress: (question, turn) => confirmPrivateAddress(question, keep, turn),
    accountProvider,
    accountToken,
    dispose: () => redirects.dispose(),
  };
}

async function openBrowser(url: URL, how: 'open' | 'copy'): Promise<boolean> {
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

function accountProvider(issuer: string, named: string | undefined): AccountProvider | undefined {
  const known = knownAccountOf(issuer);
  const id = named ?? known?.provider;
  if (id === undefined) {
    return undefined;
  }
  const label = labelOf(id);
  // Without GitHub's or Microsoft's extension, the editor signs in as to any other issuer.
  if (label === undefined && named === undefined) {
    return undefined;
  }
  return { id, label: label ?? id, scopes: known?.provider === id ? known.scopes : [] };
}

/** @throws McpError `invalidConfig` when no extension offers the provider */
async function accountToken(request: AccountRequest): Promise<AccountToken | undefined> {
  const { provider, isRefused, mayAsk } = request;
  if (labelOf(provider) === undefined) {
    throw new McpError(
      'invalidConfig',
      vscode.l10n.t(
        'No installed extension provides accounts of "{0}". Install one that does, or change "oauth.provider" of the entry.',
        oneLine(provider, 60),
      ),
    );
  }
  if (isRefused && !mayAsk) {
    return undefined; // without a question the editor would return the refused token again
  }
  const options = optionsFor(request);
  const session = await vscode.authentication.getSession(provider, request.scopes, options);
  return (
    session && {
      accessToken: session.accessToken,
      account: session.account.label,
      scopes: session.scopes,
    }
  );
}

function optionsFor({ isRefused, mayAsk }: AccountRequest): vscode.AuthenticationGetSessionOptions {
  if (!mayAsk) {
    return { silent: true };
  }
  return isRefused ? { forceNewSession: true } : { createIfNone: true };
}

/** From the extensions' contributions: the editor has no list of providers. */
function labelOf(id: string): string | undefined {
  for (const { packageJSON } of vscode.extensions.all) {
    const contributes: unknown = Object(packageJSON).contributes;
    const providers: unknown = Object(contributes).authentication;
    for (const provider of Array.isArray(providers) ? providers : []) {
      if (isObject(provider) && provider['id'] === id && isString(provider['label'])) {
        return provider['label'];
      }
    }
  }
  return undefined;
}
