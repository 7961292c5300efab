/** `oauth` of an entry of `mcpHost.servers`: how to sign in to the server. Texts keep their variables. */
import { t } from '../../base/l10n.ts';
import { withoutUndefined } from '../../base/json.ts';
import {
  type EntryReader,
  type Hints,
  nonEmpty,
  renamed,
  secretVariable,
  type TextRule,
} from './entryReader.ts';
import type { OAuthEntry } from './serverConfig.ts';

const grants = [
  'authorizationCode',
  'clientCredentials',
  'enterpriseManaged',
  'workloadIdentity',
] as const;
const algorithms = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
  'EdDSA',
] as const;
type Grant = OAuthEntry['grant'];

const url: TextRule = {
  pattern: /^(?:[hH][tT][tT][pP][sS]?:\/\/|\$\{)\S+$/u,
  must: () => t('must be a URL without spaces that begins with {0}', 'https://'),
};
/** Client ID Metadata Document: an https URL with a path, without parts that two readers could read differently. */
const documentUrl: TextRule = {
  pattern: /^https:\/\/[^/?#\s@]+\/[^?#\s]+$/u,
  must: () =>
    t(
      'must be an https:// URL with a path, without query and fragment: the address of a published document',
    ),
};

const throughIssuer = (): string => t('has no effect: it is found through `issuer`');
const foreign: Hints = new Map([
  ['CLIENT_ID', renamed('clientId')],
  ['client_id', renamed('clientId')],
  ['CLIENT_SECRET', renamed('clientSecret')],
  ['client_secret', renamed('clientSecret')],
  ['scope', renamed('scopes')],
  ['redirectPort', renamed('callbackPort')],
  ['redirectUri', () => t('has no effect: only its port can be chosen, with `callbackPort`')],
  ['authServerMetadataUrl', () => t('has no effect: `issuer` names the authorization server')],
  ['authorizationUrl', throughIssuer],
  ['tokenUrl', throughIssuer],
  ['enabled', () => t('has no effect: write "oauth": false to switch signing in off')],
]);

/** @returns false: nobody signs in to the server. Undefined when the entry says nothing usable. */
export function parseOauth(reader: EntryReader): OAuthEntry | false | undefined {
  return reader.raw('oauth') === false
    ? false
    : reader.section(
        'oauth',
        t('an object or false (leave it out to sign in by default)'),
        readEntry,
        {
          elsewhere: foreign,
        },
      );
}

function readEntry(reader: EntryReader): OAuthEntry {
  const entry = withoutUndefined({
    grant: reader.oneOf<Grant>('grant', grants) ?? 'authorizationCode',
    clientId: reader.text('clientId', nonEmpty),
    clientSecret: reader.text('clientSecret', secretVariable),
    clientMetadataUrl: reader.text('clientMetadataUrl', documentUrl),
    callbackPort: port(reader),
    scopes: reader.texts('scopes'),
    issuer: reader.text('issuer', url),
    provider: reader.text('provider', nonEmpty),
    dpop: reader.boolean('dpop') ?? false,
    privateKey: reader.section('privateKey', t('an object'), (inner) =>
      withoutUndefined({
        file: required(inner, 'file', nonEmpty),
        algorithm: inner.oneOf('algorithm', algorithms) ?? 'ES256',
        keyId: inner.text('keyId', nonEmpty),
      }),
    ),
    identityProvider: reader.section('identityProvider', t('an object'), (inner) =>
      withoutUndefined({
        tokenEndpoint: required(inner, 'tokenEndpoint', url),
        clientId: required(inner, 'clientId', nonEmpty),
        clientSecret: inner.text('clientSecret', secretVariable),
        idToken: required(inner, 'idToken', secretVariable),
      }),
    ),
    assertion: reader.text('assertion', secretVariable),
    assertionFile: reader.text('assertionFile', nonEmpty),
  });
  checkGrant(reader, entry);
  return entry;
}

/** Reports fields that the chosen grant needs and the entry lacks. */
function checkGrant(reader: EntryReader, { grant }: OAuthEntry): void {
  const has = (field: string): boolean => reader.has(field);
  const [isComplete, needed] = {
    authorizationCode: [true, ''] as const,
    clientCredentials: [
      has('clientId') && (has('clientSecret') || has('privateKey')),
      t('`clientId`, and `clientSecret` or `privateKey`'),
    ] as const,
    enterpriseManaged: [
      has('clientId') && has('identityProvider'),
      t('{0} and {1}', '`clientId`', '`identityProvider`'),
    ] as const,
    workloadIdentity: [
      has('assertion') || has('assertionFile'),
      t('{0} or {1}', '`assertionFile`', '`assertion`'),
    ] as const,
  }[grant];
  if (!isComplete) {
    reader.fail('grant', t('"{0}" needs {1}', grant, needed));
  }
}

function port(reader: EntryReader): number | undefined {
  const value = reader.raw('callbackPort');
  if (value === undefined) {
    return undefined;
  }
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535) {
    return value;
  }
  reader.fail('callbackPort', t('must be a port: a whole number from 1 to 65535'));
  return undefined;
}

function required(reader: EntryReader, field: string, rule: TextRule): string {
  reader.require(field);
  return reader.text(field, rule) ?? '';
}
