/**
 * `tls` and `proxy` of an entry of `mcpHost.servers`: how a server is reached. Texts keep their variables, and no file
 * is read.
 */
import { t } from '../../base/l10n.ts';
import { isString, withoutUndefined } from '../../base/json.ts';
import {
  type EntryReader,
  type Hints,
  nonEmpty,
  plainSecret,
  renamed,
  secretVariable,
  typeName,
} from './entryReader.ts';
import type { HttpLaunch, TlsEntry } from './serverConfig.ts';

const namesAuthority = (): string =>
  t('has no effect: name an authority in `ca`, or see `insecure`');
const foreign: Hints = new Map([
  ['rejectUnauthorized', namesAuthority],
  ['verify', namesAuthority],
  ['caFile', renamed('ca')],
  ['caCert', renamed('ca')],
  ['certFile', renamed('cert')],
  ['keyFile', renamed('key')],
  ['pfx', () => t('has no effect: write its parts in PEM to `cert` and `key`')],
]);

const example = 'http://proxy.example:8080';
const wholeVariable = /^\$\{[^{}]+\}$/u;

/** The entry's TLS and proxy fields; empty where it has none that are usable. */
export function parseConnection(reader: EntryReader): Pick<HttpLaunch, 'tls' | 'proxy'> {
  const tls = reader.section('tls', t('an object such as {0}', '{ "ca": "…" }'), parseTls, {
    elsewhere: foreign,
  });
  const proxy = parseProxy(reader);
  if (tls?.insecure === true && isString(proxy)) {
    reader.fail(
      'proxy',
      t('cannot be used with `tls.insecure`, which is only for servers on this machine'),
    );
  }
  return withoutUndefined({ tls, proxy });
}

function parseTls(reader: EntryReader): TlsEntry {
  const tls = withoutUndefined({
    ca: parseAuthorities(reader),
    cert: reader.text('cert', nonEmpty),
    key: reader.text('key', nonEmpty),
    passphrase: reader.text('passphrase', secretVariable),
    insecure: reader.boolean('insecure') === true ? (true as const) : undefined,
  });
  if (tls.key !== undefined && /PRIVATE KEY-----/u.test(tls.key)) {
    reader.fail('key', t('must not hold a secret in plain text: write the path of its file'));
  }
  if (reader.has('cert') !== reader.has('key')) {
    const [given, other] = reader.has('cert')
      ? (['cert', 'key'] as const)
      : (['key', 'cert'] as const);
    const text = t('needs `{0}` beside it: a certificate and its private key go together', other);
    reader.fail(given, text);
  }
  return tls;
}

/** One text or several. */
function parseAuthorities(reader: EntryReader): readonly string[] | undefined {
  const value = reader.raw('ca');
  if (!Array.isArray(value)) {
    const one = reader.text('ca', nonEmpty);
    return one === undefined ? undefined : [one];
  }
  if (value.length === 0) {
    reader.fail('ca', t('is empty: name a file, or remove the field'));
  }
  return value
    .map((item: unknown, index) => reader.textAt(`ca[${index}]`, item, nonEmpty))
    .filter((item) => item !== undefined);
}

function parseProxy(reader: EntryReader): string | false | undefined {
  const value = reader.raw('proxy');
  if (value === undefined || value === false) {
    return value;
  }
  if (!isString(value)) {
    reader.fail('proxy', t('must be a URL, or false to use no proxy, not {0}', typeName(value)));
    return undefined;
  }
  const wrong = whatIsWrongWithProxy(value);
  if (wrong !== undefined) {
    reader.fail('proxy', wrong);
  }
  return value;
}

function whatIsWrongWithProxy(text: string): string | undefined {
  if (wholeVariable.test(text)) {
    return undefined;
  }
  if (/^(?:none|off|no|false|direct|)$/iu.test(text.trim())) {
    return t('must be a URL such as {0}; for no proxy at all write false, without quotes', example);
  }
  const parts = splitProxy(text);
  if (parts === undefined) {
    const scheme = /^([a-z][a-z0-9+.-]{0,30}):\/\//iu.exec(text)?.[1];
    return scheme === undefined || /^https?$/iu.test(scheme)
      ? t('must be a URL such as {0}, without spaces', example)
      : t('must begin with http:// or https://: "{0}" proxies are not supported', scheme);
  }
  const { password = '' } = parts;
  return password === '' || secretVariable.pattern.test(password)
    ? undefined
    : plainSecret('"http://name:${input:…}@host:port"');
}

export interface ProxyTemplate {
  readonly scheme: 'http' | 'https';
  readonly user?: string;
  readonly password?: string;
  /** Host and port. */
  readonly authority: string;
}

/**
 * The parts of a proxy's URL, with their variables: they are replaced after the split, since a password may hold any
 * character. Undefined for an invalid URL, and for a text that begins with a variable.
 */
export function splitProxy(text: string): ProxyTemplate | undefined {
  const [, scheme, userInfo, authority] =
    /^(https?):\/\/(?:(.*)@)?((?:\$\{[^{}]*\}|[^\s@/?#$]|\$(?!\{))+)\/?$/iu.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) {
    return undefined;
  }
  const [, user, password] =
    /^((?:\$\{[^{}]*\}|[^:$]|\$(?!\{))*)(?::(.*))?$/su.exec(userInfo ?? '') ?? [];
  return withoutUndefined({
    scheme: /^https$/iu.test(scheme) ? ('https' as const) : ('http' as const),
    authority,
    user: userInfo === undefined ? undefined : user,
    password,
  });
}
