/**
 * What a sign-in needs from the editor: dialogs, the browser, the redirect from it, and the editor's own accounts. The
 * host decides what is asked and when. Nothing here sees a token, except those of the editor's accounts.
 */
import type { later, Turn } from '../questions/questionQueue.ts';

/** What the user reads before a page is opened or a token is handed over. Texts come from servers and are untrusted. */
export interface SignInSubject {
  /** The key of the entry in the settings. */
  readonly server: string;
  /** The server's URL; a token goes only to its origin: `https://mcp.example.com/mcp`. */
  readonly url: string;
  /** The issuer of the token: `https://login.example.com/tenant`. */
  readonly issuer: string;
  /** Empty when the server asks for no particular ones. For an account, they include parameters of its provider. */
  readonly scopes: readonly string[];
  /**
   * `first`: nothing is known of this server. `ended`: an earlier sign-in is no longer valid. `more`: the server wants
   * further permissions; `scopes` are all, including the earlier ones.
   */
  readonly reason: 'first' | 'ended' | 'more';
  /** A page in the browser, or an account of the editor, by its provider's label. */
  readonly by:
    | {
        readonly kind: 'browser';
        /** The origin of the page, which may be another host than the issuer's. */
        readonly opens: string;
        /** The origin that gets the code and issues the tokens, which may be yet another one. */
        readonly tokenEndpoint: string;
        /** The resource that the token is for, as the server claims: {@link url} or more than that. */
        readonly resource: string;
      }
    | {
        readonly kind: 'account';
        readonly label: string;
        /** `octocat`; undefined where the editor asks which one. */
        readonly account: string | undefined;
      };
}

/** `copy`: the link goes to the clipboard, for another browser. */
export type SignInAnswer = 'open' | 'copy' | 'no';

/** The preferred redirect URI. */
export interface RedirectWish {
  /** The key of the entry, shown meanwhile. */
  readonly server: string;
  readonly uri?: string;
  readonly port?: number;
  /** The client of the entry: if the server does not know it, only its page in the browser says so. */
  readonly clientId?: string;
}

/** Receives the browser's redirect. */
export interface RedirectListener {
  /** The redirect URI for the authorization server: `http://127.0.0.1:49152/callback`. */
  readonly uri: string;
  /**
   * Resolves with the parameters of the first request, unchecked; a listener that several sign-ins share tells them
   * apart by `state`. Never show or log the parameters.
   * @throws McpError `cancelled` when the signal aborts
   */
  returned(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  /** Shows the outcome on the page in the browser, if it is still open. Called at most once. */
  finish(outcome: 'signedIn' | 'failed'): void;
  /** Closes the listener. May be called before a redirect. */
  dispose(): void;
}

export interface AccountProvider {
  /** Of `vscode.authentication`: `github`, `microsoft`. */
  readonly id: string;
  /** For people: `GitHub`. */
  readonly label: string;
  /** Requested besides the server's scopes: parameters for the provider. */
  readonly scopes: readonly string[];
}

export interface SignInUi {
  /** `no` also for a closed dialog. Asked one at a time, through the question queue. */
  confirmSignIn(subject: SignInSubject, turn: Turn): Promise<SignInAnswer | typeof later>;
  /**
   * Prepares the redirect: a loopback listener on 127.0.0.1 (on the preferred port, else a free one) if the browser
   * runs on the same machine, otherwise the URI handler. If the preferred `uri` is not available, another one is used;
   * a preferred `port` that is taken is an error.
   * @throws McpError `invalidConfig` for a port that is taken
   */
  prepareRedirect(wish: RedirectWish, signal: AbortSignal): Promise<RedirectListener>;
  /**
   * Opens the system's browser, or copies the URL to the clipboard. False when that failed. The URL holds `state`:
   * never log it.
   */
  openBrowser(url: URL, how: 'open' | 'copy'): Promise<boolean>;
  /** One of `issuers`, or undefined when the question was closed. */
  chooseIssuer(
    question: {
      readonly server: string;
      readonly host: string;
      readonly issuers: readonly string[];
    },
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** Whether to contact an address in a private network for a server outside of it. */
  confirmPrivateAddress(
    question: { readonly server: string; readonly host: string; readonly address: string },
    turn: Turn,
  ): Promise<boolean | typeof later>;
  /**
   * The editor's authentication provider for an issuer: the one that the entry names (`oauth.provider`), else that of a
   * known issuer. Opens nothing.
   */
  accountProvider(issuer: string, named: string | undefined): AccountProvider | undefined;
  /**
   * A token of an account of the editor. Called only for servers that the user has given access.
   * @returns undefined when there is none
   */
  accountToken(request: AccountRequest, signal: AbortSignal): Promise<AccountToken | undefined>;
}

export interface AccountRequest {
  /** An {@link AccountProvider.id}. */
  readonly provider: string;
  /** Includes at least one permission. */
  readonly scopes: readonly string[];
  /** The previous token is no longer valid: a new one is needed. */
  readonly isRefused: boolean;
  /** False: only what needs no dialog. */
  readonly mayAsk: boolean;
}

export interface AccountToken {
  readonly accessToken: string;
  /** For display, and to distinguish accounts: `octocat`. */
  readonly account: string;
  /** The scopes of the token, which may be more than requested. */
  readonly scopes: readonly string[];
}
