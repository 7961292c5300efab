/**
 * The stored results of sign-ins, per owner: registrations by issuer, tokens by issuer and resource. Each
 * access reads or writes the store, because other windows share it.
 */
import { isObject, isStringArray, parsedJson } from '../../base/json.ts';
import { isFamily, nameOf, nextFamily, seal, type TokenFamily, unsealed } from './tokenFamily.ts';

/** The store for secrets: the editor's secret storage. */
export interface CredentialStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
  /** Lets windows that use the store at the same time share data. */
  readonly shared: SharedPlace;
}

/** Shared by all windows and processes of a profile on one machine. Others may read it: its content is encrypted. */
export interface SharedPlace {
  read(name: string): Promise<string | undefined>;
  /** Atomic: a concurrent reader sees the whole text or nothing of it. */
  write(name: string, text: string): Promise<void>;
  /**
   * Runs `task` while nobody else runs one under this name.
   * @throws the error of `task`; the signal's reason, which ends the wait but not the task
   */
  alone<T>(name: string, task: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/**
 * The owner of a sign-in. An owner who differs in any member gets none of its tokens, clients or accounts.
 * A URL alone says neither who asks nor who could read along.
 */
export interface SignInOwner {
  /** The settings that contain the entry, distinct for each workspace: `user`, `workspace file:///work`. */
  readonly scope: string;
  /** The key of the entry. */
  readonly server: string;
  /** Origin and path. No query or fragment: they may hold a secret, and do not tell who issues tokens. */
  readonly url: string;
  /** A digest of the network settings; empty if only the editor's settings apply. */
  readonly route: string;
}

/** The response of a dynamic registration (RFC 7591 section 3.2.1). */
export interface Registration {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Milliseconds since the epoch; undefined if it does not expire. */
  readonly secretExpiresAt?: number;
  readonly authenticationMethod: string;
  /** The redirect URI of the registration: the issuer refuses any other. */
  readonly redirectUri: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly tokenType: 'bearer' | 'dpop';
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly obtainedAt: number;
  /** Like {@link obtainedAt}; undefined if the server did not say. */
  readonly expiresAt?: number;
  readonly refreshToken?: string;
  /** Of tokens that are stored. */
  readonly family?: TokenFamily;
  /** Granted scopes, space-separated; as requested if the server did not say. */
  readonly scope?: string;
  /** Requested scopes, of which the server may have granted less. */
  readonly asked?: string;
  /** The client they were issued to: no other client can refresh them. */
  readonly clientId: string;
  /** The key they are bound to, as JSON Web Keys. */
  readonly proofKey?: ProofKey;
}

export interface StoredTokens extends Tokens {
  readonly family: TokenFamily;
}

export interface ProofKey {
  readonly publicKey: object;
  readonly privateKey: object;
}

/** Names of stored items, without their values, to be shown to people. */
export type StoredItem = { readonly owner: SignInOwner } & (
  | {
      /** All registrations at the issuer, by the newest one. */
      readonly kind: 'registration';
      readonly issuer: string;
      readonly clientId: string;
    }
  | ({
      readonly kind: 'tokens';
      readonly expiresAt?: number;
      readonly canRefresh: boolean;
      readonly scope?: string;
    } & TokenOrigin)
  /** Addresses in a private network that the server may lead to. */
  | { readonly kind: 'private'; readonly origins: readonly string[] }
);

/** Registrations of one owner at one issuer: tokens of an earlier one can no longer be renewed. */
const maxRegistrations = 4;

const kinds = ['client', 'tokens', 'issuer', 'binding', 'private'] as const;
type Kind = (typeof kinds)[number];

/** The stored items of one owner. */
export class Credentials {
  readonly #store: CredentialStore;
  readonly #owner: SignInOwner;

  constructor(store: CredentialStore, owner: SignInOwner) {
    this.#store = store;
    this.#owner = owner;
  }

  /**
   * More than one if an earlier redirect URI was not available again: a registration is for one redirect
   * URI. The newest is last.
   */
  async registrations(issuer: string): Promise<readonly Registration[]> {
    const value = await this.#read('client', issuer);
    return Array.isArray(value) ? value.filter(isRegistration) : [];
  }

  /** The registration that tokens were issued to: no other can refresh them. */
  async registrationOf(issuer: string, clientId: string): Promise<Registration | undefined> {
    return (await this.registrations(issuer)).find((known) => known.clientId === clientId);
  }

  /** Stores a new registration with the newest earlier ones: there may be tokens of them. */
  async addRegistration(issuer: string, registration: Registration): Promise<void> {
    const all = [...(await this.registrations(issuer)), registration];
    await this.#write(all.slice(-maxRegistrations), 'client', issuer);
  }

  /** @param clientId default: all clients of the issuer */
  async forgetRegistration(issuer: string, clientId?: string): Promise<void> {
    const before = await this.registrations(issuer);
    const kept = before.filter((known) => clientId !== undefined && known.clientId !== clientId);
    await this.#write(kept.length === 0 ? undefined : kept, 'client', issuer);
  }

  /** The newest tokens that any window has got; undefined also after a window has signed out. */
  async tokens({ issuer, resource }: TokenOrigin): Promise<StoredTokens | undefined> {
    const value = await this.#read('tokens', issuer, resource);
    if (!isTokens(value)) {
      return undefined;
    }
    const { family } = value;
    const told = unsealed((await this.#store.shared.read(nameOf(family))) ?? '', family);
    if (!isObject(told) || !isFamily(told['family']) || told['family'].renewal < family.renewal) {
      return value;
    }
    return isTokens(told) ? told : undefined;
  }

  async setTokens({ issuer, resource }: TokenOrigin, tokens: StoredTokens): Promise<void> {
    const { family } = tokens;
    await this.#store.shared.write(nameOf(family), seal(tokens, family));
    await this.#write(tokens, 'tokens', issuer, resource);
  }

  /** Runs `renew` while no other window renews tokens of this family. @throws as {@link SharedPlace.alone} */
  renewAlone<T>(family: TokenFamily, renew: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#store.shared.alone(nameOf(family), renew, signal);
  }

  /** Issuer and resource of the last sign-in to the server. */
  async origin(): Promise<TokenOrigin | undefined> {
    const value = await this.#read('issuer');
    return isObject(value) &&
      typeof value['issuer'] === 'string' &&
      typeof value['resource'] === 'string'
      ? { issuer: value['issuer'], resource: value['resource'] }
      : undefined;
  }

  async setOrigin(origin: TokenOrigin): Promise<void> {
    await this.#write(origin, 'issuer');
  }

  /** The origins in a private network that the user lets the server lead to. */
  async privateOrigins(): Promise<readonly string[]> {
    const value = await this.#read('private');
    return isStringArray(value) ? value : [];
  }

  async allowPrivateOrigin(origin: string): Promise<void> {
    await this.#write([...(await this.privateOrigins()), origin], 'private');
  }

  async forgetPrivateOrigins(): Promise<void> {
    await this.#write(undefined, 'private');
  }

  /** Forgets the tokens. Also tells windows that do not see this change in the store. */
  async forgetTokens({ issuer, resource }: TokenOrigin): Promise<void> {
    const before = (await this.tokens({ issuer, resource }))?.family;
    await this.#write(undefined, 'tokens', issuer, resource);
    if (before !== undefined) {
      const family = nextFamily(before);
      await this.#store.shared.write(nameOf(family), seal({ family }, family));
    }
    if (isSameOrigin(await this.origin(), { issuer, resource })) {
      await this.#write(undefined, 'issuer');
    }
  }

  /** The issuer that a client of the entry is bound to. */
  async clientIssuer(clientId: string): Promise<string | undefined> {
    const value = await this.#read('binding', clientId);
    return isObject(value) && typeof value['issuer'] === 'string' ? value['issuer'] : undefined;
  }

  async setClientIssuer(clientId: string, issuer: string): Promise<void> {
    await this.#write({ issuer }, 'binding', clientId);
  }

  /** Text that does not parse was written by another version, or by somebody else: it counts as absent. */
  async #read(kind: Kind, ...names: readonly string[]): Promise<unknown> {
    const text = await this.#store.get(keyOf(kind, this.#owner, names));
    return text === undefined ? undefined : parsedJson(text);
  }

  async #write(value: object | undefined, kind: Kind, ...names: readonly string[]): Promise<void> {
    const key = keyOf(kind, this.#owner, names);
    await (value === undefined
      ? this.#store.delete(key)
      : this.#store.set(key, JSON.stringify(value)));
  }
}

/** Lists the stored items of all owners. */
export async function storedItems(store: CredentialStore): Promise<readonly StoredItem[]> {
  const items: StoredItem[] = [];
  for (const key of await store.keys()) {
    const parts = partsOf(key);
    if (parts !== undefined) {
      items.push(...(await describe(parts, new Credentials(store, parts.owner))));
    }
  }
  return items;
}

async function describe(
  { kind, owner, names: [issuer = '', resource = ''] }: KeyParts,
  credentials: Credentials,
): Promise<readonly StoredItem[]> {
  if (kind === 'client') {
    const newest = (await credentials.registrations(issuer)).at(-1);
    return newest === undefined
      ? []
      : [{ kind: 'registration', owner, issuer, clientId: newest.clientId }];
  }
  if (kind === 'private') {
    const origins = await credentials.privateOrigins();
    return origins.length === 0 ? [] : [{ kind, owner, origins }];
  }
  const tokens = kind === 'tokens' && (await credentials.tokens({ issuer, resource }));
  if (!tokens) {
    return [];
  }
  const { expiresAt, scope, refreshToken } = tokens;
  const canRefresh = refreshToken !== undefined;
  return [{ kind: 'tokens', owner, issuer, resource, canRefresh, expiresAt, scope }];
}

export interface TokenOrigin {
  readonly issuer: string;
  readonly resource: string;
}

export function isSameOrigin(one: TokenOrigin | undefined, other: TokenOrigin): boolean {
  return one?.issuer === other.issuer && one.resource === other.resource;
}

export function isSameOwner(one: SignInOwner | undefined, other: SignInOwner): boolean {
  return (
    one?.scope === other.scope &&
    one.server === other.server &&
    one.url === other.url &&
    one.route === other.route
  );
}

interface KeyParts {
  readonly kind: Kind;
  readonly owner: SignInOwner;
  readonly names: readonly string[];
}

/** JSON, so that no character in one part can end it early. */
function keyOf(
  kind: Kind,
  { scope, server, url, route }: SignInOwner,
  names: readonly string[],
): string {
  return `${prefixOf(kind)}${JSON.stringify([scope, server, url, route, ...names])}`;
}

function prefixOf(kind: Kind): string {
  return `mcpHost.oauth.${kind} `;
}

function partsOf(key: string): KeyParts | undefined {
  const kind = kinds.find((one) => key.startsWith(prefixOf(one)));
  const parts = kind && parsedJson(key.slice(prefixOf(kind).length));
  const [scope, server, url, route, ...names] = isStringArray(parts) ? parts : [];
  return kind === undefined ||
    scope === undefined ||
    server === undefined ||
    url === undefined ||
    route === undefined
    ? undefined
    : { kind, owner: { scope, server, url, route }, names };
}

function isRegistration(value: unknown): value is Registration {
  return (
    isObject(value) &&
    typeof value['clientId'] === 'string' &&
    typeof value['redirectUri'] === 'string' &&
    typeof value['authenticationMethod'] === 'string'
  );
}

function isTokens(value: unknown): value is StoredTokens {
  return (
    isObject(value) &&
    typeof value['accessToken'] === 'string' &&
    typeof value['clientId'] === 'string' &&
    (value['tokenType'] === 'bearer' || value['tokenType'] === 'dpop') &&
    isFamily(value['family'])
  );
}
