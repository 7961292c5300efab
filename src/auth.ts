/**
 * Entry point of the bundle that signs in to servers: OAuth, and the questions to the user that belong
 * to it. The extension loads it when a server first asks for authorization, or when there are tokens
 * for one, and imports it by type only.
 */
import type { AuthorizerRequest, LoadedAuthorizer } from './host/signIn/serverSignIn.ts';
import { type ConversationServices, SignInConversation } from './host/signIn/signInConversation.ts';
import { createAuthFetch } from './mcp/auth/authFetch.ts';
import { Credentials } from './mcp/auth/credentials.ts';
import { OAuthAuthorizer } from './mcp/auth/oauthAuthorizer.ts';
import { revisionsNewestFirst } from './mcp/revisions.ts';

/** For this bundle's own copy of the event code: what no caller can receive goes where the extension says. */
export { setUnexpectedErrorHandler } from './base/event.ts';

export interface AuthServices extends ConversationServices {
  /** How this client calls itself when it registers. */
  readonly clientName: string;
}

export function createAuthorizer(
  request: AuthorizerRequest,
  services: AuthServices,
): LoadedAuthorizer {
  const { affair, serverUrl, settings, allowsOriginFallback, store, log, onTokens } = request;
  const user = new SignInConversation(affair, services);
  const { signal } = new AbortController(); // each request has a limit of its own
  return new OAuthAuthorizer({
    serverUrl,
    settings,
    credentials: new Credentials(store),
    user,
    fetch: createAuthFetch({
      serverUrl,
      confirmPrivateAddress: (url) => user.confirmPrivateAddress(url, signal),
      signal,
    }),
    clientName: services.clientName,
    allowsOriginFallback: () => allowsOriginFallback,
    revision: revisionsNewestFirst[0],
    log,
    onTokens,
  });
}
