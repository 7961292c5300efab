/** Which authorization server issues the tokens for one server, with its metadata. */
import type * as oauth from 'oauth4webapi';
import { McpError } from '../errors.ts';
import {
  discoverAtOrigin,
  type DiscoveryContext,
  discoverServer,
  type ProtectedResource,
} from './discovery.ts';
import { isSameIssuer } from './resource.ts';

export interface ServerChoice {
  readonly context: DiscoveryContext;
  /** Of the settings, for a server that names none. */
  readonly configuredIssuer: string | undefined;
  /** Whether a server without metadata may be one of 2025-03-26, whose origin signs in. */
  readonly allowsOriginFallback: () => boolean;
  /** @throws McpError `cancelled` */
  readonly chooseIssuer: (issuers: readonly string[], signal: AbortSignal) => Promise<string>;
}

export interface ChosenIssuer {
  readonly issuer: string;
  /** Whether it is the server's own origin, for want of any metadata (2025-03-26). */
  readonly isAssumed: boolean;
}

export class AuthorizationServers {
  readonly #choice: ServerChoice;
  /** Of this session of the editor: metadata seldom changes, and a refusal reads it again. */
  readonly #known = new Map<string, oauth.AuthorizationServer>();

  constructor(choice: ServerChoice) {
    this.#choice = choice;
  }

  /**
   * The one to ask after a refusal. Nothing is asked of it yet.
   * @param before issuer of the tokens so far; stays if it is still named
   * @throws McpError `unauthorized` when there is none
   */
  async choose(
    { issuers, isDescribed }: ProtectedResource,
    before: string | undefined,
    signal: AbortSignal,
  ): Promise<ChosenIssuer> {
    const { context, configuredIssuer, allowsOriginFallback, chooseIssuer } = this.#choice;
    const stays = issuers.find((issuer) => isSameIssuer(issuer, before));
    const chosen = stays ?? (issuers.length > 1 ? await chooseIssuer(issuers, signal) : issuers[0]);
    const issuer = chosen ?? configuredIssuer;
    if (issuer !== undefined) {
      return { issuer, isAssumed: false };
    }
    const { origin } = context.serverUrl;
    // 2025-03-26 knows no such metadata: a server that has some is of a later revision.
    if (isDescribed || !allowsOriginFallback()) {
      throw new McpError(
        'unauthorized',
        `${origin} asks for authorization without saying where to get it: set "oauth.issuer" of this server, or a header with a token`,
      );
    }
    return { issuer: origin, isAssumed: true };
  }

  /** The metadata of the one that was chosen, read anew. @throws McpError as {@link discoverServer} */
  async read({ issuer, isAssumed }: ChosenIssuer): Promise<oauth.AuthorizationServer> {
    const { context } = this.#choice;
    return this.#remember(
      isAssumed ? await discoverAtOrigin(context) : await discoverServer(issuer, context),
    );
  }

  /** The one of this issuer, from memory if it is known. */
  async get(issuer: string): Promise<oauth.AuthorizationServer> {
    const { context, allowsOriginFallback } = this.#choice;
    const isAssumed = issuer === context.serverUrl.origin && allowsOriginFallback();
    return this.#known.get(issuer) ?? this.read({ issuer, isAssumed });
  }

  #remember(server: oauth.AuthorizationServer): oauth.AuthorizationServer {
    this.#known.set(server.issuer, server);
    return server;
  }
}
