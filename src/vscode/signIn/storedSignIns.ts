/** Lists what is kept of sign-ins, by names and times, and forgets single ones. Never reads their values. */
import * as vscode from 'vscode';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { SignIns, StoredSignIn } from '../../host/signIn/signIns.ts';
import { confirmChoice } from '../questions/modal.ts';
import { storedScopeText } from '../config/scopeText.ts';
import { oneLine } from '../text/labelText.ts';

/** The views that the sign-in bundle provides for the commands. */
export interface StoredSignInViews {
  readonly showStored: (signIns: SignIns) => Promise<void>;
  readonly manageAccess: (signIns: SignIns) => Promise<void>;
  readonly forgetRegistration: (
    signIns: SignIns,
    server: ServerConfig | undefined,
  ) => Promise<void>;
}

type Item = vscode.QuickPickItem & { readonly stored?: StoredSignIn };
type Stored<K extends StoredSignIn['kind']> = Extract<StoredSignIn, { readonly kind: K }>;

export const storedSignInViews: StoredSignInViews = {
  showStored: async (signIns) =>
    pickToForget(signIns, {
      title: vscode.l10n.t('What Is Stored for Signing In'),
      placeHolder: vscode.l10n.t(
        'Only names and times: values stay in the secret storage. Choose a line to forget it.',
      ),
      none: vscode.l10n.t('Nothing is stored: no tokens, no client registration, no account.'),
      fits: () => true,
    }),
  manageAccess: async (signIns) =>
    pickToForget(signIns, {
      title: vscode.l10n.t('Account Access of MCP Servers'),
      placeHolder: vscode.l10n.t('Choose a server to revoke its access to the account'),
      none: vscode.l10n.t('No MCP server has access to an account of the editor.'),
      fits: ({ kind }) => kind === 'account',
    }),
  forgetRegistration,
};

/** Stays open until it is closed: the user may want to forget several. */
async function pickToForget(
  signIns: SignIns,
  list: {
    readonly title: string;
    readonly placeHolder: string;
    readonly none: string;
    readonly fits: (item: StoredSignIn) => boolean;
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
    const picked = await vscode.window.showQuickPick(items(stored), {
      title: list.title,
      placeHolder: list.placeHolder,
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (picked?.stored === undefined) {
      return;
    }
    if (await confirmForgetting(picked.stored)) {
      await signIns.forget(picked.stored);
    }
  }
}

async function forgetRegistration(
  signIns: SignIns,
  server: ServerConfig | undefined,
): Promise<void> {
  const registrations = (await signIns.stored())
    .filter((item) => item.kind === 'registration')
    .filter((item) => server === undefined || signIns.isOf(item, server));
  // One line per server and issuer: all registrations there are forgotten together.
  const lines = new Map(registrations.map((item) => [togetherKey(item), item]));
  const [only] = lines.values();
  if (only === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No client registration is stored.'));
    return;
  }
  const isKnown = server !== undefined && lines.size === 1;
  const picked = isKnown
    ? only
    : (
        await vscode.window.showQuickPick([...lines.values()].map(registrationItem), {
          title: vscode.l10n.t('Forget This Client Registration'),
          placeHolder: vscode.l10n.t('Of which server?'),
          matchOnDescription: true,
          matchOnDetail: true,
        })
      )?.stored;
  if (picked?.kind === 'registration' && (await confirmForgetting(picked))) {
    for (const item of registrations) {
      if (togetherKey(item) === togetherKey(picked)) {
        await signIns.forget(item);
      }
    }
  }
}

function togetherKey({ owner, issuer }: Stored<'registration'>): string {
  const { scope, server, url, route } = owner;
  return JSON.stringify([scope, server, url, route, issuer]);
}

async function confirmForgetting(item: StoredSignIn): Promise<boolean> {
  const forget = item.kind === 'account' ? vscode.l10n.t('Revoke') : vscode.l10n.t('Forget');
  return confirmChoice(question(item), [...facts(item), '', consequence(item)].join('\n'), forget);
}

function question(item: StoredSignIn): string {
  const name = oneLine(item.owner.server, 60);
  switch (item.kind) {
    case 'tokens':
      return vscode.l10n.t('Forget the tokens of the server "{0}"?', name);
    case 'registration':
      return vscode.l10n.t('Forget the client registration of the server "{0}"?', name);
    case 'account':
      return vscode.l10n.t(
        'Revoke the access of the server "{1}" to the account "{0}"?',
        oneLine(item.account, 60),
        name,
      );
  }
}

/** The server and, except for an account, the authorization server. */
function facts(item: StoredSignIn): readonly string[] {
  const { scope, url } = item.owner;
  return [
    vscode.l10n.t('Server: {0} ({1})', oneLine(url, 150), storedScopeText(scope)),
    ...(item.kind === 'account'
      ? []
      : [vscode.l10n.t('Authorization server: {0}', oneLine(item.issuer, 150))]),
  ];
}

function consequence({ kind }: StoredSignIn): string {
  switch (kind) {
    case 'tokens':
      return vscode.l10n.t('You have to sign in again when a server needs them.');
    case 'registration':
      return vscode.l10n.t(
        'The next sign-in there registers this editor again. Tokens of the old registration can no longer be renewed.',
      );
    case 'account':
      return vscode.l10n.t(
        'The server is stopped and gets no more tokens. A token that it already has works until it expires. The settings of the account can end it earlier.',
      );
  }
}

function items(stored: readonly StoredSignIn[]): Item[] {
  const tokens = stored.filter((item) => item.kind === 'tokens');
  const registrations = stored.filter((item) => item.kind === 'registration');
  const accounts = stored.filter((item) => item.kind === 'account');
  const now = Date.now();
  return [
    ...group(
      vscode.l10n.t('Tokens'),
      tokens.map((item) => tokensItem(item, now)),
    ),
    ...group(vscode.l10n.t('Client registrations'), registrations.map(registrationItem)),
    ...group(vscode.l10n.t('Accounts of the editor'), accounts.map(accountItem)),
  ];
}

function group(label: string, members: readonly Item[]): readonly Item[] {
  return members.length === 0
    ? []
    : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...members];
}

function tokensItem(item: Stored<'tokens'>, now: number): Item {
  const { resource, issuer, scope, expiresAt, canRefresh } = item;
  const renewal = canRefresh
    ? vscode.l10n.t('renewed automatically')
    : vscode.l10n.t('cannot be renewed: you have to sign in again');
  return {
    ...ownerLine('key', item),
    detail: [
      `${expiryText(expiresAt, now)}, ${renewal}`,
      vscode.l10n.t('for {0}', oneLine(resource, 150)),
      vscode.l10n.t('issued by {0}', oneLine(issuer, 150)),
      ...permissions(scope),
    ].join(' · '),
  };
}

function registrationItem(item: Stored<'registration'>): Item {
  return {
    ...ownerLine('verified', item),
    detail: vscode.l10n.t(
      'with {0}, this editor as client "{1}"',
      oneLine(item.issuer, 150),
      oneLine(item.clientId, 80),
    ),
  };
}

function accountItem(item: Stored<'account'>): Item {
  return {
    ...ownerLine('account', item),
    detail: [
      vscode.l10n.t(
        'may use the account "{0}" of {1}',
        oneLine(item.account, 60),
        oneLine(item.provider, 40),
      ),
      ...permissions(item.scopes.join(' ')),
    ].join(' · '),
  };
}

function permissions(scope = ''): readonly string[] {
  return scope === '' ? [] : [vscode.l10n.t('permissions: {0}', oneLine(scope, 200))];
}

/** The server it belongs to, by name, URL and settings. */
function ownerLine(icon: string, stored: StoredSignIn): Omit<Item, 'detail'> {
  const { server, url, scope } = stored.owner;
  return {
    label: `$(${icon}) ${oneLine(server, 60)}`,
    description: `${oneLine(url, 150)} · ${storedScopeText(scope)}`,
    stored,
  };
}

const minute = 60_000;

function expiryText(expiresAt: number | undefined, now: number): string {
  if (expiresAt === undefined) {
    return vscode.l10n.t('expiry unknown');
  }
  const left = expiresAt - now;
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
