/** The contract between HTTP channels and whoever signs their requests in. Knows no OAuth. */
import type { Event } from '../base/event.ts';

/** Headers of one request, for instance `authorization`. Values are secret. */
export type AuthorizationHeaders = Readonly<Record<string, string>>;

/** An answer with status 401 or 403. */
export interface HttpRefusal {
  readonly status: number;
  /** All values of the header, joined by commas. */
  readonly wwwAuthenticate?: string;
  /** RFC 9449 section 8. */
  readonly dpopNonce?: string;
  /** What the refused request was sent with; undefined when it had nothing. */
  readonly sent: AuthorizationHeaders | undefined;
  /** How often this request has been refused and sent again before. */
  readonly attempt: number;
}

/** Says when something waits for the user: limits of time that are meant for the server rest meanwhile. */
export interface UserWait {
  readonly isWaiting: boolean;
  readonly onDidChange: Event<void>;
}

/** Signs in the requests to one server. One for all channels to it, so that they share its tokens. */
export interface HttpAuthorizer {
  /**
   * What to send with a request. At hand in most cases; a promise while tokens are read or renewed.
   * @throws McpError when a token is needed and cannot be had
   */
  headersFor(
    method: string,
    url: URL,
  ): AuthorizationHeaders | undefined | Promise<AuthorizationHeaders | undefined>;
  /**
   * Does what the refusal asks for: a new token, a wider one, the user's sign-in.
   * Resolves to true when the request is worth another try, false when the refusal stands.
   * @throws McpError `signInNeeded`, `cancelled`, `unauthorized` with the reason, in place of the refusal
   */
  onRefused(refusal: HttpRefusal, signal: AbortSignal): Promise<boolean>;
  /** Absent where no user is ever waited for. */
  readonly userWait?: UserWait;
}
