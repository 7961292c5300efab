/**
 * Whose certificate a server shows, whether or not it is to be trusted: for a report on why it is not. Nothing is
 * sent over the connection.
 */
import { connect, type PeerCertificate } from 'node:tls';

export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** As the certificate has it, such as `Nov  1 00:00:00 2026 GMT`. */
  readonly validTo: string;
}

/** A host that takes longer for its certificate is done without, in milliseconds. */
const limitMs = 5_000;

/** @param url https or wss @returns undefined where none is shown. Never rejects. */
export async function shownCertificate(url: string): Promise<ShownCertificate | undefined> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'wss:') {
    return undefined;
  }
  // An address in brackets is one of IPv6.
  const host = hostname.replaceAll(/^\[|\]$/gu, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      ...(/[:\d.]+$/u.test(host) && !/[a-z]/iu.test(host) ? {} : { servername: host }),
      // It is looked at, not trusted.
      rejectUnauthorized: false,
    });
    const end = (certificate?: ShownCertificate): void => {
      socket.destroy();
      resolve(certificate);
    };
    socket.setTimeout(limitMs, () => end());
    socket.once('error', () => end());
    socket.once('close', () => end());
    socket.once('secureConnect', () => end(described(socket.getPeerCertificate())));
  });
}

function described(certificate: PeerCertificate): ShownCertificate | undefined {
  return Object.keys(certificate).length === 0
    ? undefined
    : {
        subject: nameOf(certificate.subject),
        issuer: nameOf(certificate.issuer),
        validTo: certificate.valid_to,
      };
}

function nameOf(parts: PeerCertificate['subject']): string {
  return Object.entries(parts)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(', ');
}
