/** The `Authorization` and `DPoP` headers of requests with a token that is bound to a key (RFC 9449 section 7). */
import * as oauth from 'oauth4webapi';
import type { AuthorizationHeaders, HttpRefusal } from '../httpAuthorizer.ts';
import type { ProofKey } from './credentials.ts';
import { proofHandle } from './proofKeys.ts';

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

  /** Whether the refusal supplies an unused nonce: then the request should be sent again. */
  async takeNonce({ dpopNonce }: HttpRefusal, url: URL): Promise<boolean> {
    if (dpopNonce === undefined || dpopNonce === this.#nonce) {
      return false;
    }
    this.#nonce = dpopNonce;
    await this.#through(
      'GET',
      url,
      () => new Response(null, { status: 204, headers: { 'dpop-nonce': dpopNonce } }),
    );
    return true;
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
