/** The editor's own accounts as a way to sign in. The host decides which server may use one. */
import * as vscode from 'vscode';
import { isObject, isString } from '../../base/json.ts';
import { knownAccountOf } from '../../host/signIn/knownAccounts.ts';
import type { AccountProvider, AccountRequest, AccountToken } from '../../host/signIn/signInUi.ts';
import { McpError } from '../../mcp/errors.ts';
import { oneLine } from '../text/text.ts';

export function accountProvider(
  issuer: string,
  named: string | undefined,
): AccountProvider | undefined {
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
export async function accountToken(request: AccountRequest): Promise<AccountToken | undefined> {
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
