/** What a report shares of a server's address: the certificate that it presents, and URLs without secrets. */
import { looksLikeKey } from '../launch/secrets.ts';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { ConnectionSettings } from '../../mcp/network/connectionSettings.ts';
import { withoutUndefined } from '../../base/json.ts';
import { Route } from '../../mcp/network/route.ts';

/** @param url an absolute one @returns it without user, query, fragment, and parts of its path that look like keys */
export function shareableUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  const parts = pathname.split('/').map((part) => (looksLikeKey(part) ? '***' : part));
  return `${protocol}//${host}${parts.join('/')}`;
}

/** @param value of a setting or variable: a URL, or a short form such as `user:password@host:80` */
export function shareableProxy(value: string): string {
  return value.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/isu, '$1');
}

export interface ShownCertificate {
  readonly subject: string;
  /** The names and addresses that it is valid for, as OpenSSL lists them; absent where it has none. */
  readonly hosts?: string;
  readonly issuer: string;
  /** As in the certificate, such as `Nov  1 00:00:00 2026 GMT`. */
  readonly validTo: string;
}

/** Milliseconds; a slower host is reported without its certificate. */
const limitMs = 5_000;

/**
 * @param url https or wss
 * @param settings of the entry: the same proxy is used
 * @returns undefined without a certificate. Never rejects.
 */
export async function shownCertificate(
  url: string,
  settings: ConnectionSettings = {},
): Promise<ShownCertificate | undefined> {
  const { protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'wss:') {
    return undefined;
  }
  // Insecure: the certificate is only read, not trusted.
  const way = { proxy: settings.proxy ?? false, tls: { isInsecure: true } } as const;
  try {
    const socket = await new Route(way).connect(new URL(url), AbortSignal.timeout(limitMs));
    socket?.on('error', () => undefined);
    const certificate = socket instanceof TLSSocket ? socket.getPeerCertificate() : undefined;
    socket?.destroy();
    return certificate && described(certificate);
  } catch {
    return undefined;
  }
}

function described(certificate: PeerCertificate): ShownCertificate | undefined {
  return Object.keys(certificate).length === 0
    ? undefined
    : withoutUndefined({
        subject: nameOf(certificate.subject),
        hosts: certificate.subjectaltname,
        issuer: nameOf(certificate.issuer),
        validTo: certificate.valid_to,
      });
}

function nameOf(parts: PeerCertificate['subject']): string {
  return Object.entries(parts)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(', ');
}
