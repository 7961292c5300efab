/**
 * The client's identity at an authorization server: pre-registered, a metadata document, or dynamically
 * registered, in this order
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#client-registration-approaches),
 * and how it authenticates at the token endpoint.
 */
import { t } from '../../base/l10n.ts';
import * as oauth from 'oauth4webapi';
import { isObject } from '../../base/json.ts';
import { McpError } from '../errors.ts';
import type { AuthFetch } from './authFetch.ts';
import type { AuthSettings, PrivateKeySetting } from './authSettings.ts';
import type { Credentials, Registration } from './credentials.ts';
import { type ClientKind, oauthOptions, readable } from './oauthCall.ts';
import { importPrivateKey } from './proofKeys.ts';
import { isSameIssuer } from './discovery.ts';

export interface ClientIdentity {
  readonly kind: ClientKind;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
}

export interface IdentityContext {
  readonly server: oauth.AuthorizationServer;
  readonly settings: AuthSettings;
  readonly credentials: Credentials;
  readonly fetch: AuthFetch;
  /** The client's name in a registration. */
  readonly clientName: string;
  /**
   * Called with secrets before they are sent, so that logs can redact them: a server may repeat them in its refusal.
   */
  readonly onSecrets?: (secrets: readonly string[]) => void;
}

/**
 * The identity that needs no registration, if there is one: the client of the entry, or the metadata
 * document if the server supports it.
 */
export async function configuredIdentity({
  server,
  settings,
}: Pick<IdentityContext, 'server' | 'settings'>): Promise<ClientIdentity | undefined> {
  const { clientId, clientSecret, privateKey, clientMetadataUrl } = settings;
  if (clientId !== undefined) {
    return {
      kind: 'preregistered',
      client: clientOf(clientId),
      authentication: await authenticationFor(server, clientSecret, privateKey),
    };
  }
  if (clientMetadataUrl !== undefined && server['client_id_metadata_document_supported'] === true) {
    return {
      kind: 'metadataDocument',
      client: clientOf(clientMetadataUrl),
      authentication: await authenticationFor(server, undefined, privateKey),
    };
  }
  return undefined;
}

/**
 * If an ID token is included, it must be for this client; nothing else in it is used. This machine's clock,
 * which may be hours wrong, judges its times: a wrong time is no reason to discard the tokens.
 */
function clientOf(id: string): oauth.Client {
  return { client_id: id, [oauth.clockTolerance]: idTokenToleranceSeconds };
}

const idTokenToleranceSeconds = 86_400;

/** The stored registrations for the issuer that are still usable, newest last. */
export async function usableRegistrations(
  { server, credentials }: Pick<IdentityContext, 'server' | 'credentials'>,
  now: number,
): Promise<readonly Registration[]> {
  const known = await credentials.registrations(server.issuer);
  return known.filter(({ secretExpiresAt: end }) => end === undefined || end > now);
}

/** @param onSecrets as {@link IdentityContext.onSecrets} */
export function registeredIdentity(
  registration: Registration,
  onSecrets?: IdentityContext['onSecrets'],
): ClientIdentity {
  const { clientId, clientSecret, authenticationMethod } = registration;
  if (clientSecret !== undefined) {
    onSecrets?.([clientSecret]);
  }
  return {
    kind: 'registered',
    client: clientOf(clientId),
    authentication: byMethod(authenticationMethod, clientSecret),
  };
}

/**
 * Registers this client for one redirect URI and stores the response. Deprecated by revision 2026-07-28.
 * @throws McpError `unauthorized` when the server offers no registration, or refuses it
 */
export async function register(
  { server, settings, credentials, fetch, clientName }: IdentityContext,
  redirectUri: string,
): Promise<Registration> {
  if (server.registration_endpoint === undefined) {
    throw new McpError(
      'unauthorized',
      t(
        '{0} does not let clients register themselves: register one there by hand and set "oauth.clientId" of this server to its id',
        server.issuer,
      ),
    );
  }
  const method = preferredMethod(server);
  const answer = await readable({ issuer: server.issuer, wanted: 'registration' }, async () => {
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: clientName,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: method,
        application_type: 'native',
        ...(settings.dpop ? { dpop_bound_access_tokens: true } : {}),
      },
      oauthOptions(fetch),
    );
    return oauth.processDynamicClientRegistrationResponse(await tolerated(response));
  });
  const { client_secret: secret, token_endpoint_auth_method: agreed } = answer;
  const expires = Number(answer['client_secret_expires_at'] ?? 0);
  const registration: Registration = {
    clientId: answer.client_id,
    redirectUri,
    authenticationMethod:
      typeof agreed === 'string' ? agreed : secret === undefined ? 'none' : method,
    clientSecret: typeof secret === 'string' ? secret : undefined,
    secretExpiresAt: expires > 0 ? expires * 1000 : undefined,
  };
  await credentials.addRegistration(server.issuer, registration);
  return registration;
}

/** Servers answer 200 instead of 201, and omit the expiry of a secret that does not expire. */
async function tolerated(response: Response): Promise<Response> {
  if (response.status !== 200 && response.status !== 201) {
    return response;
  }
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return isObject(body)
    ? Response.json({ client_secret_expires_at: 0, ...body }, { status: 201 })
    : response;
}

/** The methods that the library supports, best first for a program on the user's machine. */
const methods = ['none', 'client_secret_basic', 'client_secret_post'];

function preferredMethod(server: oauth.AuthorizationServer): string {
  const supported = supportedMethods(server);
  return methods.find((method) => supported.includes(method)) ?? 'none';
}

/** RFC 8414 section 2: HTTP Basic is the default. */
function supportedMethods(server: oauth.AuthorizationServer): readonly string[] {
  return server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
}

async function authenticationFor(
  server: oauth.AuthorizationServer,
  secret: string | undefined,
  key: PrivateKeySetting | undefined,
): Promise<oauth.ClientAuth> {
  if (key !== undefined) {
    return oauth.PrivateKeyJwt(await importPrivateKey(key));
  }
  if (secret === undefined) {
    return oauth.None();
  }
  const supported = supportedMethods(server);
  const method = methods.find((other) => other !== 'none' && supported.includes(other));
  return byMethod(method ?? 'client_secret_basic', secret);
}

function byMethod(method: string, secret: string | undefined): oauth.ClientAuth {
  if (secret === undefined || method === 'none') {
    return oauth.None();
  }
  return method === 'client_secret_post'
    ? oauth.ClientSecretPost(secret)
    : clientSecretBasic(secret);
}

/**
 * Like the library's, but without escaping what needs no escape ("-", "_", "."): servers that compare
 * without decoding refuse that.
 */
function clientSecretBasic(secret: string): oauth.ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    const pair = `${formEncoded(id)}:${formEncoded(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };
}

/** RFC 6749 appendix B. */
function formEncoded(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

/**
 * A client that was registered by hand belongs to the authorization server it was registered with: its id and secret are
 * shown to no other (REG-10, REG-12), although a server could name another one at any time. The same holds for the token
 * by which a platform vouches for a workload, which has no client. `oauth.issuer` of the entry says which it is, else
 * {@link bindClient}.
 * @throws McpError `unauthorized` for another issuer
 */
export async function requireClientOf(
  settings: AuthSettings,
  serverUrl: URL,
  issuer: string,
  credentials: Credentials,
): Promise<void> {
  const bound = await boundIssuer(settings, credentials);
  if (bound !== undefined && !isSameIssuer(bound, issuer)) {
    const { clientId } = settings;
    const { origin } = serverUrl;
    const text =
      clientId === undefined
        ? t(
            '{0} now signs in at {1}, but the assertion of its entry was first used at {2}: if the server has moved, set "oauth.issuer" to it',
            origin,
            issuer,
            bound,
          )
        : t(
            '{0} now signs in at {1}, but the client "{2}" of its entry was registered with {3}: if the server has moved, register the client there and set "oauth.issuer" to it',
            origin,
            issuer,
            clientId,
            bound,
          );
    throw new McpError('unauthorized', text);
  }
}

/** Whether the issuer has the client already, so that it may be used there without a question. */
export async function isBoundTo(
  settings: AuthSettings,
  issuer: string,
  credentials: Credentials,
): Promise<boolean> {
  return (
    boundClient(settings) === undefined ||
    isSameIssuer(issuer, await boundIssuer(settings, credentials))
  );
}

/** Remembers the issuer at which the client of the entry is used first. */
export async function bindClient({
  settings,
  server,
  credentials,
}: Pick<IdentityContext, 'settings' | 'server' | 'credentials'>): Promise<void> {
  const client = boundClient(settings);
  if (client !== undefined) {
    await credentials.setClientIssuer(client, server.issuer);
  }
}

async function boundIssuer(
  settings: AuthSettings,
  credentials: Credentials,
): Promise<string | undefined> {
  const client = boundClient(settings);
  return client === undefined
    ? undefined
    : (settings.issuer ?? (await credentials.clientIssuer(client)));
}

/** The empty text stands for the assertion of a workload. */
function boundClient({ clientId, grant }: AuthSettings): string | undefined {
  return clientId ?? (grant.kind === 'workloadIdentity' ? '' : undefined);
}
