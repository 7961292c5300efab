/** The contract between HTTP channels and the code that authorizes their requests. Knows no OAuth. */
import { Emitter, type Event } from '../base/event.ts';

/** Headers of one request, for instance `authorization`. Values are secret. */
export type AuthorizationHeaders = Readonly<Record<string, string>>;

/** A response with status 401 or 403. */
export interface HttpRefusal {
  readonly status: number;
  /** All values of the header, joined by commas. */
  readonly wwwAuthenticate?: string;
  /** RFC 9449 section 8. */
  readonly dpopNonce?: string;
  /** The headers that the refused request carried; undefined if it carried none. */
  readonly sent: AuthorizationHeaders | undefined;
  /** How often this request has been refused and sent again already. */
  readonly attempt: number;
}

/** Tells when the client waits for the user. Time limits meant for the server pause meanwhile. */
export interface UserWait {
  readonly isWaiting: boolean;
  readonly onDidChange: Event<void>;
}

/** Authorizes the requests to one server. All channels to the server share one, and so share its tokens. */
export interface HttpAuthorizer {
  /**
   * The headers to send with a request. A promise only while tokens are read or renewed.
   * @throws McpError if a token is needed and cannot be obtained
   */
  headersFor(
    method: string,
    url: URL,
  ): AuthorizationHeaders | undefined | Promise<AuthorizationHeaders | undefined>;
  /**
   * Handles a refusal: gets a new token, a wider scope, or the user's sign-in. Resolves to true when the
   * request should be sent again, false when the refusal stands.
   * @throws McpError `signInNeeded`, `cancelled`, or `unauthorized` with the reason, in place of the refusal
   */
  onRefused(refusal: HttpRefusal, signal: AbortSignal): Promise<boolean>;
  /** Absent if it never waits for the user. */
  readonly userWait?: UserWait;
}

/** The same authorizer, which tells when its token changes: for code that keeps earlier answers of the server. */
export function observed(
  authorizer: HttpAuthorizer,
): HttpAuthorizer & { readonly onDidChange: Event<void> } {
  const changed = new Emitter<void>();
  let last: string | undefined;
  const observe = (headers: AuthorizationHeaders | undefined): typeof headers => {
    // Other headers, such as a DPoP proof, change with each request.
    const token = headers?.['authorization'];
    if (token !== last) {
      last = token;
      changed.fire();
    }
    return headers;
  };
  return {
    /** Fires before the first request that carries another token, or no token any more. */
    onDidChange: changed.event,
    userWait: authorizer.userWait,
    headersFor(method, url) {
      const headers = authorizer.headersFor(method, url);
      return headers instanceof Promise ? headers.then(observe) : observe(headers);
    },
    onRefused: (refusal, signal) => authorizer.onRefused(refusal, signal),
  };
}
