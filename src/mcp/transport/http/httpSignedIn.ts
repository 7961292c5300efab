/** What an authorizer adds to a request, and what it makes of a refusal. */
import type { IncomingMessage } from 'node:http';
import { raceSignal } from '../../../base/async.ts';
import type { AuthorizationHeaders, HttpAuthorizer } from '../../httpAuthorizer.ts';

/** A fresh nonce, a refreshed token, a new sign-in, a wider scope: nothing resolves a fifth refusal. */
const maxAttempts = 4;

/** The attempts of one exchange, across all its redirects and retries. */
export class SignedInAttempts {
  readonly #authorizer: HttpAuthorizer | undefined;
  readonly #method: string;
  readonly #wanted: () => AbortSignal;
  #sent: AuthorizationHeaders | undefined;
  #count = 0;

  /** @param wanted returns a signal that aborts when nobody waits for the exchange any more */
  constructor(authorizer: HttpAuthorizer | undefined, method: string, wanted: () => AbortSignal) {
    this.#authorizer = authorizer;
    this.#method = method;
    this.#wanted = wanted;
  }

  /** The headers for the next attempt. */
  async headersFor(url: URL): Promise<AuthorizationHeaders | undefined> {
    const headers = this.#authorizer?.headersFor(this.#method, url);
    this.#sent = headers instanceof Promise ? await raceSignal(headers, this.#wanted()) : headers;
    return this.#sent;
  }

  /**
   * Whether to send the request again after this response.
   * @throws the error of the authorizer, in place of the refusal
   */
  async mends({
    statusCode: status,
    headers,
  }: Pick<IncomingMessage, 'statusCode' | 'headers'>): Promise<boolean> {
    const isRefusal = status === 401 || status === 403;
    // Do not ask for a sign-in just to end a session.
    const isFinal = this.#count === maxAttempts || this.#method === 'DELETE';
    if (this.#authorizer === undefined || !isRefusal || isFinal) {
      return false;
    }
    const { 'www-authenticate': wwwAuthenticate, 'dpop-nonce': dpopNonce } = headers;
    const refusal = {
      status,
      sent: this.#sent,
      attempt: this.#count,
      ...(wwwAuthenticate === undefined ? {} : { wwwAuthenticate }),
      ...(typeof dpopNonce === 'string' ? { dpopNonce } : {}),
    };
    this.#count += 1;
    return this.#authorizer.onRefused(refusal, this.#wanted());
  }
}
