/**
 * TlsSettings → Node's TLS options, with the authorities of Node, of the system and of the entry together.
 * The editor adds the system's only to requests without `ca`.
 */
import { type ConnectionOptions, createSecureContext, getCACertificates } from 'node:tls';
import type { TlsSettings } from './connectionSettings.ts';

export type TlsOptions = Pick<
  ConnectionOptions,
  'secureContext' | 'ca' | 'cert' | 'rejectUnauthorized'
>;

/**
 * Slow: parses each of some 300 certificates. Omit `client` for connections to a proxy: it is for the server.
 * @throws OpenSSL's Error for invalid PEM, or a key that does not match
 */
export function tlsOptions({ ca = [], client, isInsecure }: TlsSettings): TlsOptions {
  return {
    secureContext: createSecureContext({
      ca: [...getCACertificates('default'), ...getCACertificates('system'), ...ca],
      ...client,
    }),
    // Has no effect next to `context`. But VS Code does not touch connections that have it, and Node shares
    // no connections between requests with different values.
    ...(ca.length === 0 ? {} : { ca: [...ca] }),
    ...(client === undefined ? {} : { cert: client.cert }),
    ...(isInsecure === true ? { rejectUnauthorized: false } : {}),
  };
}
