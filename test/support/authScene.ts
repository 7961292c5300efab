/** What the authorization code works with, and answers in place of an authorization server. */
import type { AuthFetch } from '../../src/mcp/auth/authFetch.ts';
import type { AuthSettings } from '../../src/mcp/auth/authSettings.ts';
import { Credentials, type ProofKey } from '../../src/mcp/auth/credentials.ts';
import { memoryStore, userEntry } from './memoryStore.ts';

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly form: URLSearchParams;
}

/** @param answers in order; a client is registered after them */
export function authScene(
  settings: Partial<AuthSettings>,
  metadata: object = {},
  answers: readonly Response[] = [],
) {
  const sent: Sent[] = [];
  /** What no log may hold. */
  const secrets: string[] = [];
  const rest = [...answers];
  const fetch: AuthFetch = async (url, { headers = {}, body: sending } = {}) => {
    const body = String(sending ?? '');
    const form = new URLSearchParams(body);
    sent.push({ url: String(url), headers: new Headers(headers), body, form });
    return rest.shift() ?? Response.json({ client_id: 'registered' }, { status: 201 });
  };
  const server = {
    issuer: 'https://as',
    authorization_endpoint: 'https://as/authorize',
    token_endpoint: 'https://as/token',
    registration_endpoint: 'https://as/register',
    client_id_metadata_document_supported: true,
    code_challenge_methods_supported: ['S256'],
    ...metadata,
  };
  const complete: AuthSettings = { grant: { kind: 'authorizationCode' }, dpop: false, ...settings };
  const context = {
    server,
    settings: complete,
    credentials: new Credentials(memoryStore(), userEntry),
    fetch,
    clientName: 'MCP Host',
    onSecrets: (own: readonly string[]) => void secrets.push(...own),
    readSecret: () => Promise.reject(new Error('no file is named')),
  };
  const proofKey: ProofKey | undefined = undefined;
  const scope: string | undefined = 'a b';
  const resource = 'https://h/mcp';
  const request = { server, resource, scope, reason: 'first', fetch, proofKey } as const;
  return { sent, secrets, context, request };
}
