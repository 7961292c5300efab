/**
 * Renews the tokens for one server with their refresh token, in one window at a time; uses what other
 * windows have got.
 */
import type * as oauth from 'oauth4webapi';
import { delay } from '../../base/async.ts';
import type { AuthFetch } from './authFetch.ts';
import type { AuthSettings } from './authSettings.ts';
import {
  type ClientIdentity,
  configuredIdentity,
  type IdentityContext,
  registeredIdentity,
} from './clientIdentity.ts';
import type { Credentials, Tokens } from './credentials.ts';
import type { HeldTokens } from './currentTokens.ts';
import { isRefusal, type OAuthRefusal } from './refusals.ts';
import { refresh } from './tokenEndpoint.ts';

export interface RenewalParts {
  readonly settings: AuthSettings;
  readonly credentials: Credentials;
  readonly fetch: AuthFetch;
  readonly log: (text: string) => void;
  readonly onSecrets?: IdentityContext['onSecrets'];
}

/** Milliseconds for a window on another machine, which takes no turns with this one, to store its tokens. */
const otherMachineMs = 1_500;

export class TokenRenewal {
  readonly #parts: RenewalParts;
  readonly #tokens: HeldTokens;

  constructor(parts: RenewalParts, tokens: HeldTokens) {
    this.#parts = parts;
    this.#tokens = tokens;
  }

  /**
   * @returns false when there is no refresh token, or the server no longer accepts it
   * @throws any other error of the token endpoint; the signal's reason
   */
  async run(
    server: oauth.AuthorizationServer,
    resource: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { family } = this.#tokens.current ?? {};
    if (family === undefined) {
      return false;
    }
    return this.#parts.credentials.renewAlone(
      family,
      async () => (await this.#tokens.takeFromStore()) || this.#refresh(server, resource),
      signal,
    );
  }

  /** The client that the tokens were issued to; undefined if this is another client now. */
  async identityOf(
    server: oauth.AuthorizationServer,
    { clientId }: Tokens,
  ): Promise<ClientIdentity | undefined> {
    const { settings, credentials, onSecrets } = this.#parts;
    const configured = await configuredIdentity({ server, settings });
    if (configured !== undefined) {
      return configured.client.client_id === clientId ? configured : undefined;
    }
    const registration = await credentials.registrationOf(server.issuer, clientId);
    return registration && registeredIdentity(registration, onSecrets);
  }

  async #refresh(server: oauth.AuthorizationServer, resource: string): Promise<boolean> {
    const tokens = this.#tokens.current;
    const identity = tokens && (await this.identityOf(server, tokens));
    if (tokens?.refreshToken === undefined || identity === undefined) {
      return false;
    }
    const { scope, proofKey, refreshToken } = tokens;
    const request = { server, resource, scope, proofKey, fetch: this.#parts.fetch };
    try {
      await this.#tokens.keep(await refresh(request, identity, { ...tokens, refreshToken }));
    } catch (error) {
      if (!isRefusal(error, 'invalid_grant', 'invalid_client', 'unauthorized_client')) {
        throw error;
      }
      return this.#onRefused(error, identity, server, tokens);
    }
    this.#parts.log(`The token for ${resource} was refreshed`);
    return true;
  }

  /** Somebody else may have used the refresh token first, or the server may have forgotten the client. */
  async #onRefused(
    error: OAuthRefusal,
    identity: ClientIdentity,
    { issuer }: oauth.AuthorizationServer,
    tokens: Tokens,
  ): Promise<boolean> {
    const isLost = error.error === 'invalid_grant';
    if (!isLost && identity.kind === 'registered') {
      await this.#parts.credentials.forgetRegistration(issuer, tokens.clientId);
    }
    const giveUpAt = Date.now() + (isLost ? otherMachineMs : 0);
    for (;;) {
      await this.#tokens.takeFromStore();
      const { current } = this.#tokens;
      if (current !== tokens) {
        return current !== undefined;
      }
      if (Date.now() >= giveUpAt) {
        break;
      }
      await delay(otherMachineMs / 5);
    }
    // Nobody has replaced the tokens that this overwrites.
    const { refreshToken: _, ...rest } = tokens;
    await this.#tokens.keep(rest);
    this.#parts.log(error.message);
    return false;
  }
}
