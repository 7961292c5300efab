/** oidc-provider as the authorization server of {@link AuthScripted}, and a person who logs in and consents. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { type AuthScripted, mcpAnswer } from './authScripted.ts';
import { listen, portOf, shut } from '../support/listening.ts';

interface Token {
  readonly isExpired: boolean;
  readonly aud: string | readonly string[];
  destroy(): Promise<void>;
}

/** What is used of it here; it has no types of its own. */
interface Provider {
  readonly AccessToken: { find(value: string): Promise<Token | undefined> };
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  on(event: string, listener: (context: { readonly body: unknown }) => void): unknown;
}

const require = createRequire(import.meta.url);

const loaded: {
  readonly Provider: new (issuer: string, configuration: object) => Provider;
} = require('oidc-provider');

export interface OidcOptions {
  readonly clients?: readonly object[];
  readonly tokenSeconds?: number;
}

export class OidcIssuer {
  readonly #server: Server;
  readonly #resource: AuthScripted;
  #provider: Provider | undefined;
  /** Answers of the token endpoint. */
  readonly granted: Readonly<Record<string, unknown>>[] = [];
  registered = 0;

  constructor(resource: AuthScripted) {
    this.#resource = resource;
    this.#server = createServer((request, response) => {
      this.#provider?.callback()(request, response);
    });
  }

  async start({ clients = [], tokenSeconds = 3600 }: OidcOptions = {}): Promise<this> {
    await listen(this.#server);
    const provider = new loaded.Provider(this.issuer, {
      clients,
      scopes: ['openid', 'offline_access', 'read'],
      cookies: { keys: ['for tests only'] },
      findAccount: (_context: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId }),
      }),
      ttl: { AccessToken: tokenSeconds, Interaction: 600, Session: 600, Grant: 600 },
      rotateRefreshToken: true,
      issueRefreshToken: () => true,
      features: {
        registration: { enabled: true },
        revocation: { enabled: true },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            scope: 'read',
            accessTokenTTL: tokenSeconds,
            accessTokenFormat: 'opaque',
          }),
        },
      },
    });
    provider.on('grant.success', ({ body }) => this.granted.push(Object(body)));
    provider.on('registration_create.success', () => (this.registered += 1));
    this.#provider = provider;
    this.#admit();
    return this;
  }

  get issuer(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  async close(): Promise<void> {
    await shut(this.#server);
  }

  /** Whether an access token of its opens the server. */
  async isGood(value: string): Promise<boolean> {
    const token = value === '' ? undefined : await this.#provider?.AccessToken.find(value);
    return token?.isExpired === false && [token.aud].flat().includes(this.#resource.url);
  }

  /** An access token of its ends before its time; what it was granted by does not. */
  async takeBack(value: string): Promise<void> {
    const token = await this.#provider?.AccessToken.find(value);
    assert.ok(token);
    await token.destroy();
  }

  /** Tokens of this issuer for the server open it. */
  #admit(): void {
    const { resource, url } = this.#resource;
    resource.overrides.set('/.well-known/oauth-protected-resource/mcp', () => ({
      json: { resource: url, authorization_servers: [this.issuer], scopes_supported: ['read'] },
    }));
    resource.overrides.set('/mcp', async (asked) => {
      const value = asked.headers.authorization?.replace('Bearer ', '') ?? '';
      return (await this.isGood(value)) ? mcpAnswer(asked) : this.#resource.challenge();
    });
  }
}

/** Logs in, consents, and comes back: a browser with cookies, and no eyes. */
export async function logIn(start: URL, redirectUri: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step += 1) {
    const response = await fetch(url, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    form = undefined;
    if (location === null) {
      const page = await response.text();
      const prompt = /name="prompt" value="(\w+)"/u.exec(page)?.[1];
      assert.ok(prompt, `no form on ${url.pathname} (${response.status}): ${page.slice(0, 500)}`);
      form = new URLSearchParams({ prompt, login: 'ada', password: 'any' });
    } else {
      url = new URL(location, url);
      if (url.href.startsWith(redirectUri)) {
        return url.searchParams;
      }
    }
  }
  throw new Error('The browser went round in circles');
}
