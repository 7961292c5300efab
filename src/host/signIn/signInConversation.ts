/**
 * Connects the authorization code of one server with the user: what is shown before a browser opens or an account is
 * used, one question at a time, and whether the user may be asked at all. Loaded with that code, and the only file of
 * the host that knows it; the editor draws the questions.
 */
import { t } from '../../base/l10n.ts';
import { createAuthFetch } from '../../mcp/auth/authFetch.ts';
import { Credentials } from '../../mcp/auth/credentials.ts';
import type { SignInSubject as Requested } from '../../mcp/auth/authorizationCode.ts';
import { splitScope } from '../../mcp/auth/challenge.ts';
import { type AccountsUser, OAuthAuthorizer } from '../../mcp/auth/oauthAuthorizer.ts';
import { routedFetch } from '../../mcp/auth/routedFetch.ts';
import { McpError } from '../../mcp/errors.ts';
import type { later, Question, QuestionQueue, Turn } from '../questions/questionQueue.ts';
import { type AccountAccess, covers, isParameter } from './accountAccess.ts';
import { type AuthorizerRequest, type LoadedAuthorizer, signInNeeded } from './serverSignIn.ts';
import type {
  AccountProvider,
  AccountToken,
  RedirectListener,
  SignInAnswer,
  SignInSubject,
  SignInUi,
} from './signInUi.ts';

export interface AuthServices {
  readonly ui: SignInUi;
  readonly questions: QuestionQueue;
  readonly accounts: AccountAccess;
  /** This client's name when it registers. */
  readonly clientName: string;
}

export function createAuthorizer(
  request: AuthorizerRequest,
  services: AuthServices,
): LoadedAuthorizer {
  const { serverUrl, settings, connection } = request;
  const credentials = new Credentials(request.store, request.owner);
  const user = new SignInConversation(request, services);
  const { signal } = new AbortController(); // each request has a limit of its own
  return new OAuthAuthorizer({
    ...request,
    credentials,
    user,
    fetch: createAuthFetch({
      serverUrl,
      confirmPrivateAddress: (url) => user.confirmPrivateAddress(url, credentials, signal),
      signal,
      fetch: connection && routedFetch(serverUrl, connection, settings.issuer),
    }),
    clientName: services.clientName,
  });
}

class SignInConversation {
  readonly #target: AuthorizerRequest;
  readonly #services: AuthServices;

  constructor(target: AuthorizerRequest, services: AuthServices) {
    this.#target = target;
    this.#services = services;
  }

  /** @throws McpError `signInNeeded` when the user may not be asked; what the editor throws */
  async prepareRedirect(
    wish: { readonly uri?: string; readonly port?: number },
    signal: AbortSignal,
  ) {
    this.#requireAsking();
    const { server, settings } = this.#target;
    const { clientId } = settings;
    const listener = await this.#services.ui.prepareRedirect(
      { server: server.name, ...wish, ...(clientId !== undefined && { clientId }) },
      signal,
    );
    return {
      uri: listener.uri,
      follow: (url: URL, about: Requested, own: AbortSignal) =>
        this.#follow(listener, url, about, own),
      finish: (outcome: 'signedIn' | 'failed') => listener.finish(outcome),
      dispose: () => listener.dispose(),
    };
  }

  async chooseIssuer(issuers: readonly string[], signal: AbortSignal): Promise<string> {
    const { server, serverUrl } = this.#target;
    const chosen = await this.#ask(
      (turn) =>
        this.#services.ui.chooseIssuer(
          { server: server.name, host: serverUrl.origin, issuers },
          turn.signal,
        ),
      signal,
      { takesKeyboard: true },
    );
    if (chosen === undefined || !issuers.includes(chosen)) {
      throw this.#refused();
    }
    return chosen;
  }

  /** A yes counts for each later renewal, in other windows too. */
  async confirmPrivateAddress(
    { origin: address }: URL,
    credentials: Credentials,
    signal: AbortSignal,
  ): Promise<boolean> {
    if ((await credentials.privateOrigins()).includes(address)) {
      return true;
    }
    const { server, serverUrl } = this.#target;
    const isAllowed = await this.#ask(
      (turn) =>
        this.#services.ui.confirmPrivateAddress(
          { server: server.name, host: serverUrl.origin, address },
          turn,
        ),
      signal,
    );
    if (isAllowed) {
      await credentials.allowPrivateOrigin(address);
    }
    return isAllowed;
  }

  hasAccounts(issuer: string): boolean {
    return this.#providerAt(issuer) !== undefined;
  }

  /**
   * A token of an account of the editor, for a server that the user gives it to; undefined where no account signs in at
   * the issuer. Asks about permissions beyond an earlier yes, about another account, and about a session with more
   * permissions than requested.
   * @throws McpError `signInNeeded`; `invalidConfig` without permissions: the provider would then give any session
   */
  async accountToken(
    request: Parameters<AccountsUser['accountToken']>[0],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { accounts } = this.#services;
    const { owner, mayAsk } = this.#target;
    const provider = this.#providerAt(request.issuer);
    if (provider === undefined) {
      return undefined;
    }
    const { id, label } = provider;
    const asked = accountScopes(splitScope(request.scope), provider.scopes);
    if (asked.every(isParameter)) {
      throw new McpError(
        'invalidConfig',
        t(
          '{0} names no permissions, so {1} may grant every permission of your account. Name those that it needs in "oauth.scopes" of the entry',
          this.#target.server.name,
          label,
        ),
      );
    }
    const kept = accounts.grantOf(owner, id);
    let yes: Parameters<typeof covers>[0] | undefined = kept;
    const ask = async (token: AccountToken | undefined): Promise<void> => {
      const scopes = accountScopes(asked, token?.scopes ?? []);
      const account = token?.account;
      if (yes === undefined || !covers(yes, scopes, account)) {
        await this.#confirm({ ...request, scopes }, { kind: 'account', label, account }, signal);
        yes = { scopes, ...(account === undefined ? {} : { account }) };
      }
    };
    if (kept === undefined || !covers(kept, asked, undefined)) {
      this.#requireAsking(); // before the editor is asked for what nobody has said yes to
    }
    const get = async (isAsking: boolean): Promise<AccountToken | undefined> =>
      this.#target.waiting(
        (own) =>
          this.#services.ui.accountToken(
            { provider: id, scopes: asked, isRefused: request.isRefused, mayAsk: isAsking },
            own,
          ),
        signal,
      );
    const silent = await get(false);
    await ask(silent);
    const token = silent ?? (mayAsk() ? await get(true) : undefined);
    if (token === undefined) {
      throw this.#refused();
    }
    await ask(token);
    if (yes !== kept && yes !== undefined) {
      await accounts.allow({ owner, provider: id, account: token.account, scopes: yes.scopes });
    }
    return token.accessToken;
  }

  #providerAt(issuer: string): AccountProvider | undefined {
    const { provider, clientId, grant } = this.#target.settings;
    const hasOwnClient = clientId !== undefined || grant.kind !== 'authorizationCode';
    // No account of the editor is used for an entry with a client or grant of its own, unless it names one.
    return hasOwnClient && provider === undefined
      ? undefined
      : this.#services.ui.accountProvider(issuer, provider);
  }

  async #follow(
    listener: RedirectListener,
    url: URL,
    about: Requested,
    signal: AbortSignal,
  ): Promise<URLSearchParams> {
    const scopes = splitScope(about.scope);
    const resource = url.searchParams.get('resource') ?? this.#target.owner.url;
    const tokenEndpoint = URL.parse(about.tokenEndpoint)?.origin ?? about.tokenEndpoint;
    const by = { kind: 'browser', opens: url.origin, tokenEndpoint, resource } as const;
    const how = await this.#confirm({ ...about, scopes }, by, signal);
    return this.#target.waiting(async (own) => {
      if (!(await this.#services.ui.openBrowser(url, how))) {
        throw new McpError(
          'signInNeeded',
          t('The browser was not opened to sign in at {0}', url.origin),
        );
      }
      return listener.returned(url.searchParams.get('state') ?? '', own);
    }, signal);
  }

  async #confirm(
    { issuer, scopes, reason }: Pick<SignInSubject, 'issuer' | 'scopes' | 'reason'>,
    by: SignInSubject['by'],
    signal: AbortSignal,
  ): Promise<'open' | 'copy'> {
    const { server, owner } = this.#target;
    const subject = { server: server.name, url: owner.url, issuer, scopes, reason, by };
    const answer = await this.#ask<SignInAnswer>(
      (turn) => this.#services.ui.confirmSignIn(subject, turn),
      signal,
    );
    if (answer === 'no') {
      throw this.#refused();
    }
    return answer;
  }

  async #ask<T>(
    question: (turn: Turn) => Promise<T | typeof later>,
    signal: AbortSignal,
    more: Partial<Pick<Question, 'takesKeyboard'>> = {},
  ): Promise<T> {
    this.#requireAsking();
    const { server } = this.#target;
    return this.#target.waiting(
      (own) =>
        this.#services.questions.run<T>(
          { server: server.name, serverId: server.id, about: 'signIn', holdsUp: true, ...more },
          question,
          own,
        ),
      signal,
    );
  }

  #requireAsking(): void {
    if (!this.#target.mayAsk()) {
      throw signInNeeded(this.#target.server.name);
    }
  }

  #refused(): McpError {
    return new McpError('signInNeeded', t('You did not sign in to {0}', this.#target.server.name));
  }
}

/** The editor keeps its sessions alive itself, so `offline_access` is not requested. */
function accountScopes(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].filter((scope) => scope !== 'offline_access');
}
