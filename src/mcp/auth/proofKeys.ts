/** Keys: the one that a client authenticates with, and those that tokens are bound to (RFC 9449). */
import { t } from '../../base/l10n.ts';
import { createPrivateKey, type webcrypto } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { isObject } from '../../base/json.ts';
import { McpError } from '../errors.ts';
import type { PrivateKeySetting } from './authSettings.ts';
import { readChallenge } from './challenge.ts';
import type { ProofKey } from './credentials.ts';
import type { AuthorizationHeaders, HttpRefusal } from '../httpAuthorizer.ts';

/** @throws McpError `invalidConfig` when the key cannot be read, or does not fit the algorithm */
export async function importPrivateKey(setting: PrivateKeySetting): Promise<oauth.PrivateKey> {
  try {
    const der = createPrivateKey(setting.pem).export({ format: 'der', type: 'pkcs8' });
    const key = await crypto.subtle.importKey(
      'pkcs8',
      Uint8Array.from(der),
      parametersOf(setting.algorithm),
      false,
      ['sign'],
    );
    return setting.keyId === undefined ? { key } : { key, kid: setting.keyId };
  } catch (error) {
    throw new McpError(
      'invalidConfig',
      t(
        'The private key for signing in cannot be used with {0}: it has to be PKCS #8 in PEM and fit the algorithm',
        setting.algorithm,
      ),
      { cause: error },
    );
  }
}

function parametersOf(
  algorithm: string,
): webcrypto.EcKeyImportParams | webcrypto.RsaHashedImportParams | webcrypto.AlgorithmIdentifier {
  const hash = `SHA-${algorithm.slice(2)}`;
  switch (algorithm.slice(0, 2)) {
    case 'ES':
      return { name: 'ECDSA', namedCurve: curves[algorithm] ?? 'P-256' };
    case 'RS':
      return { name: 'RSASSA-PKCS1-v1_5', hash };
    case 'PS':
      return { name: 'RSA-PSS', hash };
    default:
      return { name: 'Ed25519' };
  }
}

const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

/** The first one that the server accepts is used; all are asymmetric (RFC 9449 section 5.1). */
const proofAlgorithms = ['ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS256'];

/** @throws McpError `unsupported` when the server accepts none of our algorithms */
export async function generateProofKey(server: oauth.AuthorizationServer): Promise<ProofKey> {
  const supported = server.dpop_signing_alg_values_supported ?? proofAlgorithms;
  const algorithm = proofAlgorithms.find((other) => supported.includes(other));
  if (algorithm === undefined) {
    throw new McpError(
      'unsupported',
      t(
        '{0} binds tokens to keys only with {1}, which this client does not have',
        server.issuer,
        supported.join(', '),
      ),
    );
  }
  const pair = await oauth.generateKeyPair(algorithm, { extractable: true });
  return {
    publicKey: await crypto.subtle.exportKey('jwk', pair.publicKey),
    privateKey: await crypto.subtle.exportKey('jwk', pair.privateKey),
  };
}

export async function proofHandle(key: ProofKey): Promise<oauth.DPoPHandle> {
  const publicKey = await importJwk(key.publicKey, 'verify');
  const privateKey = await importJwk(key.privateKey, 'sign');
  return oauth.DPoP({}, { publicKey, privateKey });
}

async function importJwk(
  jwk: webcrypto.JsonWebKey,
  use: 'sign' | 'verify',
): Promise<webcrypto.CryptoKey> {
  return crypto.subtle.importKey('jwk', jwk, parametersOf(algorithmOf(jwk)), use === 'verify', [
    use,
  ]);
}

function algorithmOf({ kty, crv, alg = 'RS256' }: webcrypto.JsonWebKey): string {
  if (kty === 'EC') {
    return Object.keys(curves).find((name) => curves[name] === crv) ?? 'ES256';
  }
  return kty === 'OKP' ? 'Ed25519' : alg;
}

const nonceNeeded = 'use_dpop_nonce';

/** @param proof one of ours */
function nonceIn(proof: string): unknown {
  const [, claims = ''] = proof.split('.');
  const read: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
  return isObject(read) ? read['nonce'] : undefined;
}

/** The `Authorization` and `DPoP` headers of requests with a token that is bound to a key (RFC 9449 section 7). */
export class ProofOfPossession {
  readonly #accessToken: string;
  readonly #handle: oauth.DPoPHandle;
  #nonce: string | undefined;

  private constructor(accessToken: string, handle: oauth.DPoPHandle) {
    this.#accessToken = accessToken;
    this.#handle = handle;
  }

  static async create(accessToken: string, key: ProofKey): Promise<ProofOfPossession> {
    return new ProofOfPossession(accessToken, await proofHandle(key));
  }

  /** Creates a new proof for each request. */
  async headersFor(method: string, url: URL): Promise<AuthorizationHeaders> {
    let headers: AuthorizationHeaders = {};
    await this.#through(method, url, (sent) => {
      headers = sent;
      return new Response(null, { status: 204 });
    });
    return headers;
  }

  /**
   * Keeps the nonce that a refusal supplies.
   * @returns whether the request should be sent again: its proof had another nonce, and that may be all that was wrong
   */
  async takeNonce({ dpopNonce, sent, wwwAuthenticate }: HttpRefusal, url: URL): Promise<boolean> {
    if (dpopNonce === undefined) {
      return false;
    }
    if (dpopNonce !== this.#nonce) {
      this.#nonce = dpopNonce;
      await this.#through(
        'GET',
        url,
        () => new Response(null, { status: 204, headers: { 'dpop-nonce': dpopNonce } }),
      );
    }
    const { error = nonceNeeded } = await readChallenge(wwwAuthenticate);
    const proof = sent?.['dpop'];
    return error === nonceNeeded && proof !== undefined && nonceIn(proof) !== dpopNonce;
  }

  /**
   * The library makes proofs only for requests that it sends. The channel sends ours, so the library is
   * given a response.
   */
  async #through(
    method: string,
    url: URL,
    answer: (headers: AuthorizationHeaders) => Response,
  ): Promise<void> {
    await oauth.protectedResourceRequest(this.#accessToken, method, url, undefined, undefined, {
      DPoP: this.#handle,
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: (_, { headers }) => Promise.resolve(answer({ ...headers })),
    });
  }
}
