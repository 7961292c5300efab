/** The network settings of a server's entry: trusted authorities and proxy. Texts are resolved. */

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
