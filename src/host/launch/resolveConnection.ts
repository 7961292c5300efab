/**
 * `tls` and `proxy` of an entry → ConnectionSettings: replaces variables, reads files, and checks everything that would
 * otherwise fail later with a message of OpenSSL. The collector gets the secrets.
 */
import { t } from '../../base/l10n.ts';
import { createPrivateKey, type X509Certificate } from 'node:crypto';
import { withoutUndefined } from '../../base/json.ts';
import { percentDecoded } from '../../base/percentEncoding.ts';
import { isLoopback } from '../../mcp/network/loopback.ts';
import type {
  ConnectionSettings,
  ProxySettings,
  TlsSettings,
} from '../../mcp/network/connectionSettings.ts';
import { certificatesIn, isExpired, subjectOf } from './certificates.ts';
import { invalidField, isPrivateText, pathInFolder, unreadableFile } from './launchContext.ts';
import { itemField } from '../config/entryReader.ts';
import { splitProxy } from '../config/parseConnection.ts';
import type { Resolving } from './resolver.ts';
import type { HttpLaunch, ServerConfig, TlsEntry } from '../config/serverConfig.ts';
import { referencesIn } from '../config/variables.ts';

/** The setting, of scope `application`, that alone allows `insecure`, and only for a server on this machine. */
export const insecureSetting = 'mcpHost.security.allowInsecureLoopbackTls';

/**
 * @param url of the server; undefined for one at a local socket
 * @returns undefined where only the editor's settings count
 * @throws McpError `invalidConfig` naming server and field
 */
export async function resolveConnection(
  { tls, proxy }: HttpLaunch,
  url: URL | undefined,
  resolving: Resolving,
): Promise<ConnectionSettings | undefined> {
  if (tls === undefined && proxy === undefined) {
    return undefined;
  }
  const { server } = resolving;
  if (url === undefined) {
    const field = tls === undefined ? 'proxy' : 'tls';
    throw invalidField(server, field, t('cannot be used with a local socket: remove the field'));
  }
  if (tls?.insecure === true) {
    checkInsecure(server, url);
  }
  return withoutUndefined({
    tls: tls && (await resolveTls(tls, resolving)),
    proxy: proxy === undefined ? undefined : await resolveProxy(proxy, resolving),
  });
}

async function resolveTls(tls: TlsEntry, resolving: Resolving): Promise<TlsSettings> {
  return withoutUndefined({
    ca: tls.ca && (await resolveAuthorities(tls.ca, resolving)).map(({ pem }) => pem),
    client: await resolveClient(tls, resolving),
    isInsecure: tls.insecure,
  });
}

interface PemText {
  /** The file's absolute path; undefined for a text. */
  readonly file?: string;
  readonly pem: string;
}

export interface Authority {
  readonly pem: string;
  /** The subject of each certificate in it. */
  readonly subjects: readonly string[];
}

/**
 * Characters of all authorities of an entry together. They are parsed in the editor before anybody is asked: 0.1 s for
 * the most. Those of a whole system take less than half of it.
 */
const maxAuthorityChars = 512 * 1024;

async function resolveAuthorities(
  templates: readonly string[],
  resolving: Resolving,
): Promise<readonly Authority[]> {
  const found: Authority[] = [];
  for (const [index, template] of templates.entries()) {
    const field = itemField('tls.ca', templates, index);
    found.push(await resolveAuthority(field, template, resolving, found));
  }
  return found;
}

/**
 * @param before the entry's other authorities that were already read
 * @throws McpError `invalidConfig` for a file that does not exist, a text without certificate, expired certificates,
 * and too much text
 */
export async function resolveAuthority(
  field: string,
  template: string,
  resolving: Resolving,
  before: readonly Authority[],
): Promise<Authority> {
  const text = await readPem(field, template, resolving);
  const chars = [...before, text].reduce((sum, { pem }) => sum + pem.length, 0);
  if (chars > maxAuthorityChars) {
    const message = t(
      'holds more than {0} KiB of certificates: name those that the server needs',
      maxAuthorityChars / 1024,
    );
    throw invalidField(resolving.server, 'tls.ca', message);
  }
  const certificates = usableCertificates(resolving.server, field, text, true);
  return { pem: text.pem, subjects: certificates.map(subjectOf) };
}

function checkInsecure(server: ServerConfig, url: URL): void {
  const field = 'tls.insecure';
  if (!isLoopback(url)) {
    throw invalidField(
      server,
      field,
      t(
        'is refused for {0}: only a server on this machine may go unchecked. Name the certificate of its authority in "tls.ca"',
        url.host,
      ),
    );
  }
  if (server.allowsInsecureTls !== true) {
    throw invalidField(
      server,
      field,
      t(
        'is refused: switch on {0} in your user settings, or name the server\'s certificate in "tls.ca"',
        insecureSetting,
      ),
    );
  }
}

/**
 * @param isBundle some of the certificates may have expired; which ones matter is not known before the handshake
 * @throws McpError `invalidConfig` for a text that has none, for one that cannot be read, and for expired ones
 */
function usableCertificates(
  server: ServerConfig,
  field: string,
  { file = t('the text'), pem }: PemText,
  isBundle: boolean,
): readonly [X509Certificate, ...X509Certificate[]] {
  let certificates: readonly X509Certificate[];
  try {
    certificates = certificatesIn(pem);
  } catch (cause) {
    const text = t('{0} holds a certificate that cannot be read: was it cut off?', file);
    throw invalidField(server, field, text, { cause });
  }
  const [first, ...others] = certificates;
  if (first === undefined) {
    const text = t(
      '{0} has no certificate in PEM, which begins with "-----BEGIN CERTIFICATE-----". To convert a binary one (DER), run "openssl x509 -inform der -in FILE"',
      file,
    );
    throw invalidField(server, field, text);
  }
  if (isExpired(first) && (!isBundle || others.every(isExpired))) {
    const text = t(
      'the certificate of {0} in {1} expired on {2}: get the new one from those who issue it',
      subjectOf(first),
      file,
      first.validTo,
    );
    throw invalidField(server, field, text);
  }
  return [first, ...others];
}

async function resolveClient(
  { cert, key, passphrase }: TlsEntry,
  resolving: Resolving,
): Promise<TlsSettings['client']> {
  if (cert === undefined || key === undefined) {
    return undefined;
  }
  const { server, resolver, secrets } = resolving;
  const text = await readPem('tls.cert', cert, resolving);
  const own = await readPem('tls.key', key, resolving);
  secrets.add(own.pem);
  const word =
    passphrase === undefined ? undefined : await resolver.text('tls.passphrase', passphrase);
  if (word !== undefined) {
    secrets.add(word);
  }
  const [first] = usableCertificates(server, 'tls.cert', text, false);
  // An input without a value leaves its variable there: an inspection asks nobody.
  if (word === undefined || !word.includes('${')) {
    checkKey(server, first, own, word);
  }
  return withoutUndefined({ cert: text.pem, key: own.pem, passphrase: word });
}

function checkKey(
  server: ServerConfig,
  certificate: X509Certificate,
  { file = t('the text'), pem }: PemText,
  passphrase: string | undefined,
): void {
  if (!/PRIVATE KEY-----/u.test(pem)) {
    throw invalidField(server, 'tls.key', t('{0} has no private key in PEM', file));
  }
  const isEncrypted = /ENCRYPTED/u.test(pem);
  if (isEncrypted && passphrase === undefined) {
    const text = t(
      '{0} is encrypted: give its passphrase in "tls.passphrase", as "${input:…}"',
      file,
    );
    throw invalidField(server, 'tls.key', text);
  }
  let fits: boolean;
  try {
    const key = createPrivateKey(withoutUndefined({ key: pem, passphrase }));
    fits = certificate.checkPrivateKey(key);
  } catch (error) {
    throw isEncrypted
      ? invalidField(server, 'tls.passphrase', t('does not open {0}', file), { cause: error })
      : invalidField(server, 'tls.key', t('{0} cannot be read as a private key', file), {
          cause: error,
        });
  }
  if (!fits) {
    const text = t('{0} is not the private key of the certificate in "tls.cert"', file);
    throw invalidField(server, 'tls.key', text);
  }
}

/** A PEM text itself, or the content of the file it names, relative to the folder of the entry. */
async function readPem(
  field: string,
  template: string,
  { server, context, resolver }: Resolving,
): Promise<PemText> {
  const text = await resolver.path(field, template);
  if (text.includes('-----BEGIN')) {
    return { pem: text };
  }
  const path = pathInFolder(text, server, context);
  const isPrivate = isPrivateText(template);
  const file = isPrivate ? template : path;
  try {
    return { file, pem: await context.machine.readFile(path) };
  } catch (error) {
    const wayOut = t('correct the path, or put the file there');
    throw unreadableFile(server, field, { shown: file, isPrivate, wayOut, error });
  }
}

async function resolveProxy(
  template: string | false,
  resolving: Resolving,
): Promise<ProxySettings | false> {
  if (template === false) {
    return false;
  }
  const { server, resolver, secrets } = resolving;
  const parts = splitProxy(template);
  const text =
    parts === undefined
      ? await resolver.text('proxy', template)
      : `${parts.scheme}://${await encoded(parts.user, resolving)}:${await encoded(parts.password, resolving)}@${await resolver.text('proxy', parts.authority)}`;
  const url = proxyUrl(server, text);
  const [user, password] = [percentDecoded(url.username), percentDecoded(url.password)];
  secrets.add(password);
  if (user === '' && password === '') {
    return { origin: url.origin };
  }
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  secrets.add(credentials);
  return { origin: url.origin, authorization: `Basic ${credentials}` };
}

/** The error does not repeat the text: a variable may have put a password into it. */
function proxyUrl(server: ServerConfig, text: string): URL {
  const url = /\s/u.test(text) ? null : URL.parse(text);
  if (
    url === null ||
    !/^https?:$/u.test(url.protocol) ||
    url.pathname + url.search + url.hash !== '/'
  ) {
    const message = t(
      'must be a URL such as {0} once its variables are replaced',
      'http://proxy.example:8080',
    );
    throw invalidField(server, 'proxy', message);
  }
  return url;
}

/** Text of the settings may be URL-encoded; the value of a variable is not. */
async function encoded(template: string | undefined, { resolver }: Resolving): Promise<string> {
  if (template === undefined) {
    return '';
  }
  return encodeURIComponent(
    referencesIn(template).length === 0
      ? percentDecoded(template)
      : await resolver.text('proxy', template),
  );
}
