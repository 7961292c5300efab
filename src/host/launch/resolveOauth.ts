/** `oauth` of an entry → AuthSettings: replaces variables, reads files. The collector gets the secrets. */
import type { AuthSettings, PrivateKeySetting } from '../../mcp/auth/authSettings.ts';
import { isPrivateText, pathInFolder, unreadableFile } from './launchContext.ts';
import type { Resolving } from './resolver.ts';
import type { HttpLaunch, OAuthEntry } from '../config/serverConfig.ts';

const plain: OAuthEntry = { grant: 'authorizationCode', dpop: false };

/**
 * @returns undefined where nobody signs in: the entry says so, or has an Authorization header
 * @throws McpError `invalidConfig` naming server and field
 */
export async function resolveOauth(
  { oauth = plain, headers }: HttpLaunch,
  resolving: Resolving,
): Promise<AuthSettings | undefined> {
  const hasHeader = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  if (oauth === false || hasHeader) {
    return undefined;
  }
  const { clientMetadataUrl, callbackPort, provider, dpop, scopes } = oauth;
  const clientId = await optional('clientId', oauth.clientId, resolving);
  const clientSecret = await secret('clientSecret', oauth.clientSecret, resolving);
  const issuer = await optional('issuer', oauth.issuer, resolving);
  const privateKey = await resolveKey(oauth.privateKey, resolving);
  const named: string[] = [];
  for (const [index, text] of (scopes ?? []).entries()) {
    named.push(await resolving.resolver.text(`oauth.scopes[${index}]`, text));
  }
  return {
    grant: await resolveGrant(oauth, resolving),
    dpop,
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(privateKey === undefined ? {} : { privateKey }),
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    ...(callbackPort === undefined ? {} : { redirectPort: callbackPort }),
    ...(provider === undefined ? {} : { provider }),
    ...(scopes === undefined ? {} : { scopes: named }),
    ...(issuer === undefined ? {} : { issuer }),
  };
}

async function resolveGrant(
  oauth: OAuthEntry,
  resolving: Resolving,
): Promise<AuthSettings['grant']> {
  switch (oauth.grant) {
    case 'authorizationCode':
    case 'clientCredentials':
      return { kind: oauth.grant };
    case 'enterpriseManaged': {
      const { identityProvider: idp } = oauth;
      const idpClientSecret = await secret(
        'identityProvider.clientSecret',
        idp?.clientSecret,
        resolving,
      );
      return {
        kind: 'enterpriseManaged',
        idpTokenEndpoint:
          (await optional('identityProvider.tokenEndpoint', idp?.tokenEndpoint, resolving)) ?? '',
        idpClientId: (await optional('identityProvider.clientId', idp?.clientId, resolving)) ?? '',
        idToken: (await secret('identityProvider.idToken', idp?.idToken, resolving)) ?? '',
        ...(idpClientSecret === undefined ? {} : { idpClientSecret }),
      };
    }
    case 'workloadIdentity': {
      const { assertionFile: file } = oauth;
      if (file !== undefined) {
        const assertionFile = await resolvePath('assertionFile', file, resolving);
        return { kind: 'workloadIdentity', assertionFile };
      }
      const assertion = await secret('assertion', oauth.assertion, resolving);
      return { kind: 'workloadIdentity', assertion: assertion ?? '' };
    }
  }
}

async function resolveKey(
  key: OAuthEntry['privateKey'],
  resolving: Resolving,
): Promise<PrivateKeySetting | undefined> {
  if (key === undefined) {
    return undefined;
  }
  const { file, algorithm, keyId } = key;
  const pem = await readSecret('privateKey.file', file, resolving);
  return { pem, algorithm, ...(keyId === undefined ? {} : { keyId }) };
}

async function optional(
  field: string,
  template: string | undefined,
  { resolver }: Resolving,
): Promise<string | undefined> {
  return template === undefined ? undefined : resolver.text(`oauth.${field}`, template);
}

async function secret(
  field: string,
  template: string | undefined,
  resolving: Resolving,
): Promise<string | undefined> {
  const value = await optional(field, template, resolving);
  if (value !== undefined) {
    resolving.secrets.add(value);
  }
  return value;
}

async function readSecret(field: string, template: string, resolving: Resolving): Promise<string> {
  const { server, context, secrets } = resolving;
  const path = await resolvePath(field, template, resolving);
  try {
    const value = await context.machine.readFile(path);
    secrets.add(value);
    return value;
  } catch (error) {
    throw unreadableFile(server, `oauth.${field}`, {
      shown: template,
      isPrivate: isPrivateText(template),
      wayOut: 'correct the path, or put the file there',
      error,
    });
  }
}

/** The absolute path, resolved against the folder of the entry. */
async function resolvePath(
  field: string,
  template: string,
  { server, context, resolver }: Resolving,
): Promise<string> {
  return pathInFolder(await resolver.path(`oauth.${field}`, template), server, context);
}
