/**
 * Signs in the requests to one server. Light: reads from the store whether there are credentials, and loads the
 * authorization code at the first refusal or for stored tokens. Knows whether it waits for the user, and whether it may
 * ask.
 */
import { t } from '../../base/l10n.ts';
import { raceSignal } from '../../base/async.ts';
import { Emitter } from '../../base/event.ts';
import { McpError, isMcpError } from '../../mcp/errors.ts';
import type { AuthSettings } from '../../mcp/auth/authSettings.ts';
import {
  Credentials,
  type CredentialStore,
  type SignInOwner,
  type TokenOrigin,
  type Tokens,
} from '../../mcp/auth/credentials.ts';
import type {
  AuthorizationHeaders,
  HttpAuthorizer,
  HttpRefusal,
  UserWait,
} from '../../mcp/httpAuthorizer.ts';
import type { ConnectionSettings } from '../../mcp/network/connectionSettings.ts';

/** A server that may want a sign-in, with the settings of its entry. */
export interface SignInServer {
  readonly server: { readonly id: string; readonly name: string };
  readonly serverUrl: URL;
  readonly settings: AuthSettings;
  /** Of the entry, for requests in the server's network. */
  readonly connection?: ConnectionSettings | undefined;
  /** Whether a server without metadata may be of revision 2025-03-26, where its origin is the authorization server. */
  readonly allowsOriginFallback: boolean;
  readonly store: CredentialStore;
  /** Identifies what is stored for this server. */
  readonly owner: SignInOwner;
}

/** The product of the authorization code; see `createAuthorizer`. */
export interface LoadedAuthorizer extends HttpAuthorizer {
  /** Issuer and resource of the tokens in memory. */
  readonly origin: TokenOrigin | undefined;
  /** Deletes the tokens, and revokes them if the authorization server supports that. */
  signOut(): Promise<void>;
}

export interface AuthorizerRequest extends SignInServer {
  readonly mayAsk: () => boolean;
  /** Runs work that waits for the user: it can be cancelled, and timeouts pause meanwhile. */
  readonly waiting: <T>(
    run: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>;
  /** The content of a file, trimmed. The log hides it. */
  readonly readSecret: (path: string) => Promise<string>;
  readonly log: (text: string) => void;
  /** Called with the tokens that sign requests from now on; the log hides them. */
  readonly onTokens: (tokens: Tokens | undefined) => void;
  /** Called with secrets of token requests; the log hides them. */
  readonly onSecrets: (secrets: readonly string[]) => void;
}

/** What each start sets for a server. */
export interface SignInRun {
  /** Whether a person can be asked: they clicked, or wait for something that needs the server. */
  readonly mayAsk: () => boolean;
  readonly log: (text: string) => void;
  readonly addSecrets: (secrets: readonly string[]) => void;
}

export interface ServerSignInParts extends SignInServer {
  readonly readFile: (path: string) => Promise<string>;
  /** Whether an account of the editor may sign in to this server without a question. */
  readonly hasAccount: () => boolean;
  readonly load: (request: AuthorizerRequest) => LoadedAuthorizer;
  /** The user is needed and may not be asked. */
  readonly onNeed: () => void;
  /** {@link ServerSignIn.isSignedIn} or the wait has changed. */
  readonly onChange: () => void;
}

export class ServerSignIn implements HttpAuthorizer, UserWait {
  readonly #parts: ServerSignInParts;
  readonly #waitChanged = new Emitter<void>();
  #run: SignInRun | undefined;
  #loaded: LoadedAuthorizer | undefined;
  /** Whether the store has been read since the start. */
  #isKnown = false;
  #waits = 0;
  #cancelling = new AbortController();
  /** Requests are sent with them. */
  #tokens: Tokens | undefined;
  readonly onDidChange = this.#waitChanged.event;

  constructor(parts: ServerSignInParts) {
    this.#parts = parts;
  }

  get userWait(): UserWait {
    return this;
  }

  get isWaiting(): boolean {
    return this.#waits > 0;
  }

  get owner(): SignInOwner {
    return this.#parts.owner;
  }

  /** Issuer and resource of the tokens that requests are sent with. */
  get origin(): TokenOrigin | undefined {
    return this.#loaded?.origin;
  }

  /** Whether requests are sent with a token. */
  get isSignedIn(): boolean {
    return this.#tokens !== undefined;
  }

  /** The server starts again: from now on this run is asked and logged to. */
  beginRun(run: SignInRun): void {
    this.#run = run;
    this.#isKnown = false; // another window may have signed in
    this.#hideTokens(); // the log of this run may be a new one
  }

  headersFor(
    method: string,
    url: URL,
  ): AuthorizationHeaders | undefined | Promise<AuthorizationHeaders | undefined> {
    if (this.#loaded !== undefined) {
      return this.#loaded.headersFor(method, url);
    }
    return this.#isKnown ? undefined : this.#prepare(method, url);
  }

  async onRefused(refusal: HttpRefusal, signal: AbortSignal): Promise<boolean> {
    const isAboutTokens =
      refusal.status === 401 || refusal.wwwAuthenticate?.includes('insufficient_scope') === true;
    if (this.#loaded === undefined && !isAboutTokens) {
      return false;
    }
    if (this.#loaded === undefined && this.#isFutile()) {
      this.#parts.onNeed();
      throw signInNeeded(this.#parts.server.name);
    }
    try {
      return await this.#load().onRefused(refusal, signal);
    } catch (error) {
      // A request that is refused despite a fresh token does not mean that all are.
      const isDead = refusal.status === 401 && refusal.attempt === 0 && !this.#mayAsk();
      if (isDead && isMcpError(error) && error.code === 'signInNeeded') {
        this.#parts.onNeed();
      }
      throw error;
    }
  }

  /** Cancels a sign-in that is under way. */
  cancel(): void {
    const { name } = this.#parts.server;
    const reason = new McpError('signInNeeded', t('Signing in to {0} was cancelled', name));
    this.#cancelling.abort(reason);
    this.#cancelling = new AbortController();
  }

  /** Deletes the tokens for this server. */
  async signOut(): Promise<void> {
    this.cancel();
    await this.#load().signOut();
    this.#onTokens(undefined);
  }

  async #prepare(method: string, url: URL): Promise<AuthorizationHeaders | undefined> {
    const { owner, store } = this.#parts;
    const origin = await new Credentials(store, owner).origin();
    this.#isKnown = true;
    return origin === undefined ? undefined : this.#load().headersFor(method, url);
  }

  /** Whether only the user could help, who may not be asked: then nothing is loaded. */
  #isFutile(): boolean {
    const { settings, hasAccount } = this.#parts;
    return settings.grant.kind === 'authorizationCode' && !hasAccount() && !this.#mayAsk();
  }

  #mayAsk(): boolean {
    return this.#run?.mayAsk() ?? false;
  }

  #load(): LoadedAuthorizer {
    this.#loaded ??= this.#parts.load({
      ...this.#parts,
      mayAsk: () => this.#mayAsk(),
      waiting: async (run, signal) => this.#waiting(run, signal),
      readSecret: async (path) => this.#readSecret(path),
      log: (text) => this.#run?.log(text),
      onTokens: (tokens) => this.#onTokens(tokens),
      onSecrets: (secrets) => this.#run?.addSecrets(secrets),
    });
    return this.#loaded;
  }

  async #readSecret(path: string): Promise<string> {
    const secret = (await this.#parts.readFile(path)).trim();
    this.#run?.addSecrets([secret]);
    return secret;
  }

  #onTokens(tokens: Tokens | undefined): void {
    const wasSignedIn = this.isSignedIn;
    this.#tokens = tokens;
    this.#hideTokens();
    if (wasSignedIn !== this.isSignedIn) {
      this.#parts.onChange();
    }
  }

  #hideTokens(): void {
    const { accessToken, refreshToken } = this.#tokens ?? {};
    const secrets = [accessToken, refreshToken].filter((secret) => secret !== undefined);
    this.#run?.addSecrets(secrets);
  }

  async #waiting<T>(run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const both = AbortSignal.any([signal, this.#cancelling.signal]);
    this.#countWaits(1);
    try {
      return await raceSignal(run(both), both);
    } finally {
      this.#countWaits(-1);
    }
  }

  #countWaits(by: 1 | -1): void {
    const before = this.#waits;
    this.#waits += by;
    if (before === 0 || this.#waits === 0) {
      this.#waitChanged.fire();
      this.#parts.onChange();
    }
  }
}

/** For a start or request without a person to ask. */
export function signInNeeded(server: string): McpError {
  return new McpError('signInNeeded', t('{0} needs you to sign in: start it to do so', server));
}
