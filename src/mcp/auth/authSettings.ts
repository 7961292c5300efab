/** The `oauth` settings of a server's entry, with every variable resolved. Values may be secret. */

export interface AuthSettings {
  /** How to get tokens. Default: the user signs in in a browser. */
  readonly grant:
    | { readonly kind: 'authorizationCode' }
    | { readonly kind: 'clientCredentials' }
    | EnterpriseGrant
    | WorkloadGrant;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** For `private_key_jwt`. */
  readonly privateKey?: PrivateKeySetting;
  /** The URL of this client's metadata document, used as client id (Client ID Metadata Document). */
  readonly clientMetadataUrl?: string;
  /** The port of the loopback redirect URI. Default: any free port. */
  readonly redirectPort?: number;
  /** The id of the editor's authentication provider that signs in. */
  readonly provider?: string;
  /** Requested instead of the scopes that the server names. */
  readonly scopes?: readonly string[];
  /** The authorization server, for a server that names none, or several. */
  readonly issuer?: string;
  /** Whether tokens are bound to a key (RFC 9449). */
  readonly dpop: boolean;
}

export interface PrivateKeySetting {
  /** PKCS #8 in PEM. */
  readonly pem: string;
  /** A JWS algorithm, for instance `ES256`. */
  readonly algorithm: string;
  readonly keyId?: string;
}

/** Enterprise-managed authorization: exchanges an identity assertion for tokens (ID-JAG). */
export interface EnterpriseGrant {
  readonly kind: 'enterpriseManaged';
  readonly idpTokenEndpoint: string;
  readonly idpClientId: string;
  readonly idpClientSecret?: string;
  /** The identity assertion itself. */
  readonly idToken: string;
}

/**
 * Workload identity federation: exchanges a token of the platform for one of the server. A platform
 * rewrites its file every few minutes.
 */
export type WorkloadGrant =
  | { readonly kind: 'workloadIdentity'; readonly assertion: string }
  | {
      readonly kind: 'workloadIdentity';
      /** An absolute path, read for each request. */
      readonly assertionFile: string;
    };
