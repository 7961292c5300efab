/**
 * `tls` and `proxy` of an entry of `mcpHost.servers`: how a server is reached. Texts keep their variables, and no file
 * is read.
 */
import { isString, withoutUndefined } from '../../base/json.ts';
import {
  type EntryReader,
  nonEmpty,
  plainSecret,
  secretVariable,
  typeName,
} from './entryReader.ts';
import type { HttpLaunch, TlsEntry } from './serverConfig.ts';

const foreign: ReadonlyMap<string, string> = new Map([
  ['rejectUnauthorized', 'has no effect: name an authority in `ca`, or see `insecure`'],
  ['verify', 'has no effect: name an authority in `ca`, or see `insecure`'],
  ['caFile', 'has no effect; did you mean `ca`?'],
  ['caCert', 'has no effect; did you mean `ca`?'],
  ['certFile', 'has no effect; did you mean `cert`?'],
  ['keyFile', 'has no effect; did you mean `key`?'],
  ['pfx', 'has no effect: write its parts in PEM to `cert` and `key`'],
]);

const wholeVariable = /^\$\{[^{}]+\}$/u;

/** The entry's TLS and proxy fields; empty where it has none that are usable. */
export function parseConnection(reader: EntryReader): Pick<HttpLaunch, 'tls' | 'proxy'> {
  const tls = reader.section('tls', 'an object such as { "ca": "…" }', parseTls, {
    elsewhere: foreign,
  });
  const proxy = parseProxy(reader);
  if (tls?.insecure === true && isString(proxy)) {
    reader.fail(
      'proxy',
      'cannot be used with `tls.insecure`, which is only for servers on this machine',
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
    reader.fail('key', 'must not hold a secret in plain text: write the path of its file');
  }
  if (reader.has('cert') !== reader.has('key')) {
    const [given, other] = reader.has('cert') ? ['cert', 'key'] : ['key', 'cert'];
    const text = `needs \`${other}\` beside it: a certificate and its private key go together`;
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
    reader.fail('ca', 'is empty: name a file, or remove the field');
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
    reader.fail('proxy', `must be a URL, or false to use no proxy, not ${typeName(value)}`);
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
    return 'must be a URL such as http://proxy.example:8080; for no proxy at all write false, without quotes';
  }
  const parts = splitProxy(text);
  if (parts === undefined) {
    const scheme = /^([a-z][a-z0-9+.-]{0,30}):\/\//iu.exec(text)?.[1];
    return scheme === undefined || /^https?$/iu.test(scheme)
      ? 'must be a URL such as http://proxy.example:8080, without spaces'
      : `must begin with http:// or https://: "${scheme}" proxies are not supported`;
  }
  const { password = '' } = parts;
  return password === '' || secretVariable.pattern.test(password)
    ? undefined
    : `must ${plainSecret('"http://name:${input:…}@host:port"')}`;
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
