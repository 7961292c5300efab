/**
 * What signing in to a server needs from the editor: dialogs, the browser, the way back from it, and
 * the editor's own accounts. The host decides what is asked and when; nothing here sees a token but
 * those of the editor's own accounts.
 */
import type { later, Turn } from '../questions/questionQueue.ts';

/** What the user reads before anything is opened or handed over. Texts come from servers: data, not words of ours. */
export interface SignInSubject {
  /** The key of the entry in the settings. */
  readonly server: string;
  /** Of the server; a token goes to its origin, and no further: `https://mcp.example.com/mcp`. */
  readonly url: string;
  /** Who issues it: `https://login.example.com/tenant`. */
  readonly issuer: string;
  /** Empty when the server asks for none in particular. For an account, parameters of its provider are among them. */
  readonly scopes: readonly string[];
  /**
   * `first`: nothing is known of this server. `ended`: an earlier sign-in is of no use any more.
   * `more`: the server wants further permissions; `scopes` are all of them, the earlier ones included.
   */
  readonly reason: 'first' | 'ended' | 'more';
  /** How: a page in the browser, or an account that the editor knows, by its provider's label. */
  readonly by:
    | {
        readonly kind: 'browser';
        /** The origin of the page, which the issuer may have put on another host than its own. */
        readonly opens: string;
        /** The origin that gets the code and issues the tokens, which may be yet another one. */
        readonly tokenEndpoint: string;
        /** What the token is good for; as the server claims it, {@link url} or more than that. */
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

/** Where the browser would best come back to. */
export interface RedirectWish {
  /** The key of the entry, for what is shown meanwhile. */
  readonly server: string;
  readonly uri?: string;
  readonly port?: number;
}

/** A place that the browser comes back to. */
export interface RedirectListener {
  /** What the authorization server is told: `http://127.0.0.1:49152/callback`. */
  readonly uri: string;
  /**
   * Resolves with the parameters of the first request, unchecked; a place that several sign-ins share
   * tells them apart by `state`. Nothing of them may be shown or logged.
   * @throws McpError `cancelled` when the signal aborts
   */
  returned(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  /** Tells the page in the browser how it ended, if it is still there. Called at most once. */
  finish(outcome: 'signedIn' | 'failed'): void;
  /** Closes what is open. Also called before anything has returned. */
  dispose(): void;
}

export interface AccountProvider {
  /** Of `vscode.authentication`: `github`, `microsoft`. */
  readonly id: string;
  /** For people: `GitHub`. */
  readonly label: string;
  /** Asked for besides those of the server: what they say is meant for the provider. */
  readonly scopes: readonly string[];
}

export interface SignInUi {
  /** `no` also for a dialog that was closed. Asked one at a time, through the question queue. */
  confirmSignIn(subject: SignInSubject, turn: Turn): Promise<SignInAnswer | typeof later>;
  /**
   * Makes ready for the browser's return: a loopback listener on 127.0.0.1 (the port that is wished
   * for, else a free one) where the browser runs on the same machine, the URI handler elsewhere.
   * A wished `uri` that cannot be had leads to another place, a wished `port` that is taken to an error.
   * @throws McpError `invalidConfig` for a port that is taken
   */
  prepareRedirect(wish: RedirectWish, signal: AbortSignal): Promise<RedirectListener>;
  /**
   * Opens the system's browser, or puts the URL into the clipboard. False when that failed. The URL
   * holds `state`: never log it.
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
  /** Whether an address of a private network may be contacted on behalf of a server that is in none. */
  confirmPrivateAddress(
    question: { readonly server: string; readonly host: string; readonly address: string },
    turn: Turn,
  ): Promise<boolean | typeof later>;
  /**
   * The editor's authentication provider that signs in at an issuer: the one that the entry names
   * (`oauth.provider`), else the one for a known issuer. Opens nothing.
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
  /** With a permission among them. */
  readonly scopes: readonly string[];
  /** The token that it gave before is of no use any more: a new one is needed. */
  readonly isRefused: boolean;
  /** False: only what needs no dialog. */
  readonly mayAsk: boolean;
}

export interface AccountToken {
  readonly accessToken: string;
  /** For people, and to tell accounts apart: `octocat`. */
  readonly account: string;
  /** What the token is good for, which may be more than was asked for. */
  readonly scopes: readonly string[];
}
