/** What an entry says of the connections to its server: whom to trust, and through which proxy. Texts are resolved. */

export interface ConnectionSettings {
  readonly tls?: TlsSettings;
  /** False: straight to the server, past the editor's proxy too. Absent: as the editor's settings say. */
  readonly proxy?: ProxySettings | false;
}

export interface TlsSettings {
  /** Authorities in PEM, trusted besides those of Node and of the system. */
  readonly ca?: readonly string[];
  /** For servers that want to know who asks: certificate and private key in PEM. */
  readonly client?: {
    readonly cert: string;
    readonly key: string;
    readonly passphrase?: string;
  };
  /** The server's certificate is not looked at. Whoever sets it has seen to it that the server is on this machine. */
  readonly isInsecure?: true;
}

/** An HTTP proxy, spoken to with or without TLS. */
export interface ProxySettings {
  /** Scheme `http:` or `https:`, host and port, and nothing else. */
  readonly origin: string;
  /** Value of `Proxy-Authorization`. A secret. */
  readonly authorization?: string;
}
