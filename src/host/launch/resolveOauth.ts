/** `oauth` of an entry → AuthSettings: replaces variables, reads files. The collector gets the secrets. */
import { t } from '../../base/l10n.ts';
import { withoutUndefined } from '../../base/json.ts';
import type { AuthSettings, PrivateKeySetting } from '../../mcp/auth/authSettings.ts';
import { isPrivateText, pathInFolder, unreadableFile } from './launchContext.ts';
import type { Resolving } from './resolver.ts';
import type { HttpLaunch, OAuthEntry } from '../config/serverConfig.ts';

const plain: OAuthEntry = { grant: 'authorizationCode', dpop: false };
const secretFields = [
  'clientSecret',
  'identityProvider.clientSecret',
  'identityProvider.idToken',
  'assertion',
];

/** The resolved text of a field of `oauth`. */
type TextOf = (field: string) => string | undefined;

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
  const texts = await resolving.resolver.fields({ oauth });
  const textOf: TextOf = (field) => texts.get(`oauth.${field}`);
  for (const field of secretFields) {
    resolving.secrets.add(textOf(field) ?? '');
  }
  const { clientMetadataUrl, callbackPort, provider, dpop, scopes, privateKey } = oauth;
  return withoutUndefined({
    grant: grantOf(oauth, textOf, resolving),
    dpop,
    clientId: textOf('clientId'),
    clientSecret: textOf('clientSecret'),
    privateKey: privateKey && (await readKey(privateKey, textOf, resolving)),
    clientMetadataUrl,
    redirectPort: callbackPort,
    provider,
    scopes: scopes?.map((_scope, index) => textOf(`scopes[${index}]`) ?? ''),
    issuer: textOf('issuer'),
  });
}

function grantOf(
  { grant }: OAuthEntry,
  textOf: TextOf,
  { server, context }: Resolving,
): AuthSettings['grant'] {
  switch (grant) {
    case 'authorizationCode':
    case 'clientCredentials':
      return { kind: grant };
    case 'enterpriseManaged':
      return withoutUndefined({
        kind: grant,
        idpTokenEndpoint: textOf('identityProvider.tokenEndpoint') ?? '',
        idpClientId: textOf('identityProvider.clientId') ?? '',
        idToken: textOf('identityProvider.idToken') ?? '',
        idpClientSecret: textOf('identityProvider.clientSecret'),
      });
    case 'workloadIdentity': {
      const file = textOf('assertionFile');
      return file === undefined
        ? { kind: grant, assertion: textOf('assertion') ?? '' }
        : { kind: grant, assertionFile: pathInFolder(file, server, context) };
    }
  }
}

async function readKey(
  { file, algorithm, keyId }: NonNullable<OAuthEntry['privateKey']>,
  textOf: TextOf,
  { server, context, secrets }: Resolving,
): Promise<PrivateKeySetting> {
  const field = 'privateKey.file';
  try {
    const pem = await context.machine.readFile(pathInFolder(textOf(field) ?? '', server, context));
    secrets.add(pem);
    return withoutUndefined({ pem, algorithm, keyId });
  } catch (error) {
    throw unreadableFile(server, `oauth.${field}`, {
      shown: file,
      isPrivate: isPrivateText(file),
      wayOut: t('correct the path, or put the file there'),
      error,
    });
  }
}
