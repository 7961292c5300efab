/**
 * The sign-ins to all servers: one authorizer a server, what is stored of them, and who is being waited
 * for. Nothing of OAuth is loaded for a server that never asks for it.
 */
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { stableStringify } from '../../base/json.ts';
import type { AuthSettings } from '../../mcp/auth/authSettings.ts';
import {
  Credentials,
  type CredentialStore,
  isSameOwner,
  type SignInOwner,
  type StoredItem,
  storedItems,
} from '../../mcp/auth/credentials.ts';
import type { ProtocolChoice } from '../../mcp/revisions.ts';
import type { HttpAuthorizer } from '../../mcp/httpAuthorizer.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { AccountAccess, AccountGrant } from './accountAccess.ts';
import {
  type AuthorizerRequest,
  type LoadedAuthorizer,
  ServerSignIn,
  type ServerSignInParts,
  type SignInRun,
} from './serverSignIn.ts';
import { entryOf, ownerOf } from './signInOwner.ts';

/** What is kept of sign-ins, in names and times, never in values. */
export type StoredSignIn = StoredItem | ({ readonly kind: 'account' } & AccountGrant);

export interface SignInServices {
  readonly store: CredentialStore;
  readonly accounts: AccountAccess;
  /** Tells this workspace from others. */
  readonly workspaceId: string;
  readonly readFile: (path: string) => Promise<string>;
  /** Makes an authorizer; loads the authorization code. */
  readonly load: (request: AuthorizerRequest) => LoadedAuthorizer;
  /** Of the user's settings: where this client's metadata document is published. */
  readonly clientMetadataUrl: () => string | undefined;
}

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
      const serverUrl = httpUrl(launch.url);
      const { connection } = launch;
      const owner = ownerOf(server, this.#services.workspaceId, serverUrl, connection);
      const signIn = this.#create(server, { serverUrl, owner, connection, settings });
      known = { fingerprint, signIn };
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
   * Forgets the tokens and the account of a server, whatever its URL was and whichever way it was reached, and tells the
   * authorization server where it takes that. Its session goes on until it is stopped. Says whether there was anything
   * to forget.
   */
  async signOut(server: ServerConfig): Promise<boolean> {
    const own = (await this.stored()).filter(
      (item) => item.kind !== 'registration' && this.isOf(item, server),
    );
    const known = this.#known.get(server.id)?.signIn;
    await known?.signOut();
    for (const item of own) {
      if (item.kind === 'tokens' && !(known && isSameOwner(item.owner, known.owner))) {
        // By the way of another entry nothing of it is sent, and that is not known here.
        const idle = item.owner.route === '' ? this.#idle(server, item.owner) : undefined;
        await idle?.signOut();
      }
      await this.#drop(item);
    }
    this.#changed.fire(server.id);
    return own.length > 0;
  }

  /** Whether it is kept for this entry. */
  isOf({ owner }: StoredSignIn, server: ServerConfig): boolean {
    const entry = entryOf(server, this.#services.workspaceId);
    return owner.scope === entry.scope && owner.server === entry.server;
  }

  /** Everything that is kept, of all servers and workspaces. */
  async stored(): Promise<readonly StoredSignIn[]> {
    const { store, accounts } = this.#services;
    const grants = accounts.list().map((grant) => ({ kind: 'account', ...grant }) as const);
    return [...(await storedItems(store)), ...grants];
  }

  /** Forgets one thing that is kept. A server that is reached with it needs a sign-in from then on. */
  async forget(item: StoredSignIn): Promise<void> {
    if (item.kind === 'tokens') {
      await this.#endUse(item.owner); // with them their issuer is told
    }
    await this.#drop(item);
    if (item.kind === 'account') {
      await this.#endUse(item.owner);
    }
  }

  async #drop(item: StoredSignIn): Promise<void> {
    const { store, accounts } = this.#services;
    const credentials = new Credentials(store, item.owner);
    switch (item.kind) {
      case 'registration':
        await credentials.forgetRegistration(item.issuer, item.clientId);
        break;
      case 'tokens':
        await credentials.forgetTokens(item);
        break;
      case 'account':
        await accounts.revoke(item);
        break;
    }
  }

  /** What a running server holds in memory would go out with its next request otherwise. */
  async #endUse(owner: SignInOwner): Promise<void> {
    for (const [id, { signIn }] of this.#known) {
      if (isSameOwner(signIn.owner, owner)) {
        const wasSignedIn = signIn.isSignedIn;
        await signIn.signOut();
        if (wasSignedIn) {
          this.#needed.fire(id);
        }
        this.#changed.fire(id);
      }
    }
  }

  dispose(): void {
    for (const { signIn } of this.#known.values()) {
      signIn.cancel();
    }
    this.#known.clear();
    this.#changed.dispose();
    this.#needed.dispose();
  }

  /** For what is kept of a server that does not run. */
  #idle(server: ServerConfig, owner: SignInOwner): ServerSignIn {
    const settings = this.#complete({ grant: { kind: 'authorizationCode' }, dpop: false });
    return this.#create(server, { serverUrl: new URL(owner.url), owner, settings });
  }

  #complete(settings: AuthSettings): AuthSettings {
    const clientMetadataUrl = settings.clientMetadataUrl ?? this.#services.clientMetadataUrl();
    return clientMetadataUrl === undefined ? settings : { ...settings, clientMetadataUrl };
  }

  #create(
    { id, name, protocol }: ServerConfig,
    parts: Pick<ServerSignInParts, 'serverUrl' | 'owner' | 'connection' | 'settings'>,
  ): ServerSignIn {
    const { store, accounts, readFile, load } = this.#services;
    return new ServerSignIn({
      ...parts,
      server: { id, name },
      allowsOriginFallback: allowsOriginFallback(protocol),
      store,
      readFile,
      hasAccount: () => accounts.grantOf(parts.owner) !== undefined,
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
