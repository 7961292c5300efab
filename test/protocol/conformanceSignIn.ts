/** Signs the conformance suite's clients in: the authorizer of the extension, and a browser that says yes. */
import assert from 'node:assert/strict';
import type { AuthSettings } from '../../src/mcp/auth/authSettings.ts';
import { createAuthFetch } from '../../src/mcp/auth/authFetch.ts';
import { Credentials } from '../../src/mcp/auth/credentials.ts';
import { OAuthAuthorizer } from '../../src/mcp/auth/oauthAuthorizer.ts';
import { memoryStore, userEntry } from '../support/memoryStore.ts';

/** What the suite tells of one scenario. */
export interface SignInContext {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  readonly idp_client_id?: string;
  readonly idp_id_token?: string;
  readonly idp_token_endpoint?: string;
  readonly valid_jwt?: string;
}

export function authorizerFor(
  url: string,
  scenario: string,
  revision: string,
  context: SignInContext,
): OAuthAuthorizer {
  const serverUrl = new URL(url);
  return new OAuthAuthorizer({
    serverUrl,
    settings: settingsFor(scenario, context),
    credentials: new Credentials(memoryStore(), userEntry),
    fetch: createAuthFetch({
      serverUrl,
      confirmPrivateAddress: () => Promise.resolve(false),
      signal: new AbortController().signal,
    }),
    clientName: 'MCP Host',
    readSecret: () => Promise.reject(new Error('no file is named')),
    allowsOriginFallback: revision === '2025-03-26',
    log: (text) => process.stderr.write(`${text}\n`),
    user: {
      prepareRedirect: () =>
        Promise.resolve({
          uri: redirectUri,
          follow,
          finish: () => undefined,
          dispose: () => undefined,
        }),
      chooseIssuer: ([first]) => Promise.resolve(first ?? ''),
      hasAccounts: () => false,
      accountToken: () => Promise.resolve(undefined),
    },
  });
}

/** Never served: the suite's authorization servers answer the first request with the way back. */
const redirectUri = 'http://localhost:3000/callback';

async function follow(url: URL): Promise<URLSearchParams> {
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('location');
  assert.ok(location, `${url.href} leads nowhere`);
  return new URL(location).searchParams;
}

function settingsFor(scenario: string, context: SignInContext): AuthSettings {
  const { client_id: clientId, client_secret: clientSecret } = context;
  const identity = {
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
  };
  const common: AuthSettings = {
    grant: { kind: 'authorizationCode' },
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    dpop: false,
    ...identity,
  };
  switch (scenario) {
    case 'auth/client-credentials-basic':
      return { ...common, grant: { kind: 'clientCredentials' } };
    case 'auth/client-credentials-jwt': {
      const { private_key_pem: pem = '', signing_algorithm: algorithm = 'ES256' } = context;
      return { ...common, grant: { kind: 'clientCredentials' }, privateKey: { pem, algorithm } };
    }
    case 'auth/enterprise-managed-authorization':
      return {
        ...common,
        grant: {
          kind: 'enterpriseManaged',
          idpTokenEndpoint: context.idp_token_endpoint ?? '',
          idpClientId: context.idp_client_id ?? '',
          idToken: context.idp_id_token ?? '',
        },
      };
    case 'auth/wif-jwt-bearer':
      return {
        ...common,
        grant: { kind: 'workloadIdentity', assertion: context.valid_jwt ?? '' },
      };
    case 'auth/dpop':
    case 'auth/dpop-nonce':
      return { ...common, dpop: true };
    default:
      return common;
  }
}
