/** What a server's entry says of authorization, with every variable replaced. Values may be secret. */

export interface AuthSettings {
  /** How tokens are come by; the user's sign-in in a browser unless the entry says otherwise. */
  readonly grant:
    | { readonly kind: 'authorizationCode' }
    | { readonly kind: 'clientCredentials' }
    | EnterpriseGrant
    | WorkloadGrant;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** For `private_key_jwt`. */
  readonly privateKey?: PrivateKeySetting;
  /** Where this client's metadata document is published; used as client id (Client ID Metadata Document). */
  readonly clientMetadataUrl?: string;
  /** The port of the loopback redirect URI; any free one when left out. */
  readonly redirectPort?: number;
  /** The editor's authentication provider that signs in, by its id. */
  readonly provider?: string;
  /** Asked for instead of what the server names. */
  readonly scopes?: readonly string[];
  /** The authorization server of a server that publishes none. */
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

/** Enterprise-managed authorization: an identity assertion is traded for tokens (ID-JAG). */
export interface EnterpriseGrant {
  readonly kind: 'enterpriseManaged';
  readonly idpTokenEndpoint: string;
  readonly idpClientId: string;
  readonly idpClientSecret?: string;
  /** The identity assertion itself. */
  readonly idToken: string;
}

/**
 * Workload identity federation: a token of the platform is traded for one of the server. A platform
 * writes its file anew every few minutes.
 */
export type WorkloadGrant =
  | { readonly kind: 'workloadIdentity'; readonly assertion: string }
  | {
      readonly kind: 'workloadIdentity';
      /** An absolute path, read for each request. */
      readonly assertionFile: string;
    };
