/**
 * Authorizes the requests to one server: renews its token before it expires, and answers refusals with
 * discovery, refresh or a new grant, once for all waiting requests. Each step has a file of its own; this
 * file orders them and decides when to give up.
 */
import { t } from '../../base/l10n.ts';
import type * as oauth from 'oauth4webapi';
import { raceSignal, toError } from '../../base/async.ts';
import { McpError } from '../errors.ts';
import type { AuthorizationHeaders, HttpAuthorizer, HttpRefusal } from '../httpAuthorizer.ts';
import { type AuthFetch, requireEncryption } from './authFetch.ts';
import type { AuthSettings } from './authSettings.ts';
import type { SignInRequest, SignInUser } from './authorizationCode.ts';
import { type Challenge, isWithin, readChallenge, selectScope } from './challenge.ts';
import { isBoundTo, requireClientOf } from './clientIdentity.ts';
import type { Credentials, TokenOrigin, Tokens } from './credentials.ts';
import {
  chooseIssuer,
  discoverAtOrigin,
  discoverResource,
  discoverServer,
  type ProtectedResource,
} from './discovery.ts';
import { type GrantContext, grantTokens } from './grants.ts';
import { HeldTokens, identityOf, renewTokens } from './currentTokens.ts';
import { inPlaceOfRefusal } from './oauthCall.ts';
import { generateProofKey } from './proofKeys.ts';
import { SharedRun } from './sharedRun.ts';
import { revoke } from './tokenEndpoint.ts';

/** The user's choices in addition to the sign-in itself. */
export interface AccountsUser {
  /** Chooses one of several authorization servers. @throws McpError `cancelled` */
  chooseIssuer(issuers: readonly string[], signal: AbortSignal): Promise<string>;
  /** Whether the editor has accounts of its own at this issuer, so that no other sign-in is needed. */
  hasAccounts(issuer: string): boolean;
  /**
   * A token of an account that the editor manages, if it has one for the issuer.
   * @param request.isRefused the token that it returned before is no longer valid
   */
  accountToken(
    request: {
      readonly issuer: string;
      readonly scope: string | undefined;
      readonly reason: SignInRequest['reason'];
      readonly isRefused: boolean;
    },
    signal: AbortSignal,
  ): Promise<string | undefined>;
}

export interface OAuthParts {
  readonly serverUrl: URL;
  readonly settings: AuthSettings;
  readonly credentials: Credentials;
  readonly user: SignInUser & AccountsUser;
  readonly fetch: AuthFetch;
  /** The client's name in a registration. */
  readonly clientName: string;
  /** Whether a server without metadata may be one of 2025-03-26, whose origin is the authorization server. */
  readonly allowsOriginFallback: boolean;
  /** Reads a file named in the settings; see {@link GrantContext.readSecret}. */
  readonly readSecret: GrantContext['readSecret'];
  /** Logs what was done; never a secret. */
  readonly log: (text: string) => void;
  /** Called with new tokens before they are sent, so that logs can redact them. */
  readonly onTokens?: (tokens: Tokens | undefined) => void;
  /** Called with codes, client secrets and assertions before they are sent, for the same reason. */
  readonly onSecrets?: GrantContext['onSecrets'];
}

/** What to request after a refusal, and from whom. */
type Demand = Pick<SignInRequest, 'server' | 'resource' | 'scope' | 'reason'>;

/** Milliseconds between attempts to renew a token before its expiry; also how long a token counts as new. */
const renewalPauseMs = 30_000;

export class OAuthAuthorizer implements HttpAuthorizer {
  readonly #parts: OAuthParts;
  readonly #tokens: HeldTokens;
  readonly #renewal = new SharedRun<boolean>();
  /** The renewal before the end that is under way. */
  #early: Promise<void> | undefined;
  /** Scopes that were granted but still refused; not requested again in this session of the editor. */
  readonly #futileScopes = new Set<string>();
  /** The metadata that was read last. It seldom changes, and a refusal reads it again. */
  #server: oauth.AuthorizationServer | undefined;
  #lastRenewal: { readonly by: 'refresh' | 'grant'; readonly at: number } | undefined;
  /** Until then the token is used as it is, so that no request waits for an unreachable server. */
  #noRenewalBefore = 0;

  constructor(parts: OAuthParts) {
    this.#parts = parts;
    this.#tokens = new HeldTokens(parts.credentials, parts.serverUrl, parts.onTokens);
  }

  get origin(): TokenOrigin | undefined {
    return this.#tokens.origin;
  }

  async headersFor(method: string, url: URL): Promise<AuthorizationHeaders | undefined> {
    if (url.origin !== this.#parts.serverUrl.origin) {
      return undefined; // a token is only for the server it was issued for
    }
    await this.#tokens.load();
    const mayRenew = !this.#renewal.isRunning && Date.now() >= this.#noRenewalBefore;
    if (this.#tokens.isEnding && mayRenew) {
      this.#early ??= this.#renewBeforeEnd().finally(() => {
        this.#early = undefined;
      });
      await this.#early;
    }
    return this.#tokens.headersFor(method, url);
  }

  async onRefused(refusal: HttpRefusal, signal: AbortSignal): Promise<boolean> {
    await this.#tokens.load();
    if (await this.#tokens.takeNonce(refusal)) {
      return true;
    }
    await raceSignal(Promise.resolve(this.#early), signal);
    if (refusal.sent !== undefined && this.#tokens.isOutdated(refusal.sent)) {
      return true; // renewed meanwhile
    }
    try {
      return await this.#renewal.join((own) => this.#renew(refusal, own), signal);
    } catch (error) {
      throw inPlaceOfRefusal(error);
    }
  }

  /** Forgets the tokens for this server, and revokes them if their issuer supports that. */
  async signOut(): Promise<void> {
    await this.#tokens.load();
    const { current: tokens, origin } = this.#tokens;
    await this.#tokens.forget();
    this.#futileScopes.clear();
    this.#lastRenewal = undefined;
    if (tokens !== undefined && tokens.clientId !== accountClient && origin !== undefined) {
      await this.#revoke(tokens, origin.issuer);
    }
  }

  /** Never rejects: a token that is not revoked expires anyway. */
  async #revoke(tokens: Tokens, issuer: string): Promise<void> {
    try {
      const server = await this.#knownServerOf(issuer);
      const identity = await identityOf(this.#parts, server, tokens);
      if (identity !== undefined) {
        for (const token of [tokens.refreshToken, tokens.accessToken]) {
          await (token === undefined || revoke(server, identity, token, this.#parts.fetch));
        }
      }
    } catch (error) {
      this.#parts.log(`The tokens could not be revoked: ${toError(error).message}`);
    }
  }

  /** Never throws: a token that cannot be renewed is used until it expires, and then the refusal decides. */
  async #renewBeforeEnd(): Promise<void> {
    const { signal } = new AbortController(); // a cancelled request must not end what others wait for
    try {
      if ((await this.#tokens.takeFromStore()) || (await this.#grantBeforeEnd(signal))) {
        return;
      }
    } catch (error) {
      this.#parts.log(`The token could not be renewed: ${toError(error).message}`);
    }
    this.#noRenewalBefore = Date.now() + renewalPauseMs;
  }

  async #grantBeforeEnd(signal: AbortSignal): Promise<boolean> {
    const { origin } = this.#tokens;
    if (origin === undefined) {
      return false;
    }
    const { settings, credentials } = this.#parts;
    const { resource } = origin;
    const server = await this.#knownServerOf(origin.issuer);
    if (settings.grant.kind === 'authorizationCode') {
      return this.#refresh(server, resource, signal);
    }
    if (!(await isBoundTo(settings, origin.issuer, credentials))) {
      return false; // the entry was edited since: a refusal tells where its client is used now
    }
    const { scope } = this.#tokens;
    return this.#grant({ server, resource, scope, reason: 'ended' }, signal);
  }

  async #renew(refusal: HttpRefusal, signal: AbortSignal): Promise<boolean> {
    const challenge = await readChallenge(refusal.wwwAuthenticate);
    const needsMore = challenge.error === 'insufficient_scope';
    if (refusal.status !== 401 && !needsMore) {
      return false; // the refusal is not about tokens
    }
    requireEncryption(this.#parts.serverUrl);
    // Read again at each refusal: the server may use another authorization server now.
    const about = await discoverResource(challenge, this.#parts);
    const { settings, serverUrl, credentials, user, allowsOriginFallback } = this.#parts;
    // An account of the editor needs no configured issuer: the editor and the server agree on it.
    const ofAccount = settings.provider === undefined ? undefined : serverUrl.origin;
    const { issuer, isAssumed } = await chooseIssuer(about, serverUrl, {
      configured: settings.issuer ?? ofAccount,
      before: (await credentials.origin())?.issuer,
      allowsOriginFallback,
      ask: (issuers) => user.chooseIssuer(issuers, signal),
    });
    // The editor's own accounts need no metadata, and some of their issuers have none.
    const server = user.hasAccounts(issuer) ? { issuer } : await this.#serverOf(issuer, isAssumed);
    await requireClientOf(settings, serverUrl, server.issuer, credentials);
    const { resource } = about;
    if ((await this.#tokens.moveTo({ issuer: server.issuer, resource })).hasTokens) {
      return true;
    }
    if (!needsMore && (await this.#recover(refusal, server, resource, signal))) {
      return true;
    }
    const scope = this.#scopeFor(challenge, about, server, needsMore);
    this.#stopIfFutile(refusal, scope, needsMore);
    const again = this.#tokens.current === undefined ? 'first' : 'ended';
    const reason = needsMore ? 'more' : again;
    return this.#grant({ server, resource, scope, reason }, signal);
  }

  /** Reads the metadata of an authorization server again. */
  async #serverOf(issuer: string, isAssumed: boolean): Promise<oauth.AuthorizationServer> {
    this.#server = await (isAssumed
      ? discoverAtOrigin(this.#parts)
      : discoverServer(issuer, this.#parts));
    return this.#server;
  }

  async #knownServerOf(issuer: string): Promise<oauth.AuthorizationServer> {
    const { serverUrl, allowsOriginFallback } = this.#parts;
    return this.#server?.issuer === issuer
      ? this.#server
      : this.#serverOf(issuer, issuer === serverUrl.origin && allowsOriginFallback);
  }

  /** Recovers without a new grant: with a token of another window, or with the refresh token. */
  async #recover(
    refusal: HttpRefusal,
    server: oauth.AuthorizationServer,
    resource: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (await this.#tokens.takeFromStore()) {
      return true;
    }
    // If a token was refused right after a refresh, another refresh does not help.
    const isSpent = this.#justRenewedBy(refusal) !== undefined;
    return !isSpent && (await this.#refresh(server, resource, signal));
  }

  /** @throws McpError `unauthorized` when what would be requested was just granted, or asked for in vain, and refused */
  #stopIfFutile(refusal: HttpRefusal, scope: string | undefined, needsMore: boolean): void {
    const { origin } = this.#parts.serverUrl;
    const wasJustGranted = this.#justRenewedBy(refusal) === 'grant';
    if (!needsMore) {
      if (wasJustGranted) {
        const issuer = this.#tokens.origin?.issuer ?? t('its authorization server');
        const text = t('{0} refuses the token that {1} just issued for it', origin, issuer);
        throw new McpError('unauthorized', text);
      }
      return;
    }
    const key = scope ?? '';
    if (wasJustGranted && isWithin(scope, this.#tokens.scope)) {
      this.#futileScopes.add(key);
    }
    if (this.#futileScopes.has(key)) {
      const text = t(
        '{0} asks for the permission "{1}" again although it was asked for: ask whoever runs the server what your account lacks',
        origin,
        key,
      );
      throw new McpError('unauthorized', text);
    }
  }

  /** How the refused token was obtained, if that was just now. */
  #justRenewedBy({ attempt }: HttpRefusal): 'refresh' | 'grant' | undefined {
    const last = this.#lastRenewal;
    const isRecent = last !== undefined && Date.now() - last.at < renewalPauseMs;
    return attempt > 0 && isRecent ? last.by : undefined;
  }

  #scopeFor(
    challenge: Challenge,
    about: ProtectedResource,
    server: oauth.AuthorizationServer,
    needsMore: boolean,
  ): string | undefined {
    const { settings } = this.#parts;
    return selectScope({
      configured: settings.scopes,
      challenged: challenge.scope,
      resource: about.scopesSupported,
      earlier: needsMore ? this.#tokens.scope : undefined,
      supported: server.scopes_supported,
      wantsRefreshToken: settings.grant.kind === 'authorizationCode',
    });
  }

  async #refresh(
    server: oauth.AuthorizationServer,
    resource: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const keep = async (tokens: Tokens): Promise<boolean> => this.#keep(tokens, server.issuer);
    const parts = { ...this.#parts, keep };
    const isRenewed = await renewTokens(parts, this.#tokens, server, resource, signal);
    if (isRenewed) {
      this.#lastRenewal = { by: 'refresh', at: Date.now() };
    }
    return isRenewed;
  }

  /** Revokes tokens that are not kept. */
  async #keep(tokens: Tokens, issuer: string): Promise<boolean> {
    const isKept = await this.#tokens.keep(tokens);
    if (!isKept) {
      await this.#revoke(tokens, issuer);
    }
    return isKept;
  }

  /** @returns false after a sign-out meanwhile */
  async #grant({ server, resource, scope, reason }: Demand, signal: AbortSignal): Promise<boolean> {
    const { settings, credentials, fetch, user, log } = this.#parts;
    const held = this.#tokens.current;
    const account = await user.accountToken(
      { issuer: server.issuer, scope, reason, isRefused: held?.clientId === accountClient },
      signal,
    );
    if (account === undefined) {
      const proofKey = settings.dpop
        ? (held?.proofKey ?? (await generateProofKey(server)))
        : undefined;
      const request = { server, resource, scope, reason, fetch, proofKey };
      const tokens = await grantTokens(request, { ...this.#parts, server }, user, signal);
      if (!(await this.#keep(tokens, server.issuer))) {
        return false;
      }
    } else {
      await this.#tokens.hold(accountTokens(account, scope));
    }
    await credentials.setOrigin({ issuer: server.issuer, resource });
    this.#lastRenewal = { by: 'grant', at: Date.now() };
    log(`A token for ${resource} was issued by ${server.issuer}`);
    return true;
  }
}

/** Stands for the editor's own client, whose id is unknown. */
const accountClient = '';

/** Tokens of an account that the editor manages: it gets and renews them, and they are not stored here. */
function accountTokens(accessToken: string, scope: string | undefined): Tokens {
  const obtainedAt = Date.now();
  return { accessToken, tokenType: 'bearer', clientId: accountClient, obtainedAt, scope };
}
