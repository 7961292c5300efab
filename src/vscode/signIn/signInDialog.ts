/**
 * The questions before a sign-in: which server, who signs in, and what it may do then. All of it is plain text. A party
 * that a server names is shown by its host, apart from the rest.
 */
import * as vscode from 'vscode';
import { describeLink } from '../../host/elicitation/describeLink.ts';
import { later, type Turn } from '../../host/questions/questionQueue.ts';
import { isParameter } from '../../host/signIn/accountAccess.ts';
import type { SignInAnswer, SignInSubject } from '../../host/signIn/signInUi.ts';
import { withToken } from '../text/cancellation.ts';
import { linkWarningText } from '../elicitation/linkDialog.ts';
import { oneLine } from '../text/labelText.ts';
import { askReviewed, type ReviewedModal } from '../questions/modal.ts';
import { type KeepFile, textFile } from '../text/wholeText.ts';

const maxUrl = 300;
/** More would push the rest out of sight, so a document shows them all. */
const maxScopes = 12;
const maxScope = 100;

export async function confirmSignIn(
  subject: SignInSubject,
  keep: KeepFile,
  turn: Turn,
): Promise<SignInAnswer | typeof later> {
  const isAccount = subject.by.kind === 'account';
  const { scopes } = subject;
  const name = oneLine(subject.server, 60);
  const answer = await askReviewed<SignInAnswer | 'later'>(
    {
      message: headline(subject),
      lines: detail(subject, maxScopes),
      isWarning: warningsOf(subject).length > 0,
      whole: wholeText(name, [headline(subject), '', ...detail(subject, Infinity)]),
      isCut: scopes.length > maxScopes || scopes.some(({ length }) => length > maxScope),
      buttons: [
        {
          title: isAccount ? vscode.l10n.t('Allow') : vscode.l10n.t('Sign In'),
          answer: 'open',
          commits: true,
        },
        ...(isAccount
          ? []
          : [{ title: vscode.l10n.t('Copy Link'), answer: 'copy', commits: true } as const]),
        { title: vscode.l10n.t('Later'), answer: 'later' },
      ],
    },
    keep,
    turn,
  );
  return answer === 'later' ? later : (answer ?? 'no');
}

function wholeText(server: string, lines: readonly string[]): ReviewedModal<string>['whole'] {
  return {
    title: vscode.l10n.t('Sign-in to the MCP server "{0}"', server),
    placeHolder: vscode.l10n.t('Nothing has been opened yet'),
    file: textFile(`sign-in-to-${server}`, `${lines.join('\n')}\n`),
  };
}

function headline({ reason, server, by }: SignInSubject): string {
  const name = oneLine(server, 60);
  if (by.kind === 'account') {
    const label = oneLine(by.label, 60);
    return by.account === undefined
      ? vscode.l10n.t('Use your {0} account for the MCP server "{1}"?', label, name)
      : vscode.l10n.t(
          'Use your {0} account "{1}" for the MCP server "{2}"?',
          label,
          oneLine(by.account, 60),
          name,
        );
  }
  switch (reason) {
    case 'first':
      return vscode.l10n.t('Sign in to the MCP server "{0}"?', name);
    case 'ended':
      return vscode.l10n.t('Sign in to the MCP server "{0}" again?', name);
    case 'more':
      return vscode.l10n.t('The MCP server "{0}" asks for more permissions. Sign in again?', name);
  }
}

function warningsOf({ by, issuer }: SignInSubject): readonly string[] {
  if (by.kind === 'account') {
    return [];
  }
  const link = describeLink(by.opens);
  const ofIssuer = hostOf(issuer);
  return [
    ...(hostOf(by.opens) === ofIssuer
      ? []
      : [vscode.l10n.t('That is not the host of the authorization server, {0}.', ofIssuer)]),
    ...(link.kind === 'usable' ? link.warnings.map((warning) => linkWarningText(warning)) : []),
  ];
}

/** @param max number of scopes shown */
function detail(subject: SignInSubject, max: number): readonly string[] {
  const { by, url } = subject;
  const facts = [...factsOf(subject), ...scopeLines(subject, max)];
  if (by.kind === 'account') {
    return [
      vscode.l10n.t('A token of your account goes to:'),
      `      ${hostOf(url)}`,
      '',
      ...facts,
      '',
      vscode.l10n.t(
        'With the token, the server can do everything at {0} that the permissions allow. Allow it only if you trust the server. "MCP Host: Manage Account Access…" revokes it.',
        oneLine(by.label, 60),
      ),
    ];
  }
  const host = hostOf(by.opens);
  const warnings = warningsOf(subject);
  return [
    vscode.l10n.t('You sign in at:'),
    `      ${host}`,
    '',
    ...(warnings.length === 0
      ? []
      : [vscode.l10n.t('Look closely:'), ...warnings.map((text) => `⚠ ${text}`), '']),
    ...facts,
    '',
    vscode.l10n.t(
      'Your browser opens. Enter a password only on a page of {0}; the editor does not see it. The server then gets a token of yours, and keeps access until you sign out.',
      host,
    ),
  ];
}

function factsOf({ url, issuer, by }: SignInSubject): readonly string[] {
  const isUnsaid = by.kind === 'account' && issuer === new URL(url).origin;
  return [
    vscode.l10n.t('Server: {0}', oneLine(url, maxUrl)),
    // A server that takes an account's token need not name its issuer.
    ...(isUnsaid ? [] : [vscode.l10n.t('Authorization server: {0}', oneLine(issuer, maxUrl))]),
    ...(by.kind === 'account' || by.tokenEndpoint === by.opens
      ? []
      : [vscode.l10n.t('Code and tokens go to: {0}', hostOf(by.tokenEndpoint))]),
    ...(by.kind === 'account' || URL.parse(by.resource)?.href === URL.parse(url)?.href
      ? []
      : [vscode.l10n.t('The token is valid for all of {0}', oneLine(by.resource, maxUrl))]),
  ];
}

function scopeLines({ scopes, by }: SignInSubject, max: number): readonly string[] {
  const parameters = by.kind === 'account' ? scopes.filter(isParameter) : [];
  const permissions = scopes.filter((scope) => !parameters.includes(scope));
  return [
    ...(permissions.length === 0
      ? [vscode.l10n.t('Permissions: none in particular')]
      : listed(vscode.l10n.t('Permissions (scopes) that are asked for:'), permissions, max)),
    ...(parameters.length === 0
      ? []
      : listed(vscode.l10n.t('Parameters that change how the account signs in:'), parameters, max)),
  ];
}

function listed(heading: string, texts: readonly string[], max: number): readonly string[] {
  const shown = texts.slice(0, max).map((text) => {
    const line = max === Infinity ? oneLine(text, text.length) : oneLine(text, maxScope);
    return `    • ${line}`;
  });
  const more = texts.length - shown.length;
  return [
    heading,
    ...shown,
    ...(more > 0 ? [`    • ${vscode.l10n.t('{0} more: Show All…', more)}`] : []),
  ];
}

function hostOf(url: string): string {
  return oneLine(URL.parse(url)?.host ?? url, maxUrl);
}

export async function chooseIssuer(
  question: { readonly server: string; readonly host: string; readonly issuers: readonly string[] },
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const items = question.issuers.map((issuer) => ({
    label: oneLine(URL.parse(issuer)?.host ?? issuer, 100),
    description: oneLine(issuer, maxUrl),
    issuer,
  }));
  const options = {
    title: vscode.l10n.t(
      'Where do you want to sign in for the MCP server "{0}"?',
      oneLine(question.server, 60),
    ),
    placeHolder: vscode.l10n.t(
      '{0} accepts several authorization servers',
      oneLine(question.host, 100),
    ),
    ignoreFocusOut: true,
  };
  const picked = await withToken(signal, (token) =>
    vscode.window.showQuickPick(items, options, token),
  );
  return picked?.issuer;
}

export async function confirmPrivateAddress(
  question: { readonly server: string; readonly host: string; readonly address: string },
  keep: KeepFile,
  turn: Turn,
): Promise<boolean | typeof later> {
  const name = oneLine(question.server, 60);
  const message = vscode.l10n.t(
    'To sign you in, the MCP server "{0}" needs an address in your local network. Allow it?',
    name,
  );
  const lines = [
    vscode.l10n.t('It wants the editor to contact:'),
    `      ${oneLine(question.address, maxUrl)}`,
    '',
    vscode.l10n.t('Server: {0}', oneLine(question.host, maxUrl)),
    '',
    vscode.l10n.t(
      'A public server may do this to find machines that only your network can reach. Allow it only if you know the address.',
    ),
  ];
  const answer = await askReviewed<'allow' | 'later'>(
    {
      message,
      lines,
      isWarning: true,
      whole: wholeText(name, [message, '', ...lines]),
      buttons: [{ title: vscode.l10n.t('Allow'), answer: 'allow', commits: true }],
    },
    keep,
    turn,
  );
  return answer === 'later' ? later : answer === 'allow';
}
