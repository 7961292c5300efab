/**
 * `oauth` of an entry of `mcpHost.servers`: how to sign in to the server. Texts keep their variables.
 * Secrets have to be variables: settings are synchronized, shared and committed.
 */
import { isObject, isString, withoutUndefined } from '../../base/json.ts';
import { type EntryReader, nonEmpty, type TextRule, typeName } from './entryReader.ts';
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

const variable = /^\$\{(?:input|env):[^{}]+\}$/u;
const url: TextRule = {
  pattern: /^(?:[hH][tT][tT][pP][sS]?:\/\/|\$\{)\S+$/u,
  must: 'be a URL without spaces that begins with https://',
};
/** Client ID Metadata Document: an https URL with a path, without parts that two readers could read differently. */
const documentUrl: TextRule = {
  pattern: /^https:\/\/[^/?#\s@]+\/[^?#\s]+$/u,
  must: 'be an https:// URL with a path, without query and fragment: the address of a published document',
};

const foreign: ReadonlyMap<string, string> = new Map([
  ['CLIENT_ID', 'has no effect; did you mean `clientId`?'],
  ['client_id', 'has no effect; did you mean `clientId`?'],
  ['CLIENT_SECRET', 'has no effect; did you mean `clientSecret`?'],
  ['client_secret', 'has no effect; did you mean `clientSecret`?'],
  ['scope', 'has no effect; did you mean `scopes`?'],
  ['redirectPort', 'has no effect; did you mean `callbackPort`?'],
  ['redirectUri', 'has no effect: only its port can be chosen, with `callbackPort`'],
  ['authServerMetadataUrl', 'has no effect: `issuer` names the authorization server'],
  ['authorizationUrl', 'has no effect: it is found through `issuer`'],
  ['tokenUrl', 'has no effect: it is found through `issuer`'],
  ['enabled', 'has no effect: write "oauth": false to switch signing in off'],
]);
/** @returns false: nobody signs in to the server. Undefined when the entry says nothing usable. */
export function parseOauth(reader: EntryReader): OAuthEntry | false | undefined {
  const raw = reader.raw('oauth');
  if (raw === undefined || raw === false) {
    return raw;
  }
  if (!isObject(raw)) {
    const hint = raw === true ? ': leave it out, signing in is on by default' : '';
    reader.fail('oauth', `must be an object or false, not ${typeName(raw)}${hint}`);
    return undefined;
  }
  const inner = reader.within('oauth', raw);
  const entry = readEntry(inner);
  checkGrant(inner, entry);
  inner.warnOfOthers(foreign);
  return entry;
}

function readEntry(reader: EntryReader): OAuthEntry {
  return withoutUndefined({
    grant: reader.oneOf<Grant>('grant', grants) ?? 'authorizationCode',
    clientId: reader.text('clientId', nonEmpty),
    clientSecret: secret(reader, 'clientSecret'),
    clientMetadataUrl: reader.text('clientMetadataUrl', documentUrl),
    callbackPort: port(reader),
    scopes: reader.texts('scopes'),
    issuer: reader.text('issuer', url),
    provider: reader.text('provider', nonEmpty),
    dpop: reader.boolean('dpop') ?? false,
    privateKey: nested(reader, 'privateKey', (inner) => ({
      file: required(inner, 'file', nonEmpty),
      algorithm: inner.oneOf('algorithm', algorithms) ?? 'ES256',
      keyId: inner.text('keyId', nonEmpty),
    })),
    identityProvider: nested(reader, 'identityProvider', (inner) => ({
      tokenEndpoint: required(inner, 'tokenEndpoint', url),
      clientId: required(inner, 'clientId', nonEmpty),
      clientSecret: secret(inner, 'clientSecret'),
      idToken: secret(inner, 'idToken') ?? missing(inner, 'idToken'),
    })),
    assertion: secret(reader, 'assertion'),
    assertionFile: reader.text('assertionFile', nonEmpty),
  });
}

/** Reports fields that the chosen grant needs and the entry lacks. */
function checkGrant(reader: EntryReader, entry: OAuthEntry): void {
  const need = (isThere: boolean, fields: string): void => {
    if (!isThere) {
      reader.fail('grant', `"${entry.grant}" needs ${fields}`);
    }
  };
  switch (entry.grant) {
    case 'authorizationCode':
      break;
    case 'clientCredentials':
      need(
        reader.has('clientId') && (reader.has('clientSecret') || reader.has('privateKey')),
        '`clientId`, and `clientSecret` or `privateKey`',
      );
      break;
    case 'enterpriseManaged':
      need(
        reader.has('clientId') && reader.has('identityProvider'),
        '`clientId` and `identityProvider`',
      );
      break;
    case 'workloadIdentity':
      need(
        reader.has('assertion') || reader.has('assertionFile'),
        '`assertionFile` or `assertion`',
      );
      break;
  }
}

/** A text that is exactly one variable, so that its value is in no settings file. */
function secret(reader: EntryReader, field: string): string | undefined {
  const value = reader.raw(field);
  if (isString(value) && !variable.test(value)) {
    reader.fail(
      field,
      'must not be written in the settings in plain text: write "${input:…}" here and define that input in `mcpHost.inputs` with "password": true, or use "${env:…}"',
    );
    return undefined;
  }
  return reader.text(field, nonEmpty);
}

function port(reader: EntryReader): number | undefined {
  const value = reader.raw('callbackPort');
  if (value === undefined) {
    return undefined;
  }
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535) {
    return value;
  }
  reader.fail('callbackPort', 'must be a port: a whole number from 1 to 65535');
  return undefined;
}

function nested<T extends object>(
  reader: EntryReader,
  field: string,
  read: (inner: EntryReader) => T,
): ReturnType<typeof withoutUndefined<T>> | undefined {
  const raw = reader.object(field);
  if (raw === undefined) {
    return undefined;
  }
  const inner = reader.within(field, raw);
  const value = withoutUndefined(read(inner));
  inner.warnOfOthers();
  return value;
}

function required(reader: EntryReader, field: string, rule: TextRule): string {
  return reader.text(field, rule) ?? missing(reader, field);
}

function missing(reader: EntryReader, field: string): string {
  if (!reader.has(field)) {
    reader.fail(field, 'is missing');
  }
  return '';
}
