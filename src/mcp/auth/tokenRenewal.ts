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
import { isRefusal } from './oauthCall.ts';
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

/**
 * @returns false when there is no refresh token, or the server no longer accepts it
 * @throws any other error of the token endpoint; the signal's reason
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

/** The client that the tokens were issued to; undefined if this is another client now. */
export async function identityOf(
  { settings, credentials, onSecrets }: RenewalParts,
  server: oauth.AuthorizationServer,
  { clientId }: Tokens,
): Promise<ClientIdentity | undefined> {
  const configured = await configuredIdentity({ server, settings });
  if (configured !== undefined) {
    return configured.client.client_id === clientId ? configured : undefined;
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
    await held.keep(await refresh(request, identity, { ...tokens, refreshToken }));
  } catch (error) {
    if (!isRefusal(error, 'invalid_grant', 'invalid_client', 'unauthorized_client')) {
      throw error;
    }
    if (error.error === 'invalid_grant') {
      await delay(otherMachineMs); // somebody else may have used the refresh token first
    } else if (identity.kind === 'registered') {
      await parts.credentials.forgetRegistration(server.issuer, tokens.clientId);
    }
    await held.takeFromStore();
    if (held.current !== tokens) {
      return held.current !== undefined;
    }
    // Nobody has replaced the tokens that this overwrites.
    const { refreshToken: _, ...rest } = tokens;
    await held.keep(rest);
    parts.log(error.message);
    return false;
  }
  parts.log(`The token for ${resource} was refreshed`);
  return true;
}
