/** The network settings of a server's entry (trusted authorities, proxy), texts resolved, and what Node's TLS makes of them. */
import { type ConnectionOptions, createSecureContext, getCACertificates } from 'node:tls';

export interface ConnectionSettings {
  readonly tls?: TlsSettings;
  /** False: connect directly, without the editor's proxy. Absent: as the editor's settings say. */
  readonly proxy?: ProxySettings | false;
}

export interface TlsSettings {
  /** Certificate authorities in PEM, trusted in addition to those of Node and of the system. */
  readonly ca?: readonly string[];
  /** Client certificate and private key in PEM, for servers that ask for them. */
  readonly client?: {
    readonly cert: string;
    readonly key: string;
    readonly passphrase?: string;
  };
  /** Skips the check of the server's certificate. Whoever sets it has made sure that the server is on this machine. */
  readonly isInsecure?: true;
}

/** An HTTP proxy, with or without TLS. */
export interface ProxySettings {
  /** Scheme `http:` or `https:`, host and port only. */
  readonly origin: string;
  /** Value of `Proxy-Authorization`; a secret. */
  readonly authorization?: string;
}

export type TlsOptions = Pick<
  ConnectionOptions,
  'secureContext' | 'ca' | 'cert' | 'rejectUnauthorized'
>;

/**
 * Node's TLS options, with the authorities of Node, of the system and of the entry together. The editor adds the system's
 * only to requests without `ca`.
 *
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
