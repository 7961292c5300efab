/** What an authorizer adds to a request, and what it makes of a refusal. */
import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { raceSignal } from '../../../base/async.ts';
import type { AuthorizationHeaders, HttpAuthorizer } from '../../httpAuthorizer.ts';
import { isSessionLoss, toRefusal } from './httpErrors.ts';

/** A fresh nonce, a refreshed token, a new sign-in, a wider scope: nothing resolves a fifth refusal. */
const maxAttempts = 4;
/** Milliseconds for the beginning of a body. */
const startMs = 1_000;

interface SignedInRequest {
  readonly method: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** The attempts of one exchange, across all its redirects and retries. */
export class SignedInAttempts {
  readonly #authorizer: HttpAuthorizer | undefined;
  readonly #request: SignedInRequest;
  readonly #wanted: () => AbortSignal;
  #sent: AuthorizationHeaders | undefined;
  #count = 0;

  /** @param wanted returns a signal that aborts when nobody waits for the exchange any more */
  constructor(
    authorizer: HttpAuthorizer | undefined,
    request: SignedInRequest,
    wanted: () => AbortSignal,
  ) {
    this.#authorizer = authorizer;
    this.#request = request;
    this.#wanted = wanted;
  }

  /** The headers for the next attempt. */
  async headersFor(url: URL): Promise<AuthorizationHeaders | undefined> {
    const headers = this.#authorizer?.headersFor(this.#request.method, url);
    this.#sent = headers instanceof Promise ? await raceSignal(headers, this.#wanted()) : headers;
    return this.#sent;
  }

  /**
   * Whether to send the request again after this response.
   * @throws the error of the authorizer, in place of the refusal
   */
  async mends(response: IncomingMessage): Promise<boolean> {
    const { statusCode: status, headers } = response;
    const isRefusal = status === 401 || status === 403;
    // Do not ask for a sign-in just to end a session.
    const isFinal = this.#count === maxAttempts || this.#request.method === 'DELETE';
    if (this.#authorizer === undefined || !isRefusal || isFinal) {
      return false;
    }
    const { 'www-authenticate': wwwAuthenticate, 'dpop-nonce': dpopNonce } = headers;
    const hasSession = this.#request.headers?.['mcp-session-id'] !== undefined;
    if (hasSession && status === 401 && wwwAuthenticate === undefined) {
      // Older Rust servers say so of a session that they do not know: no sign-in would help.
      if (isSessionLoss(toRefusal(response, await startOf(response, this.#wanted())))) {
        return false;
      }
    }
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

/** What has come of the body, which stays unread. Empty if there is none. */
async function startOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(startMs)]);
  await once(response, 'readable', { signal: limited }).catch(() => undefined);
  const start: Buffer | null = response.read();
  if (start === null) {
    return '';
  }
  response.unshift(start);
  return start.toString();
}
