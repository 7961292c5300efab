/** Tokens of accounts that the editor manages: it gets and renews them, and they are not stored here. */
import type { SignInRequest } from './authorizationCode.ts';
import type { Tokens } from './credentials.ts';

/** The user's choices in addition to the sign-in itself. */
export interface AccountsUser {
  /** Chooses one of several authorization servers. @throws McpError `cancelled` */
  chooseIssuer(issuers: readonly string[], signal: AbortSignal): Promise<string>;
  /** Whether the editor has accounts of its own at this issuer, so that no other sign-in is needed. */
  hasAccounts(issuer: string): boolean;
  /**
   * A token of an account that the editor manages, if it has one for the issuer.
   * @param request.isRefused the token that it returned before is no longer valid
   */
  accountToken(
    request: {
      readonly issuer: string;
      readonly scope: string | undefined;
      readonly reason: SignInRequest['reason'];
      readonly isRefused: boolean;
    },
    signal: AbortSignal,
  ): Promise<string | undefined>;
}

/** Stands for the editor's own client, whose id is unknown. */
export const accountClient = '';

export function accountTokens(accessToken: string, scope: string | undefined): Tokens {
  const obtainedAt = Date.now();
  const tokens = { accessToken, tokenType: 'bearer', clientId: accountClient, obtainedAt } as const;
  return scope === undefined ? tokens : { ...tokens, scope };
}
