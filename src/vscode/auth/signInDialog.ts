/**
 * The questions before a sign-in: which server, who signs in, what it may do then. All of it is plain
 * text, and whoever is named by a server is named by host, apart from the rest.
 */
import * as vscode from 'vscode';
import { describeLink } from '../../host/asks/describeLink.ts';
import { later } from '../../host/asks/questionQueue.ts';
import { isParameter } from '../../host/signIn/accountAccess.ts';
import type { SignInAnswer, SignInSubject } from '../../host/signIn/signInUi.ts';
import { toToken } from '../cancellation.ts';
import { linkWarningText } from '../linkWarningText.ts';
import { oneLine } from '../text.ts';

const maxUrl = 300;
const maxScopes = 30;

export async function confirmSignIn(subject: SignInSubject): Promise<SignInAnswer | typeof later> {
  const name = oneLine(subject.server, 60);
  const putOff: Choice = { title: vscode.l10n.t('Later'), answer: later };
  if (subject.by.kind === 'account') {
    const label = oneLine(subject.by.label, 60);
    const { account } = subject.by;
    const allow: Choice = { title: vscode.l10n.t('Allow'), answer: 'open' };
    const text =
      account === undefined
        ? vscode.l10n.t('Use your {0} account for the MCP server "{1}"?', label, name)
        : vscode.l10n.t(
            'Use your {0} account "{1}" for the MCP server "{2}"?',
            label,
            oneLine(account, 60),
            name,
          );
    const picked = await vscode.window.showInformationMessage(
      text,
      { modal: true, detail: accountDetail(subject, label) },
      allow,
      putOff,
    );
    return picked?.answer ?? 'no';
  }
  const signIn: Choice = { title: vscode.l10n.t('Sign In'), answer: 'open' };
  const copy: Choice = { title: vscode.l10n.t('Copy Link'), answer: 'copy' };
  const warnings = warningsOf(subject.issuer);
  const options = { modal: true, detail: browserDetail(subject, warnings) };
  const text = headline(subject, name);
  const choices = [signIn, copy, putOff];
  const picked =
    warnings.length > 0
      ? await vscode.window.showWarningMessage(text, options, ...choices)
      : await vscode.window.showInformationMessage(text, options, ...choices);
  return picked?.answer ?? 'no';
}

interface Choice extends vscode.MessageItem {
  readonly answer: SignInAnswer | typeof later;
}

function headline({ reason }: SignInSubject, name: string): string {
  switch (reason) {
    case 'first':
      return vscode.l10n.t('Sign in to the MCP server "{0}"?', name);
    case 'ended':
      return vscode.l10n.t('Sign in to the MCP server "{0}" again?', name);
    case 'more':
      return vscode.l10n.t('The MCP server "{0}" asks for more permissions. Sign in again?', name);
  }
}

function warningsOf(issuer: string): readonly string[] {
  const link = URL.canParse(issuer) ? describeLink(issuer) : undefined;
  return link?.kind === 'usable' ? link.warnings.map((warning) => linkWarningText(warning)) : [];
}

function browserDetail(subject: SignInSubject, warnings: readonly string[]): string {
  const host = oneLine(URL.parse(subject.issuer)?.host ?? subject.issuer, maxUrl);
  return [
    vscode.l10n.t('You sign in at:'),
    `      ${host}`,
    '',
    ...(warnings.length === 0
      ? []
      : [vscode.l10n.t('Look closely:'), ...warnings.map((text) => `⚠ ${text}`), '']),
    ...facts(subject),
    '',
    vscode.l10n.t(
      'Your browser opens. Enter a password only on a page of {0}; the editor does not see it. The server then gets a token of yours, and keeps access until you sign out.',
      host,
    ),
  ].join('\n');
}

function accountDetail(subject: SignInSubject, label: string): string {
  return [
    vscode.l10n.t('A token of your account goes to:'),
    `      ${oneLine(URL.parse(subject.host)?.host ?? subject.host, maxUrl)}`,
    '',
    ...facts(subject),
    '',
    vscode.l10n.t(
      'With the token, the server can do for you at {0} what the permissions allow. Allow it only if you trust it. "MCP Host: Manage Account Access…" takes it back.',
      label,
    ),
  ].join('\n');
}

function facts({ host, issuer, scopes, by }: SignInSubject): readonly string[] {
  const isOfAccount = by.kind === 'account';
  const parameters = isOfAccount ? scopes.filter(isParameter) : [];
  const permissions = scopes.filter((scope) => !parameters.includes(scope));
  return [
    vscode.l10n.t('Server: {0}', oneLine(host, maxUrl)),
    // A server that takes an account's token need not say who issues it.
    ...(isOfAccount && issuer === host
      ? []
      : [vscode.l10n.t('Authorization server: {0}', oneLine(issuer, maxUrl))]),
    ...(permissions.length === 0
      ? [vscode.l10n.t('Permissions: none in particular')]
      : listed(vscode.l10n.t('Permissions (scopes) that are asked for:'), permissions)),
    ...(parameters.length === 0
      ? []
      : listed(vscode.l10n.t('Parameters that change how the account signs in:'), parameters)),
  ];
}

function listed(heading: string, texts: readonly string[]): readonly string[] {
  const shown = texts.slice(0, maxScopes).map((text) => `    • ${oneLine(text, 100)}`);
  const more = texts.length - shown.length;
  return [heading, ...shown, ...(more > 0 ? [`    • ${vscode.l10n.t('{0} more', more)}`] : [])];
}

export async function chooseIssuer(
  question: { readonly server: string; readonly host: string; readonly issuers: readonly string[] },
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const { token, dispose } = toToken(signal);
  try {
    const items = question.issuers.map((issuer) => ({
      label: oneLine(URL.parse(issuer)?.host ?? issuer, 100),
      description: oneLine(issuer, maxUrl),
      issuer,
    }));
    const picked = await vscode.window.showQuickPick(
      items,
      {
        title: vscode.l10n.t(
          'Where do you want to sign in for the MCP server "{0}"?',
          oneLine(question.server, 60),
        ),
        placeHolder: vscode.l10n.t(
          '{0} accepts several authorization servers',
          oneLine(question.host, 100),
        ),
        ignoreFocusOut: true,
      },
      token,
    );
    return picked?.issuer;
  } finally {
    dispose();
  }
}

export async function confirmPrivateAddress(question: {
  readonly server: string;
  readonly host: string;
  readonly address: string;
}): Promise<boolean> {
  const allow = vscode.l10n.t('Allow');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'The MCP server "{0}" leads into your local network to sign you in. Allow it?',
      oneLine(question.server, 60),
    ),
    {
      modal: true,
      detail: [
        vscode.l10n.t('It wants the editor to contact:'),
        `      ${oneLine(question.address, maxUrl)}`,
        '',
        vscode.l10n.t('Server: {0}', oneLine(question.host, maxUrl)),
        '',
        vscode.l10n.t(
          'A public server that does this may be looking for machines that only your network can reach. Allow it only if you know that address.',
        ),
      ].join('\n'),
    },
    allow,
  );
  return answer === allow;
}
