/** The accounts that the editor itself knows, as a way to sign in. Which server may use one is the host's. */
import * as vscode from 'vscode';
import { isObject, isString } from '../../base/json.ts';
import type { AccountProvider, AccountRequest, AccountToken } from '../../host/signIn/signInUi.ts';
import { McpError } from '../../mcp/errors.ts';
import { oneLine } from '../text.ts';

/** Issuers whose accounts come with VS Code, by what signs in at them there. */
const knownIssuers: readonly { readonly issuer: RegExp; readonly provider: string }[] = [
  { issuer: /^https:\/\/github\.com\/login\/oauth\/?$/u, provider: 'github' },
  { issuer: /^https:\/\/login\.microsoftonline\.com\/[^/]+\/v2\.0\/?$/u, provider: 'microsoft' },
];

export function accountProvider(
  issuer: string,
  named: string | undefined,
): AccountProvider | undefined {
  const id = named ?? knownIssuers.find((known) => known.issuer.test(issuer))?.provider;
  if (id === undefined) {
    return undefined;
  }
  const label = labelOf(id);
  if (label !== undefined) {
    return { id, label };
  }
  // An editor without GitHub's or Microsoft's extension signs in as to any other issuer.
  return named === undefined ? undefined : { id, label: id };
}

/** @throws McpError `invalidConfig` when no extension offers the provider */
export async function accountToken(request: AccountRequest): Promise<AccountToken | undefined> {
  const { provider, isRefused, mayAsk } = request;
  if (labelOf(provider) === undefined) {
    throw new McpError(
      'invalidConfig',
      vscode.l10n.t(
        'No installed extension offers accounts of "{0}". Install the one that does, or change "oauth.provider" of the entry.',
        oneLine(provider, 60),
      ),
    );
  }
  if (isRefused && !mayAsk) {
    return undefined; // without a question it would be the same token again
  }
  // The editor keeps its sessions alive itself.
  const scopes = request.scopes.filter((scope) => scope !== 'offline_access');
  const session = await vscode.authentication.getSession(provider, scopes, optionsFor(request));
  return session && { accessToken: session.accessToken, account: session.account.label };
}

function optionsFor({ isRefused, mayAsk }: AccountRequest): vscode.AuthenticationGetSessionOptions {
  if (!mayAsk) {
    return { silent: true };
  }
  return isRefused ? { forceNewSession: true } : { createIfNone: true };
}

/** From the extensions' own contributions: the editor has no list of providers. */
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
