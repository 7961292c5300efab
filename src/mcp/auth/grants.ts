/** One function for all grants that an entry can ask for. */
import { t } from '../../base/l10n.ts';
import { withoutPath } from '../../base/fileError.ts';
import { isStringArray } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import { McpError } from '../errors.ts';
import type { AuthSettings, WorkloadGrant } from './authSettings.ts';
import { type SignInRequest, type SignInUser, signIn } from './authorizationCode.ts';
import {
  bindClient,
  type ClientIdentity,
  configuredIdentity,
  type IdentityContext,
} from './clientIdentity.ts';
import type { Tokens } from './credentials.ts';
import { anonymous, exchangeIdentity, jwtBearer, requestTokens } from './tokenEndpoint.ts';

export interface GrantContext extends IdentityContext {
  /** Returns the trimmed content of a file, and keeps it out of the log. */
  readonly readSecret: (path: string) => Promise<string>;
}

/** The OAuth grant type of each kind at the token endpoint (RFC 6749 section 4, RFC 7523 section 2.1). */
const grantTypes: Readonly<Record<AuthSettings['grant']['kind'], string>> = {
  authorizationCode: 'authorization_code',
  clientCredentials: 'client_credentials',
  enterpriseManaged: jwtBearer,
  workloadIdentity: jwtBearer,
};
/** Characters of the server's list that an error quotes. */
const maxNamed = 160;

/**
 * @throws McpError `unauthorized` for a grant that the server does not list (WIF-03), `denied`,
 *   `cancelled`, `invalidConfig`; OAuthRefusal
 */
export async function grantTokens(
  request: SignInRequest,
  context: GrantContext,
  user: SignInUser,
  signal: AbortSignal,
): Promise<Tokens> {
  const { grant } = context.settings;
  const type = grantTypes[grant.kind];
  requireGrantType(context, type);
  if (grant.kind !== 'authorizationCode') {
    await bindClient(context); // no user is asked first
  }
  switch (grant.kind) {
    case 'authorizationCode':
      return signIn(request, context, user, signal);
    case 'clientCredentials':
      return requestTokens(request, await requireIdentity(context), type);
    case 'enterpriseManaged': {
      const identity = await requireIdentity(context);
      const assertion = await exchangeIdentity(request, grant);
      context.onSecrets?.([assertion]);
      return requestTokens(request, identity, type, { assertion });
    }
    case 'workloadIdentity':
      return requestTokens(request, anonymous, type, {
        assertion: await assertionOf(grant, context),
      });
  }
}

/** Sends nothing to a server that would refuse the grant; a server without a list is tried (RFC 8414 section 2). */
function requireGrantType({ server }: IdentityContext, type: string): void {
  const named: unknown = server.grant_types_supported;
  if (isStringArray(named) && named.length > 0 && !named.includes(type)) {
    throw new McpError(
      'unauthorized',
      t(
        '{0} does not support the grant type "{1}", only: {2}. Choose another "oauth.grant" for this server, or ask whoever runs the authorization server',
        server.issuer,
        type,
        truncated(named.join(', '), maxNamed),
      ),
    );
  }
}

async function assertionOf(grant: WorkloadGrant, { readSecret }: GrantContext): Promise<string> {
  if ('assertion' in grant) {
    return grant.assertion;
  }
  try {
    return await readSecret(grant.assertionFile);
  } catch (error) {
    const cause = withoutPath(error);
    const message = t('"oauth.assertionFile" of this server cannot be read: {0}', cause.message);
    throw new McpError('invalidConfig', message, { cause });
  }
}

async function requireIdentity(context: IdentityContext): Promise<ClientIdentity> {
  const identity = await configuredIdentity(context);
  if (identity === undefined) {
    throw new McpError(
      'invalidConfig',
      t(
        'Signing in at {0} without a browser needs "oauth.clientId" of this server',
        context.server.issuer,
      ),
    );
  }
  return identity;
}
