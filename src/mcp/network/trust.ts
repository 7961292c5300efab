/**
 * TlsSettings → options of Node's TLS: the authorities of Node, of the system and of the entry together. The editor adds
 * those of the system to requests without a `ca` alone.
 */
import { type ConnectionOptions, createSecureContext, getCACertificates } from 'node:tls';
import type { TlsSettings } from './connectionSettings.ts';

export type TlsOptions = Pick<
  ConnectionOptions,
  'secureContext' | 'ca' | 'cert' | 'rejectUnauthorized'
>;

/**
 * Is slow: each of some 300 certificates is parsed. For connections to a proxy `client` is left out: it is for the server.
 * @throws Error of OpenSSL for what is no PEM, or a key that does not fit
 */
export function tlsOptions({ ca = [], client, isInsecure }: TlsSettings): TlsOptions {
  return {
    secureContext: createSecureContext({
      ca: [...getCACertificates('default'), ...getCACertificates('system'), ...ca],
      ...client,
    }),
    // Does nothing beside the context, but VS Code leaves connections alone that have it, and Node
    // shares no connections between requests for which it differs.
    ...(ca.length === 0 ? {} : { ca: [...ca] }),
    ...(client === undefined ? {} : { cert: client.cert }),
    ...(isInsecure === true ? { rejectUnauthorized: false } : {}),
  };
}
