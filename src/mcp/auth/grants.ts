/** Each way to come by tokens that an entry can ask for, behind one function. */
import { withoutPath } from '../../base/fileError.ts';
import { McpError } from '../errors.ts';
import type { WorkloadGrant } from './authSettings.ts';
import { type SignInRequest, type SignInUser, signIn } from './authorizationCode.ts';
import { type ClientIdentity, configuredIdentity, type IdentityContext } from './clientIdentity.ts';
import type { Tokens } from './credentials.ts';
import { anonymous, clientCredentials, exchangeIdentity, tradeAssertion } from './tokenEndpoint.ts';

export interface GrantContext extends IdentityContext {
  /** The content of a file, without the blanks around it. It is kept from the log. */
  readonly readSecret: (path: string) => Promise<string>;
}

/** @throws McpError `denied`, `cancelled`, `invalidConfig`; OAuthRefusal */
export async function grantTokens(
  request: SignInRequest,
  context: GrantContext,
  user: SignInUser,
  signal: AbortSignal,
): Promise<Tokens> {
  const { grant } = context.settings;
  switch (grant.kind) {
    case 'authorizationCode':
      return signIn(request, context, user, signal);
    case 'clientCredentials':
      return clientCredentials(request, await requireIdentity(context));
    case 'enterpriseManaged': {
      const identity = await requireIdentity(context);
      const assertion = await exchangeIdentity(request, grant);
      context.onSecrets?.([assertion]);
      return tradeAssertion(request, identity, assertion);
    }
    case 'workloadIdentity':
      return tradeAssertion(request, anonymous, await assertionOf(grant, context));
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
    const message = `"oauth.assertionFile" of this server cannot be read: ${cause.message}`;
    throw new McpError('invalidConfig', message, { cause });
  }
}

async function requireIdentity(context: IdentityContext): Promise<ClientIdentity> {
  const identity = await configuredIdentity(context);
  if (identity === undefined) {
    throw new McpError(
      'invalidConfig',
      `Signing in at ${context.server.issuer} without a browser needs "oauth.clientId" of this server`,
    );
  }
  return identity;
}
