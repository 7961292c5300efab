/**
 * What signing in leaves behind, kept between sessions of the editor: registrations by issuer, tokens
 * by issuer and resource. Read and written in full each time, since other windows share the store.
 */
import { isObject } from '../../base/json.ts';

/** Where secrets are kept; the editor's secret storage. */
export interface CredentialStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
}

/** What a dynamic registration answered (RFC 7591 section 3.2.1). */
export interface Registration {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Milliseconds since the epoch; undefined when it does not expire. */
  readonly secretExpiresAt?: number;
  readonly authenticationMethod: string;
  /** Registered with the issuer: another one is refused by it. */
  readonly redirectUri: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly tokenType: 'bearer' | 'dpop';
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly obtainedAt: number;
  /** As {@link obtainedAt}; undefined when the server did not say. */
  readonly expiresAt?: number;
  readonly refreshToken?: string;
  /** What has been asked for or granted, space-separated; a step-up adds to it. */
  readonly scope?: string;
  /** The client that they were issued to: no other can refresh them. */
  readonly clientId: string;
  /** The key that they are bound to, as JSON Web Keys. */
  readonly proofKey?: ProofKey;
}

export interface ProofKey {
  readonly publicKey: object;
  readonly privateKey: object;
}

/** Names of what is stored, without its values, for people. */
export type StoredItem =
  | { readonly kind: 'registration'; readonly issuer: string; readonly clientId: string }
  | {
      readonly kind: 'tokens';
      readonly issuer: string;
      readonly resource: string;
      readonly expiresAt?: number;
      readonly canRefresh: boolean;
      readonly scope?: string;
    };

const registrationPrefix = 'mcpHost.oauth.client ';
const tokensPrefix = 'mcpHost.oauth.tokens ';
const issuerPrefix = 'mcpHost.oauth.issuer ';
const bindingPrefix = 'mcpHost.oauth.binding ';

export class Credentials {
  readonly #store: CredentialStore;

  constructor(store: CredentialStore) {
    this.#store = store;
  }

  /**
   * Several, where the place that the browser comes back to could not be had again: a registration is for
   * one. The newest is last.
   */
  async registrations(issuer: string): Promise<readonly Registration[]> {
    const value = await this.#read(registrationPrefix + issuer);
    return Array.isArray(value) ? value.filter(isRegistration) : [];
  }

  /** The one that tokens were issued to: no other can refresh them. */
  async registrationOf(issuer: string, clientId: string): Promise<Registration | undefined> {
    return (await this.registrations(issuer)).find((known) => known.clientId === clientId);
  }

  /** Keeps a new one, and of those before only what there are tokens of. */
  async addRegistration(issuer: string, registration: Registration): Promise<void> {
    const inUse = new Set<string>();
    for (const key of await this.#store.keys()) {
      const tokens = key.startsWith(`${tokensPrefix}${issuer} `) && (await this.#read(key));
      if (isTokens(tokens)) {
        inUse.add(tokens.clientId);
      }
    }
    const before = await this.registrations(issuer);
    const kept = before.filter(({ clientId }) => inUse.has(clientId));
    await this.#write(registrationPrefix + issuer, [...kept, registration]);
  }

  /** @param clientId all of the issuer when left out */
  async forgetRegistration(issuer: string, clientId?: string): Promise<void> {
    const before = await this.registrations(issuer);
    const kept = before.filter((known) => clientId !== undefined && known.clientId !== clientId);
    await this.#write(registrationPrefix + issuer, kept.length === 0 ? undefined : kept);
  }

  async tokens(issuer: string, resource: string): Promise<Tokens | undefined> {
    const value = await this.#read(tokensKey(issuer, resource));
    return isTokens(value) ? value : undefined;
  }

  async setTokens(issuer: string, resource: string, tokens: Tokens | undefined): Promise<void> {
    await this.#write(tokensKey(issuer, resource), tokens);
  }

  /** Who issued the tokens for a server when it was last signed in to, and for what. */
  async origin(serverUrl: string): Promise<TokenOrigin | undefined> {
    const value = await this.#read(issuerPrefix + serverUrl);
    return isObject(value) &&
      typeof value['issuer'] === 'string' &&
      typeof value['resource'] === 'string'
      ? { issuer: value['issuer'], resource: value['resource'] }
      : undefined;
  }

  async setOrigin(serverUrl: string, origin: TokenOrigin | undefined): Promise<void> {
    await this.#write(issuerPrefix + serverUrl, origin);
  }

  /** With whom a client of the settings is registered. @param client names server and client */
  async clientIssuer(client: string): Promise<string | undefined> {
    const value = await this.#read(bindingPrefix + client);
    return isObject(value) && typeof value['issuer'] === 'string' ? value['issuer'] : undefined;
  }

  async setClientIssuer(client: string, issuer: string): Promise<void> {
    await this.#write(bindingPrefix + client, { issuer });
  }

  async list(): Promise<readonly StoredItem[]> {
    const items: StoredItem[] = [];
    for (const key of await this.#store.keys()) {
      items.push(...(await this.#describe(key)));
    }
    return items;
  }

  async #describe(key: string): Promise<readonly StoredItem[]> {
    if (key.startsWith(registrationPrefix)) {
      const issuer = key.slice(registrationPrefix.length);
      const known = await this.registrations(issuer);
      return known.map(({ clientId }) => ({ kind: 'registration', issuer, clientId }));
    }
    if (!key.startsWith(tokensPrefix)) {
      return [];
    }
    const [issuer = '', resource = ''] = key.slice(tokensPrefix.length).split(' ');
    const tokens = await this.tokens(issuer, resource);
    if (tokens === undefined) {
      return [];
    }
    const { expiresAt, scope, refreshToken } = tokens;
    return [
      {
        kind: 'tokens',
        issuer,
        resource,
        canRefresh: refreshToken !== undefined,
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(scope === undefined ? {} : { scope }),
      },
    ];
  }

  /** What does not parse was written by another version, or not by us: it counts as absent. */
  async #read(key: string): Promise<unknown> {
    const text = await this.#store.get(key);
    try {
      return text === undefined ? undefined : JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  async #write(key: string, value: object | undefined): Promise<void> {
    await (value === undefined
      ? this.#store.delete(key)
      : this.#store.set(key, JSON.stringify(value)));
  }
}

export interface TokenOrigin {
  readonly issuer: string;
  readonly resource: string;
}

/** Neither part holds a space: both are URLs. */
function tokensKey(issuer: string, resource: string): string {
  return `${tokensPrefix}${issuer} ${resource}`;
}

function isRegistration(value: unknown): value is Registration {
  return (
    isObject(value) &&
    typeof value['clientId'] === 'string' &&
    typeof value['redirectUri'] === 'string' &&
    typeof value['authenticationMethod'] === 'string'
  );
}

function isTokens(value: unknown): value is Tokens {
  return (
    isObject(value) &&
    typeof value['accessToken'] === 'string' &&
    typeof value['clientId'] === 'string' &&
    (value['tokenType'] === 'bearer' || value['tokenType'] === 'dpop')
  );
}
