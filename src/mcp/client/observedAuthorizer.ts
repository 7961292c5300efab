/**
 * Wraps an HttpAuthorizer and fires when its token changes, for code that keeps earlier answers of the
 * server. It decides nothing and knows no OAuth.
 */
import { Emitter } from '../../base/event.ts';
import type {
  AuthorizationHeaders,
  HttpAuthorizer,
  HttpRefusal,
  UserWait,
} from '../httpAuthorizer.ts';

export class ObservedAuthorizer implements HttpAuthorizer {
  readonly #authorizer: HttpAuthorizer;
  readonly #changed = new Emitter<void>();
  /** Fires before the first request that carries another token, or no token any more. */
  readonly onDidChange = this.#changed.event;
  readonly userWait: UserWait | undefined;
  #token: string | undefined;

  constructor(authorizer: HttpAuthorizer) {
    this.#authorizer = authorizer;
    this.userWait = authorizer.userWait;
  }

  headersFor(method: string, url: URL): ReturnType<HttpAuthorizer['headersFor']> {
    const headers = this.#authorizer.headersFor(method, url);
    return headers instanceof Promise
      ? headers.then((value) => this.#observe(value))
      : this.#observe(headers);
  }

  onRefused(refusal: HttpRefusal, signal: AbortSignal): Promise<boolean> {
    return this.#authorizer.onRefused(refusal, signal);
  }

  #observe(headers: AuthorizationHeaders | undefined): AuthorizationHeaders | undefined {
    // Other headers, such as a DPoP proof, change with each request.
    const token = headers?.['authorization'];
    if (token !== this.#token) {
      this.#token = token;
      this.#changed.fire();
    }
    return headers;
  }
}
