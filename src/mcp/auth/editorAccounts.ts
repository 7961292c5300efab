/** Tokens of accounts that the editor itself knows: it gets and renews them, and they are not kept here. */
import type { SignInRequest } from './authorizationCode.ts';
import type { Tokens } from './credentials.ts';

/** Choices that are the user's besides the sign-in itself. */
export interface AccountsUser {
  /** Which of several authorization servers to sign in at. @throws McpError `cancelled` */
  chooseIssuer(issuers: readonly string[], signal: AbortSignal): Promise<string>;
  /** Whether the editor has accounts of its own at this issuer, so that nobody else need be asked there. */
  hasAccounts(issuer: string): boolean;
  /**
   * A token of an account that the editor itself knows, if it has one for the issuer.
   * @param request.isRefused the token that it gave before is of no use any more
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

/** Stands for the editor's own client, whose id it does not tell. */
export const accountClient = '';

export function accountTokens(accessToken: string, scope: string | undefined): Tokens {
  const obtainedAt = Date.now();
  const tokens = { accessToken, tokenType: 'bearer', clientId: accountClient, obtainedAt } as const;
  return scope === undefined ? tokens : { ...tokens, scope };
}
