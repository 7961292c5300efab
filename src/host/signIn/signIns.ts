/**
 * The sign-ins to all servers: one authorizer a server, what is stored of them, and who is being waited
 * for. Nothing of OAuth is loaded for a server that never asks for it.
 */
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { stableStringify } from '../../base/json.ts';
import type { AuthSettings } from '../../mcp/auth/authSettings.ts';
import { Credentials, type StoredItem } from '../../mcp/auth/credentials.ts';
import type { ProtocolChoice } from '../../mcp/revisions.ts';
import type { HttpAuthorizer } from '../../mcp/httpAuthorizer.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { ResolvedLaunch, SecretStore } from '../ports.ts';
import type { AccountAccess, AccountGrant } from './accountAccess.ts';
import {
  type AuthorizerRequest,
  type LoadedAuthorizer,
  ServerSignIn,
  type SignInRun,
} from './serverSignIn.ts';

/** What is kept of sign-ins, in names and times, never in values. */
export type StoredSignIn = StoredItem | ({ readonly kind: 'account' } & AccountGrant);

export interface SignInServices {
  readonly store: SecretStore;
  readonly accounts: AccountAccess;
  readonly readFile: (path: string) => Promise<string>;
  /** Makes an authorizer; loads the authorization code. */
  readonly load: (request: AuthorizerRequest) => LoadedAuthorizer;
  /** Of the user's settings: where this client's metadata document is published. */
  readonly clientMetadataUrl: () => string | undefined;
}

type ReachedLaunch = Exclude<ResolvedLaunch, { kind: 'stdio' }>;

interface Known {
  readonly signIn: ServerSignIn;
  /** Of the URL and the settings that it is for. */
  readonly fingerprint: string;
}

export class SignIns implements Disposable {
  readonly #services: SignInServices;
  readonly #known = new Map<ServerId, Known>();
  readonly #changed = new Emitter<ServerId>();
  readonly #needed = new Emitter<ServerId>();
  /** The user is waited for or no more, or tokens came or went. */
  readonly onDidChange = this.#changed.event;
  /** A server cannot go on: nobody is signed in to it any more, and nobody was there to be asked. */
  readonly onDidNeedSignIn = this.#needed.event;

  constructor(services: SignInServices) {
    this.#services = services;
  }

  /**
   * What signs in the requests of one start; undefined where nobody is to: the entry says so or brings
   * a header of its own, or the server is a program or a socket of this machine.
   */
  authorizerFor(
    server: ServerConfig,
    launch: ResolvedLaunch,
    run: SignInRun,
  ): HttpAuthorizer | undefined {
    if (launch.kind === 'stdio' || launch.auth === undefined) {
      this.#known.delete(server.id);
      return undefined;
    }
    const settings = this.#complete(launch.auth);
    const fingerprint = stableStringify([launch.url, settings, server.protocol, launch.connection]);
    let known = this.#known.get(server.id);
    if (known?.fingerprint !== fingerprint) {
      known = { fingerprint, signIn: this.#create(server, launch, settings) };
      this.#known.set(server.id, known);
    }
    known.signIn.beginRun(run);
    return known.signIn;
  }

  /** Whether a sign-in to this server waits for the user, in a dialog or in the browser. */
  isWaiting(id: ServerId): boolean {
    return this.#known.get(id)?.signIn.userWait.isWaiting === true;
  }

  /** Whether requests to this server go out with a token. Known once it was started. */
  isSignedIn(id: ServerId): boolean {
    return this.#known.get(id)?.signIn.isSignedIn === true;
  }

  /** Ends a sign-in that waits for the user. The start that waits for it ends as `signInNeeded`. */
  cancel(id: ServerId): void {
    this.#known.get(id)?.signIn.cancel();
  }

  /**
   * Forgets the tokens and the account of a server, and tells the authorization server where it takes
   * that. Its session goes on until it is stopped. Says whether there was anything to forget.
   */
  async signOut(server: ServerConfig): Promise<boolean> {
    const signIn = this.#known.get(server.id)?.signIn ?? this.#idle(server);
    if (signIn === undefined) {
      return false;
    }
    const { origin, pathname } = signIn.serverUrl;
    const key = origin + pathname;
    const { store, accounts } = this.#services;
    const hadAny = accounts.has(key) || (await new Credentials(store).origin(key)) !== undefined;
    await accounts.revoke(key);
    await signIn.signOut();
    this.#changed.fire(server.id);
    return hadAny;
  }

  /** Everything that is kept, of all servers and workspaces. */
  async stored(): Promise<readonly StoredSignIn[]> {
    const { store, accounts } = this.#services;
    const grants = accounts.list().map((grant) => ({ kind: 'account', ...grant }) as const);
    return [...(await new Credentials(store).list()), ...grants];
  }

  /** Forgets one thing that is kept. A server that is reached with it needs a sign-in from then on. */
  async forget(item: StoredSignIn): Promise<void> {
    const credentials = new Credentials(this.#services.store);
    switch (item.kind) {
      case 'registration':
        await credentials.forgetRegistration(item.issuer, item.clientId);
        break;
      case 'tokens':
        await this.#endUse(async (serverUrl) => {
          const origin = await credentials.origin(serverUrl);
          return origin?.issuer === item.issuer && origin.resource === item.resource;
        });
        await credentials.setTokens(item.issuer, item.resource, undefined);
        break;
      case 'account':
        await this.#services.accounts.revoke(item.serverUrl, item.provider);
        await this.#endUse(async (serverUrl) => serverUrl === item.serverUrl);
        break;
    }
  }

  /** What a running server holds in memory would go out with its next request otherwise. */
  async #endUse(fits: (serverUrl: string) => Promise<boolean>): Promise<void> {
    for (const [id, { signIn }] of this.#known) {
      const { origin, pathname } = signIn.serverUrl;
      if (await fits(origin + pathname)) {
        const wasSignedIn = signIn.isSignedIn;
        await signIn.signOut();
        if (wasSignedIn) {
          this.#needed.fire(id);
        }
        this.#changed.fire(id);
      }
    }
  }

  /** Who issued the tokens for a server when it was last signed in to. */
  async issuerOf(server: ServerConfig): Promise<string | undefined> {
    const signIn = this.#known.get(server.id)?.signIn ?? this.#idle(server);
    if (signIn === undefined) {
      return undefined;
    }
    const { origin, pathname } = signIn.serverUrl;
    return (await new Credentials(this.#services.store).origin(origin + pathname))?.issuer;
  }

  /** The next sign-in at this issuer registers the client anew. */
  async forgetRegistration(issuer: string): Promise<void> {
    await new Credentials(this.#services.store).forgetRegistration(issuer);
  }

  dispose(): void {
    for (const { signIn } of this.#known.values()) {
      signIn.cancel();
    }
    this.#known.clear();
    this.#changed.dispose();
    this.#needed.dispose();
  }

  /** For a server that has not been started; undefined where its URL is not known before. */
  #idle(server: ServerConfig): ServerSignIn | undefined {
    const { launch } = server;
    if (launch.kind !== 'http' || launch.url.includes('${') || !URL.canParse(launch.url)) {
      return undefined;
    }
    const settings = this.#complete({ grant: { kind: 'authorizationCode' }, dpop: false });
    return this.#create(server, { url: launch.url }, settings);
  }

  #complete(settings: AuthSettings): AuthSettings {
    const clientMetadataUrl = settings.clientMetadataUrl ?? this.#services.clientMetadataUrl();
    return clientMetadataUrl === undefined ? settings : { ...settings, clientMetadataUrl };
  }

  #create(
    { id, name, protocol }: ServerConfig,
    { url, connection }: Pick<ReachedLaunch, 'url' | 'connection'>,
    settings: AuthSettings,
  ): ServerSignIn {
    const serverUrl = httpUrl(url);
    const { store, accounts, readFile, load } = this.#services;
    return new ServerSignIn({
      server: { id, name },
      serverUrl,
      settings,
      connection,
      allowsOriginFallback: allowsOriginFallback(protocol),
      store,
      readFile,
      hasAccount: () => accounts.has(serverUrl.origin + serverUrl.pathname),
      load,
      onNeed: () => this.#needed.fire(id),
      onChange: () => this.#changed.fire(id),
    });
  }
}

/** Only 2025-03-26 knows authorization without metadata; an entry that pins another revision rules it out. */
function allowsOriginFallback(protocol: ProtocolChoice): boolean {
  return protocol === 'auto' || protocol === 'legacy' || protocol === '2025-03-26';
}

/** A WebSocket is opened by a request of HTTP. */
function httpUrl(text: string): URL {
  return new URL(text.replace(/^ws/u, 'http'));
}
