/**
 * Connects the authorization code of one server with the user. Loaded with that code; the only file of the host that
 * knows it.
 */
import { createAuthFetch } from '../../mcp/auth/authFetch.ts';
import { Credentials } from '../../mcp/auth/credentials.ts';
import { OAuthAuthorizer } from '../../mcp/auth/oauthAuthorizer.ts';
import { routedFetch } from '../../mcp/auth/routedFetch.ts';
import type { AuthorizerRequest, LoadedAuthorizer } from './serverSignIn.ts';
import { type ConversationServices, SignInConversation } from './signInConversation.ts';

export interface AuthServices extends ConversationServices {
  /** This client's name when it registers. */
  readonly clientName: string;
}

export function createAuthorizer(
  request: AuthorizerRequest,
  services: AuthServices,
): LoadedAuthorizer {
  const { target, settings } = request;
  const { serverUrl } = target;
  const user = new SignInConversation(target, services);
  const { signal } = new AbortController(); // each request has a limit of its own
  return new OAuthAuthorizer({
    ...request,
    serverUrl,
    credentials: new Credentials(request.store, target.owner),
    user,
    fetch: createAuthFetch({
      serverUrl,
      confirmPrivateAddress: (url) => user.confirmPrivateAddress(url, signal),
      signal,
      fetch: request.connection && routedFetch(serverUrl, request.connection, settings.issuer),
    }),
    clientName: services.clientName,
  });
}
