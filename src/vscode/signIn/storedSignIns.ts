/** Lists what is kept of sign-ins, by names and times, and forgets single ones. Never reads their values. */
import * as vscode from 'vscode';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { SignIns, StoredSignIn } from '../../host/signIn/signIns.ts';
import { confirmChoice } from '../questions/modal.ts';
import { storedScopeText } from '../config/scopeText.ts';
import { oneLine } from '../text/labelText.ts';

type Item = vscode.QuickPickItem & { readonly stored?: StoredSignIn };

/** What the sign-in bundle provides for the commands. */
export const storedSignInViews = {
  showStored: async (signIns: SignIns): Promise<void> =>
    pickToForget(signIns, {
      title: vscode.l10n.t('What Is Stored for Signing In'),
      placeHolder: vscode.l10n.t(
        'Only names and times: values stay in the secret storage. Choose a line to forget it.',
      ),
      none: vscode.l10n.t('Nothing is stored: no tokens, no client registration, no account.'),
      fits: () => true,
    }),
  manageAccess: async (signIns: SignIns): Promise<void> =>
    pickToForget(signIns, {
      title: vscode.l10n.t('Account Access of MCP Servers'),
      placeHolder: vscode.l10n.t('Choose a server to revoke its access to the account'),
      none: vscode.l10n.t('No MCP server has access to an account of the editor.'),
      fits: ({ kind }) => kind === 'account',
    }),
  forgetRegistration: async (signIns: SignIns, server: ServerConfig | undefined): Promise<void> =>
    pickToForget(signIns, {
      title: vscode.l10n.t('Forget This Client Registration'),
      placeHolder: vscode.l10n.t('Of which server?'),
      none: vscode.l10n.t('No client registration is stored.'),
      fits: (item) =>
        item.kind === 'registration' && (server === undefined || signIns.isOf(item, server)),
      isOnce: server !== undefined,
    }),
};

/** Stays open until it is closed: the user may want to forget several. `isOnce`: for one, without a list of one. */
async function pickToForget(
  signIns: SignIns,
  list: {
    readonly title: string;
    readonly placeHolder: string;
    readonly none: string;
    readonly fits: (item: StoredSignIn) => boolean;
    readonly isOnce?: boolean;
  },
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const stored = (await signIns.stored()).filter(list.fits);
    if (stored.length === 0) {
      if (isFirst) {
        void vscode.window.showInformationMessage(list.none);
      }
      return;
    }
    const isOnly = list.isOnce === true && stored.length === 1;
    const picked = isOnly ? stored[0] : await pick(stored, list);
    if (picked !== undefined && (await confirmForgetting(picked))) {
      await signIns.forget(picked);
    }
    if (picked === undefined || list.isOnce === true) {
      return;
    }
  }
}

async function pick(
  stored: readonly StoredSignIn[],
  { title, placeHolder }: { readonly title: string; readonly placeHolder: string },
): Promise<StoredSignIn | undefined> {
  const picked = await vscode.window.showQuickPick(items(stored), {
    title,
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.stored;
}

async function confirmForgetting(item: StoredSignIn): Promise<boolean> {
  const forget = item.kind === 'account' ? vscode.l10n.t('Revoke') : vscode.l10n.t('Forget');
  const { question, consequence } = confirmation(item);
  return confirmChoice(question, [...facts(item), '', consequence].join('\n'), forget);
}

function confirmation(item: StoredSignIn): {
  readonly question: string;
  readonly consequence: string;
} {
  const name = oneLine(item.owner.server, 60);
  switch (item.kind) {
    case 'tokens':
      return {
        question: vscode.l10n.t('Forget the tokens of the server "{0}"?', name),
        consequence: vscode.l10n.t('You have to sign in again when a server needs them.'),
      };
    case 'registration':
      return {
        question: vscode.l10n.t('Forget the client registration of the server "{0}"?', name),
        consequence: vscode.l10n.t(
          'The next sign-in there registers this editor again. Tokens of the old registration can no longer be renewed.',
        ),
      };
    case 'private':
      return {
        question: vscode.l10n.t('Forget the private addresses of the server "{0}"?', name),
        consequence: vscode.l10n.t('You are asked again before one of them is contacted.'),
      };
    case 'account':
      return {
        question: vscode.l10n.t(
          'Revoke the access of the server "{1}" to the account "{0}"?',
          oneLine(item.account, 60),
          name,
        ),
        consequence: vscode.l10n.t(
          'The server is stopped and gets no more tokens. A token that it already has works until it expires. The settings of the account can end it earlier.',
        ),
      };
  }
}

/** The server, and its authorization server or the addresses. */
function facts(item: StoredSignIn): readonly string[] {
  const { scope, url } = item.owner;
  return [
    vscode.l10n.t('Server: {0} ({1})', oneLine(url, 150), storedScopeText(scope)),
    ...('issuer' in item
      ? [vscode.l10n.t('Authorization server: {0}', oneLine(item.issuer, 150))]
      : []),
    ...(item.kind === 'private' ? [addresses(item)] : []),
  ];
}

function items(stored: readonly StoredSignIn[]): Item[] {
  const groups = [
    ['tokens', vscode.l10n.t('Tokens')],
    ['registration', vscode.l10n.t('Client registrations')],
    ['account', vscode.l10n.t('Accounts of the editor')],
    ['private', vscode.l10n.t('Addresses in a private network')],
  ] as const;
  return groups.flatMap(([kind, label]) => {
    const members = stored.filter((item) => item.kind === kind).map(itemOf);
    return members.length === 0
      ? []
      : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...members];
  });
}

const icons = {
  tokens: 'key',
  registration: 'verified',
  account: 'account',
  private: 'home',
} as const;

/** The server it belongs to, by name, URL and settings, and what is stored. */
function itemOf(stored: StoredSignIn): Item {
  const { server, url, scope } = stored.owner;
  return {
    label: `$(${icons[stored.kind]}) ${oneLine(server, 60)}`,
    description: `${oneLine(url, 150)} · ${storedScopeText(scope)}`,
    detail: detailOf(stored).join(' · '),
    stored,
  };
}

function addresses({ origins }: StoredSignIn & { readonly kind: 'private' }): string {
  return vscode.l10n.t('may lead to {0}', oneLine(origins.join(', '), 200));
}

function detailOf(item: StoredSignIn): readonly string[] {
  switch (item.kind) {
    case 'tokens': {
      const renewal = item.canRefresh
        ? vscode.l10n.t('renewed automatically')
        : vscode.l10n.t('cannot be renewed: you have to sign in again');
      return [
        `${expiryText(item.expiresAt)}, ${renewal}`,
        vscode.l10n.t('for {0}', oneLine(item.resource, 150)),
        vscode.l10n.t('issued by {0}', oneLine(item.issuer, 150)),
        ...permissions(item.scope),
      ];
    }
    case 'registration':
      return [
        vscode.l10n.t(
          'with {0}, this editor as client "{1}"',
          oneLine(item.issuer, 150),
          oneLine(item.clientId, 80),
        ),
      ];
    case 'account':
      return [
        vscode.l10n.t(
          'may use the account "{0}" of {1}',
          oneLine(item.account, 60),
          oneLine(item.provider, 40),
        ),
        ...permissions(item.scopes.join(' ')),
      ];
    case 'private':
      return [addresses(item)];
  }
}

function permissions(scope = ''): readonly string[] {
  return scope === '' ? [] : [vscode.l10n.t('permissions: {0}', oneLine(scope, 200))];
}

const minute = 60_000;

function expiryText(expiresAt: number | undefined): string {
  if (expiresAt === undefined) {
    return vscode.l10n.t('expiry unknown');
  }
  const left = expiresAt - Date.now();
  if (left <= 0) {
    return vscode.l10n.t('expired');
  }
  const minutes = Math.ceil(left / minute);
  if (minutes < 120) {
    return vscode.l10n.t('expires in {0} min', minutes);
  }
  const hours = Math.round(minutes / 60);
  return hours < 48
    ? vscode.l10n.t('expires in {0} hours', hours)
    : vscode.l10n.t('expires in {0} days', Math.round(hours / 24));
}
