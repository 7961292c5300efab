/**
 * A client that was registered by hand belongs to the authorization server it was registered with: its id
 * and secret are shown to no other (REG-10, REG-12), although a server could name another one at any time.
 * The same holds for the token by which a platform vouches for a workload, which has no client.
 */
import { McpError } from '../errors.ts';
import type { AuthSettings } from './authSettings.ts';
import type { Credentials } from './credentials.ts';
import { isSameIssuer } from './resource.ts';

/**
 * Remembers the first issuer at which the client is used, and accepts no other. `oauth.issuer` of the entry
 * takes precedence.
 * @throws McpError `unauthorized` for another issuer
 */
export async function bindClient(
  { clientId, issuer: configured, grant }: AuthSettings,
  serverUrl: URL,
  issuer: string,
  credentials: Credentials,
): Promise<void> {
  const workload = grant.kind === 'workloadIdentity' ? '' : undefined;
  const client = clientId ?? workload;
  if (client === undefined) {
    return;
  }
  const bound = configured ?? (await credentials.clientIssuer(client));
  if (bound !== undefined && !isSameIssuer(bound, issuer)) {
    const what =
      clientId === undefined
        ? `the assertion of its entry was first used at ${bound}: if the server has moved,`
        : `the client "${clientId}" of its entry was registered with ${bound}: if the server has moved, register the client there and`;
    throw new McpError(
      'unauthorized',
      `${serverUrl.origin} now signs in at ${issuer}, but ${what} set "oauth.issuer" to it`,
    );
  }
  await credentials.setClientIssuer(client, issuer);
}
