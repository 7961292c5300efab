/** The authorization server for one MCP server, with its metadata. */
import type * as oauth from 'oauth4webapi';
import { McpError } from '../errors.ts';
import {
  discoverAtOrigin,
  discoverServer,
  type DiscoveryContext,
  isSameIssuer,
  type ProtectedResource,
} from './discovery.ts';

export interface ServerChoice {
  readonly context: DiscoveryContext;
  /** From the settings, for a server that names no issuer. */
  readonly configuredIssuer: string | undefined;
  /** Whether a server without metadata may be one of 2025-03-26, whose origin is the authorization server. */
  readonly allowsOriginFallback: boolean;
  /** @throws McpError `cancelled` */
  readonly chooseIssuer: (issuers: readonly string[], signal: AbortSignal) => Promise<string>;
}

export interface ChosenIssuer {
  readonly issuer: string;
  /** True if the server's own origin is assumed, because there is no metadata (2025-03-26). */
  readonly isAssumed: boolean;
}

export class AuthorizationServers {
  readonly #choice: ServerChoice;
  /** Kept for this session of the editor: metadata seldom changes, and a refusal reads it again. */
  readonly #known = new Map<string, oauth.AuthorizationServer>();

  constructor(choice: ServerChoice) {
    this.#choice = choice;
  }

  /**
   * Chooses the authorization server after a refusal. Sends nothing to it yet.
   * @param before issuer of the current tokens; kept if the server still names it
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
    // 2025-03-26 has no such metadata: a server that has it is of a later revision.
    if (isDescribed || !allowsOriginFallback) {
      throw new McpError(
        'unauthorized',
        `${origin} requires authorization but names no authorization server: set "oauth.issuer" of this server, or a header with a token`,
      );
    }
    return { issuer: origin, isAssumed: true };
  }

  /** Reads the metadata of the chosen server again. @throws McpError as {@link discoverServer} */
  async read({ issuer, isAssumed }: ChosenIssuer): Promise<oauth.AuthorizationServer> {
    const { context } = this.#choice;
    const server = await (isAssumed ? discoverAtOrigin(context) : discoverServer(issuer, context));
    this.#known.set(server.issuer, server);
    return server;
  }

  /** The metadata of this issuer, from memory if it is known. */
  async get(issuer: string): Promise<oauth.AuthorizationServer> {
    const { context, allowsOriginFallback } = this.#choice;
    const isAssumed = issuer === context.serverUrl.origin && allowsOriginFallback;
    return this.#known.get(issuer) ?? this.read({ issuer, isAssumed });
  }
}
