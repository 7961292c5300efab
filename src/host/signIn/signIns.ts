/**
 * The sign-ins to all servers: one authorizer per server, what is stored of them and what it is bound to, and
 * which wait for the user. No OAuth code is loaded for a server that never asks for it.
 */
import type { ResolvedLaunch } from '../launch/launchGate.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { stableStringify } from '../../base/json.ts';
import type { AuthSettings } from '../../mcp/auth/authSettings.ts';
import {
  Credentials,
  type CredentialStore,
  isSameOrigin,
  isSameOwner,
  type SignInOwner,
  type StoredItem,
  storedItems,
  type TokenOrigin,
} from '../../mcp/auth/credentials.ts';
import type { ProtocolChoice } from '../../mcp/revisions.ts';
import type { HttpAuthorizer } from '../../mcp/httpAuthorizer.ts';
import { type ServerConfig, type ServerId, scopeKey } from '../config/serverConfig.ts';
import type { AccountAccess, AccountGrant } from './accountAccess.ts';
import {
  type AuthorizerRequest,
  type LoadedAuthorizer,
  ServerSignIn,
  type ServerSignInParts,
  type SignInRun,
} from './serverSignIn.ts';
import { createHash } from 'node:crypto';
import type { ConnectionSettings } from '../../mcp/network/connectionSettings.ts';
import { certificatesIn } from '../launch/certificates.ts';

/** A stored sign-in, as names and times, never values. */
export type StoredSignIn = StoredItem | ({ readonly kind: 'account' } & AccountGrant);

interface SignInServices {
  readonly store: CredentialStore;
  readonly accounts: AccountAccess;
  /** Identifies this workspace. */
  readonly workspaceId: () => string;
  readonly readFile: (path: string) => Promise<string>;
  /** Makes an authorizer; loads the authorization code. */
  readonly load: (request: AuthorizerRequest) => LoadedAuthorizer;
  /** The URL of this client's metadata document, from the user's settings. */
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
  /** Fires when a wait for the user begins or ends, or tokens change. */
  readonly onDidChange = this.#changed.event;
  /** Fires when a server needs a sign-in and nobody could be asked. */
  readonly onDidNeedSignIn = this.#needed.event;

  constructor(services: SignInServices) {
    this.#services = services;
  }

  /**
   * The authorizer for the requests of one start; undefined where nobody signs in: the entry says so or has an
   * Authorization header, or the server is a program or a socket of this machine.
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
      const owner = ownerOf(server, this.#services.workspaceId(), serverUrl, connection);
      const signIn = this.#create(server, { serverUrl, owner, connection, settings });
      known = { fingerprint, signIn };
      this.#known.set(server.id, known);
    }
    known.signIn.beginRun(run);
    return known.signIn;
  }

  /** Whether a sign-in to this server waits for the user, in a dialog or in the browser. */
  isWaiting(id: ServerId): boolean {
    return this.#known.get(id)?.signIn.isWaiting === true;
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
   * Forgets the tokens, the account and the private addresses of a server, for all its URLs and routes. A server that
   * runs with them then needs a sign-in. Returns whether there was anything to forget.
   */
  async signOut(server: ServerConfig): Promise<boolean> {
    this.cancel(server.id);
    const own = (await this.stored()).filter(
      (item) => item.kind !== 'registration' && this.isOf(item, server),
    );
    const known = this.#known.get(server.id)?.signIn;
    const wasSignedIn = known?.isSignedIn === true;
    // Tokens are revoked at such an address, too.
    for (const item of own.toSorted((a, b) => Number(isPrivate(a)) - Number(isPrivate(b)))) {
      await this.forget(item);
    }
    // Another window may have deleted what this one still sends.
    if (known?.isSignedIn === true) {
      await this.#endUse(known.owner);
    }
    return wasSignedIn || own.length > 0;
  }

  /** Whether the item is stored for this entry. */
  isOf({ owner }: StoredSignIn, server: ServerConfig): boolean {
    const entry = entryOf(server, this.#services.workspaceId());
    return owner.scope === entry.scope && owner.server === entry.server;
  }

  /** Everything that is stored, of all servers and workspaces. */
  async stored(): Promise<readonly StoredSignIn[]> {
    const { store, accounts } = this.#services;
    const grants = accounts.list().map((grant) => ({ kind: 'account', ...grant }) as const);
    return [...(await storedItems(store)), ...grants];
  }

  /**
   * Deletes one stored item, and revokes tokens of the last sign-in if the authorization server supports that. A server
   * that uses it then needs a sign-in.
   */
  async forget(item: StoredSignIn): Promise<void> {
    const { owner } = item;
    const { store, accounts } = this.#services;
    const credentials = new Credentials(store, owner);
    switch (item.kind) {
      case 'registration':
        await credentials.forgetRegistration(item.issuer);
        break;
      case 'account':
        await accounts.revoke(item);
        await this.#endUse(owner);
        break;
      case 'tokens': {
        const isLast = isSameOrigin(await credentials.origin(), item);
        // The route of another entry is not known here, so nothing is sent for it.
        if (!(await this.#endUse(owner, item)) && isLast && owner.route === '') {
          await this.#idle(owner).signOut();
        }
        await credentials.forgetTokens(item);
        break;
      }
      case 'private':
        await credentials.forgetPrivateOrigins();
        break;
    }
  }

  /**
   * Otherwise the tokens in a running server's memory would go out with its next request.
   * @param origin of the tokens; default: any
   */
  async #endUse(owner: SignInOwner, origin?: TokenOrigin): Promise<boolean> {
    const using = [...this.#known].filter(
      ([, { signIn }]) =>
        isSameOwner(signIn.owner, owner) &&
        (origin === undefined || isSameOrigin(signIn.origin, origin)),
    );
    for (const [id, { signIn }] of using) {
      const wasSignedIn = signIn.isSignedIn;
      await signIn.signOut();
      if (wasSignedIn) {
        this.#needed.fire(id);
      }
      this.#changed.fire(id);
    }
    return using.length > 0;
  }

  dispose(): void {
    for (const { signIn } of this.#known.values()) {
      signIn.cancel();
    }
    this.#known.clear();
    this.#changed.dispose();
    this.#needed.dispose();
  }

  /** For stored items of a server that does not run. */
  #idle(owner: SignInOwner): ServerSignIn {
    const settings = this.#complete({ grant: { kind: 'authorizationCode' }, dpop: false });
    const server = { id: '', name: owner.server, protocol: 'auto' } as const;
    return this.#create(server, { serverUrl: new URL(owner.url), owner, settings });
  }

  #complete(settings: AuthSettings): AuthSettings {
    const clientMetadataUrl = settings.clientMetadataUrl ?? this.#services.clientMetadataUrl();
    return clientMetadataUrl === undefined ? settings : { ...settings, clientMetadataUrl };
  }

  #create(
    { id, name, protocol }: Pick<ServerConfig, 'id' | 'name' | 'protocol'>,
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

/** Only 2025-03-26 has authorization without metadata; an entry that pins another revision excludes it. */
function allowsOriginFallback(protocol: ProtocolChoice): boolean {
  return protocol === 'auto' || protocol === 'legacy' || protocol === '2025-03-26';
}

/** A WebSocket is opened by an HTTP request. */
function httpUrl(text: string): URL {
  return new URL(text.replace(/^ws/u, 'http'));
}

type Entry = Pick<ServerConfig, 'scope' | 'name'>;

/** The entry alone. @param workspaceId identifies this workspace */
function entryOf(
  { scope, name }: Entry,
  workspaceId: string,
): Pick<SignInOwner, 'scope' | 'server'> {
  // A workspace file or a folder may have the same path on another machine, and settings of the workspace and of the
  // remote machine have no path.
  const isOfWorkspace =
    ['workspace', 'remote', 'folder'].includes(scope.kind) ||
    (scope.kind === 'followed' && scope.folder !== undefined);
  const place = isOfWorkspace ? ` ${workspaceId}` : '';
  return { scope: scopeKey(scope) + place, server: name };
}

export function ownerOf(
  entry: Entry,
  workspaceId: string,
  { origin, pathname }: URL,
  connection: ConnectionSettings = {},
): SignInOwner {
  return { ...entryOf(entry, workspaceId), url: origin + pathname, route: routeOf(connection) };
}

/**
 * Who can read the requests, and with which identity they are sent. Of the client certificate the names count, which
 * survive its renewal; passwords and keys do not change the route.
 */
function routeOf({ proxy, tls = {} }: ConnectionSettings): string {
  const { ca, client, isInsecure } = tls;
  const [own] = client === undefined ? [] : certificatesIn(client.cert);
  const way = {
    ...(proxy === undefined ? {} : { proxy: proxy && proxy.origin }),
    ...(ca === undefined ? {} : { ca }),
    ...(own === undefined ? {} : { client: [own.subject, own.subjectAltName] }),
    ...(isInsecure === undefined ? {} : { isInsecure }),
  };
  return Object.keys(way).length === 0
    ? ''
    : createHash('sha256').update(stableStringify(way)).digest('hex');
}

function isPrivate({ kind }: StoredSignIn): boolean {
  return kind === 'private';
}
