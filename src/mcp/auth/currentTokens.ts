/**
 * The tokens for one server: loaded once, stored, ready as headers for each request, and renewed with their refresh
 * token, in one window of the editor at a time. The windows share the store, and use what others have got.
 */
import type * as oauth from 'oauth4webapi';
import { delay } from '../../base/async.ts';
import { lazilyLoaded } from '../../base/lazily.ts';
import type { AuthorizationHeaders, HttpRefusal } from '../httpAuthorizer.ts';
import { unionOf } from './challenge.ts';
import {
  type ClientIdentity,
  configuredIdentity,
  type IdentityContext,
  isBoundTo,
  registeredIdentity,
} from './clientIdentity.ts';
import { type Credentials, isSameOrigin, type TokenOrigin, type Tokens } from './credentials.ts';
import { isFinal, isRefusal } from './oauthCall.ts';
import { ProofOfPossession } from './proofKeys.ts';
import { refresh } from './tokenEndpoint.ts';
import { isLater, nextFamily } from './tokenFamily.ts';

/** How long before its expiry a token is renewed, in milliseconds; at most a fifth of its lifetime. */
const maxRenewalMarginMs = 60_000;

export class HeldTokens {
  readonly #credentials: Credentials;
  readonly #serverUrl: URL;
  readonly #onTokens: (tokens: Tokens | undefined) => void;
  readonly load = lazilyLoaded(() => this.#read());
  #origin: TokenOrigin | undefined;
  #tokens: Tokens | undefined;
  /** Created once from the tokens, because every request needs them. */
  #headers: AuthorizationHeaders | undefined;
  #proof: ProofOfPossession | undefined;

  /** @param onTokens called with the new tokens before the first request that carries them */
  constructor(
    credentials: Credentials,
    serverUrl: URL,
    onTokens: (tokens: Tokens | undefined) => void = () => undefined,
  ) {
    this.#onTokens = onTokens;
    this.#credentials = credentials;
    this.#serverUrl = serverUrl;
  }

  get current(): Tokens | undefined {
    return this.#tokens;
  }

  /** All scopes that were requested or granted. */
  get scope(): string | undefined {
    return unionOf(this.#tokens?.asked, this.#tokens?.scope);
  }

  /** Issuer and resource of the tokens. */
  get origin(): TokenOrigin | undefined {
    return this.#origin;
  }

  get isEnding(): boolean {
    const tokens = this.#tokens;
    if (tokens?.expiresAt === undefined) {
      return false;
    }
    const life = tokens.expiresAt - tokens.obtainedAt;
    return Date.now() > tokens.expiresAt - Math.min(maxRenewalMarginMs, life / 5);
  }

  /** With a proof for this request if the tokens are bound to a key. */
  async headersFor(method: string, url: URL): Promise<AuthorizationHeaders | undefined> {
    return this.#proof === undefined ? this.#headers : this.#proof.headersFor(method, url);
  }

  /** Whether the tokens differ from those of a sent request. */
  isOutdated(sent: AuthorizationHeaders): boolean {
    return this.#tokens !== undefined && sent['authorization'] !== this.#headers?.['authorization'];
  }

  /** Whether a refusal only asks to use the nonce that it supplies. */
  async takeNonce(refusal: HttpRefusal): Promise<boolean> {
    return (await this.#proof?.takeNonce(refusal, this.#serverUrl)) === true;
  }

  /**
   * Tokens of one authorization server are of no use to another (REG-11): they stay stored for theirs. The other one is
   * stored as the origin only when there are tokens of it, since the user may decline.
   */
  async moveTo(origin: TokenOrigin): Promise<{ readonly hasTokens: boolean }> {
    if (isSameOrigin(this.#origin, origin)) {
      return { hasTokens: false };
    }
    this.#origin = origin;
    await this.hold(await this.#credentials.tokens(origin));
    const hasTokens = this.#tokens !== undefined;
    if (hasTokens) {
      await this.#credentials.setOrigin(origin);
    }
    return { hasTokens };
  }

  /**
   * Takes tokens that another window has stored meanwhile, or drops those it has signed out of. Returns
   * whether there are other usable tokens now.
   */
  async takeFromStore(): Promise<boolean> {
    const stored = this.#origin && (await this.#credentials.tokens(this.#origin));
    const held = this.#tokens;
    const isGone = stored === undefined && held?.family !== undefined;
    const isNew = stored !== undefined && (held === undefined || isLater(stored, held));
    if (isGone || isNew) {
      await this.hold(stored);
    }
    return isNew && !this.isEnding;
  }

  /** Stores new tokens, but not if this or another window has signed out since they were requested: then returns false. */
  async keep(tokens: Tokens): Promise<boolean> {
    const origin = this.#origin;
    const stored = origin && (await this.#credentials.tokens(origin));
    if (origin === undefined || (stored === undefined && this.#tokens?.family !== undefined)) {
      await this.hold(undefined);
      return false;
    }
    const kept = { ...tokens, family: nextFamily(stored?.family) };
    await this.hold(kept);
    await this.#credentials.setTokens(origin, kept);
    return true;
  }

  /** For this session alone: the editor keeps the account that such tokens belong to. */
  async hold(tokens: Tokens | undefined): Promise<void> {
    const isBound = tokens?.tokenType === 'dpop' && tokens.proofKey !== undefined;
    this.#proof = isBound
      ? await ProofOfPossession.create(tokens.accessToken, tokens.proofKey)
      : undefined;
    this.#onTokens(tokens);
    this.#tokens = tokens;
    this.#headers =
      tokens === undefined
        ? undefined
        : { authorization: `${isBound ? 'DPoP' : 'Bearer'} ${tokens.accessToken}` };
  }

  async forget(): Promise<void> {
    const origin = this.#origin ?? (await this.#credentials.origin());
    if (origin !== undefined) {
      await this.#credentials.forgetTokens(origin);
    }
    this.#origin = undefined;
    await this.hold(undefined);
  }

  async #read(): Promise<void> {
    this.#origin = await this.#credentials.origin();
    if (this.#origin !== undefined) {
      await this.hold(await this.#credentials.tokens(this.#origin));
    }
  }
}

interface RenewalParts extends Pick<
  IdentityContext,
  'settings' | 'credentials' | 'fetch' | 'onSecrets'
> {
  /** As {@link HeldTokens.keep}; revokes tokens that are not kept. */
  readonly keep: (tokens: Tokens) => Promise<boolean>;
  readonly log: (text: string) => void;
}

const unknownClient = ['invalid_client', 'unauthorized_client'];

/** Milliseconds for a window on another machine, which takes no turns with this one, to store its tokens. */
const otherMachineMs = 1_500;

/**
 * @returns false when there is no refresh token, or the server does not accept it
 * @throws an error that may pass; the signal's reason
 */
export async function renewTokens(
  parts: RenewalParts,
  tokens: HeldTokens,
  server: oauth.AuthorizationServer,
  resource: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { family } = tokens.current ?? {};
  return (
    family !== undefined &&
    parts.credentials.renewAlone(
      family,
      async () => (await tokens.takeFromStore()) || refreshNow(parts, tokens, server, resource),
      signal,
    )
  );
}

/** The client that the tokens were issued to; undefined if this is another client now, or belongs to another issuer. */
export async function identityOf(
  {
    settings,
    credentials,
    onSecrets,
  }: Pick<IdentityContext, 'settings' | 'credentials' | 'onSecrets'>,
  server: oauth.AuthorizationServer,
  { clientId }: Tokens,
): Promise<ClientIdentity | undefined> {
  const configured = await configuredIdentity({ server, settings });
  if (configured !== undefined) {
    const isSame = configured.client.client_id === clientId;
    return isSame && (await isBoundTo(settings, server.issuer, credentials))
      ? configured
      : undefined;
  }
  const registration = await credentials.registrationOf(server.issuer, clientId);
  return registration && registeredIdentity(registration, onSecrets);
}

async function refreshNow(
  parts: RenewalParts,
  held: HeldTokens,
  server: oauth.AuthorizationServer,
  resource: string,
): Promise<boolean> {
  const tokens = held.current;
  const identity = tokens && (await identityOf(parts, server, tokens));
  if (tokens?.refreshToken === undefined || identity === undefined) {
    return false;
  }
  const { scope, proofKey, refreshToken } = tokens;
  const request = { server, resource, scope, proofKey, fetch: parts.fetch };
  try {
    if (!(await parts.keep(await refresh(request, identity, { ...tokens, refreshToken })))) {
      return false;
    }
  } catch (error) {
    if (!isFinal(error)) {
      throw error;
    }
    if (isRefusal(error, 'invalid_grant')) {
      await delay(otherMachineMs); // somebody else may have used the refresh token first
    } else if (identity.kind === 'registered' && isRefusal(error, ...unknownClient)) {
      await parts.credentials.forgetRegistration(server.issuer, tokens.clientId);
    }
    await held.takeFromStore();
    if (held.current !== tokens) {
      return held.current !== undefined;
    }
    if (isRefusal(error, 'invalid_grant', ...unknownClient)) {
      // Nobody has replaced the tokens that this overwrites.
      const { refreshToken: _, ...rest } = tokens;
      await held.keep(rest);
    }
    parts.log(error.message);
    return false;
  }
  parts.log(`The token for ${resource} was refreshed`);
  return true;
}
