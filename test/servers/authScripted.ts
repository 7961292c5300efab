/**
 * An MCP server that wants a token and the authorization server that issues it, both in this process on
 * loopback. Every answer can be replaced by path. It says yes to whoever asks, and keeps a record.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type Exchange, HttpScripted, type Received } from './httpScripted.ts';

export interface Asked extends Pick<Received, 'verb' | 'headers' | 'body' | 'message'> {
  /** Without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string;
}

/** Undefined: the usual answer. */
export type Override = (asked: Asked) => Answer | undefined | Promise<Answer | undefined>;

class Site {
  readonly asked: Asked[] = [];
  readonly overrides = new Map<string, Override>();
  readonly #server: HttpScripted;

  constructor(answer: (asked: Asked) => Answer) {
    this.#server = new HttpScripted((exchange) => {
      this.#serve(exchange, answer).catch(() => exchange.response.destroy());
    });
  }

  async start(): Promise<void> {
    await this.#server.start();
  }

  get origin(): string {
    return this.#server.origin;
  }

  countOf(path: string): number {
    return this.asked.filter((asked) => asked.path === path).length;
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  async #serve(exchange: Exchange, usual: (asked: Asked) => Answer): Promise<void> {
    const { received } = exchange;
    const { pathname: path, searchParams: query } = new URL(received.path, this.origin);
    const asked = { ...received, path, query, form: new URLSearchParams(received.body) };
    this.asked.push(asked);
    const answer = (await this.overrides.get(path)?.(asked)) ?? usual(asked);
    const status = answer.status ?? 200;
    if (answer.json === undefined) {
      exchange.answer(status, answer.body, answer.headers);
    } else {
      exchange.json(answer.json, answer.headers, status);
    }
  }
}

interface Grant {
  readonly scope: string;
  readonly audience: string;
  /** Milliseconds since the epoch. */
  readonly until?: number;
  /** Of the sign-in that it came of. */
  readonly family?: string;
}

export class AuthScripted {
  /** The MCP server. */
  readonly resource = new Site((asked) => this.#onResource(asked));
  /** The authorization server. */
  readonly issuer = new Site((asked) => this.#onIssuer(asked));
  /** Seconds that a token is good for; undefined leaves `expires_in` out. */
  tokenSeconds: number | undefined = 3600;
  issuesRefreshTokens = true;
  /** Whether a refresh token that comes a second time ends what came of the same sign-in. */
  endsFamilies = true;
  /** Refresh tokens that came a second time. */
  reuses = 0;
  /** Whether tokens end when they were said to. */
  keepsTime = false;
  /** Added to the metadata of the authorization server. */
  metadata: Readonly<Record<string, unknown>> = {};
  /** Asked for in the challenge. */
  challengedScope = 'read';
  /** Every secret that was given out. */
  readonly secrets = new Set<string>();
  readonly #codes = new Map<string, Grant & { readonly challenge: string }>();
  readonly #access = new Map<string, Grant>();
  readonly #refresh = new Map<string, Grant>();
  readonly #spent = new Map<string, Grant>();

  async start(): Promise<this> {
    await this.resource.start();
    await this.issuer.start();
    return this;
  }

  async close(): Promise<void> {
    await this.resource.close();
    await this.issuer.close();
  }

  get url(): string {
    return `${this.resource.origin}/mcp`;
  }

  /** No token of now is good any more; refresh tokens are. */
  endTokens(): void {
    this.#access.clear();
  }

  endRefreshTokens(): void {
    this.#refresh.clear();
  }

  /** Requests to the token endpoint with this grant. */
  grants(type: string): number {
    return this.issuer.asked.filter(
      ({ path, form }) => path === '/token' && form.get('grant_type') === type,
    ).length;
  }

  isGood(token: string): boolean {
    const grant = this.#access.get(token);
    return grant?.audience === this.url && Date.now() < (grant.until ?? Infinity);
  }

  #onResource(asked: Asked): Answer {
    if (asked.path === '/.well-known/oauth-protected-resource/mcp') {
      return { json: { resource: this.url, authorization_servers: [this.issuer.origin] } };
    }
    if (asked.path !== '/mcp') {
      return { status: 404 };
    }
    const token = /^Bearer (\S+)$/u.exec(asked.headers.authorization ?? '')?.[1] ?? '';
    return this.isGood(token) ? mcpAnswer(asked) : this.challenge();
  }

  challenge(): Answer {
    const metadata = `${this.resource.origin}/.well-known/oauth-protected-resource/mcp`;
    const header = `Bearer resource_metadata="${metadata}", scope="${this.challengedScope}"`;
    return { status: 401, headers: { 'www-authenticate': header }, body: 'no' };
  }

  #onIssuer(asked: Asked): Answer {
    switch (asked.path) {
      case '/.well-known/oauth-authorization-server':
        return { json: this.issuerMetadata() };
      case '/authorize':
        return this.authorize(asked);
      case '/token':
        return this.#token(asked);
      case '/register':
        return this.#register(asked);
      case '/revoke':
        this.#access.delete(asked.form.get('token') ?? '');
        this.#refresh.delete(asked.form.get('token') ?? '');
        return {};
      default:
        return { status: 404 };
    }
  }

  issuerMetadata(): object {
    const { origin } = this.issuer;
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      revocation_endpoint: `${origin}/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  /** Sends the browser back with a code. `change` may spoil what it comes back with. */
  authorize({ query }: Asked, change: (back: URLSearchParams) => void = () => undefined): Answer {
    const code = this.#secret();
    this.#codes.set(code, {
      scope: query.get('scope') ?? '',
      audience: query.get('resource') ?? '',
      challenge: query.get('code_challenge') ?? '',
    });
    const location = new URL(query.get('redirect_uri') ?? '');
    const back = location.searchParams;
    back.set('code', code);
    back.set('state', query.get('state') ?? '');
    back.set('iss', this.issuer.origin);
    change(back);
    return { status: 302, headers: { location: location.href } };
  }

  #token({ form }: Asked): Answer {
    const type = form.get('grant_type') ?? '';
    switch (type) {
      case 'authorization_code': {
        const code = form.get('code') ?? '';
        const grant = this.#codes.get(code);
        this.#codes.delete(code);
        const proof = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        return grant?.challenge === proof && form.get('resource') === grant.audience
          ? this.issue(grant)
          : refused('invalid_grant');
      }
      case 'refresh_token': {
        const token = form.get('refresh_token') ?? '';
        const grant = this.#refresh.get(token);
        this.#refresh.delete(token); // each is good once
        if (grant === undefined) {
          this.#onReuse(this.#spent.get(token));
          return refused('invalid_grant');
        }
        this.#spent.set(token, grant);
        return this.issue(grant);
      }
      case 'client_credentials':
      case 'urn:ietf:params:oauth:grant-type:jwt-bearer':
        return this.issue({ scope: form.get('scope') ?? '', audience: this.url });
      default:
        return refused('unsupported_grant_type');
    }
  }

  #onReuse(spent: Grant | undefined): void {
    if (spent === undefined) {
      return;
    }
    this.reuses += 1;
    for (const tokens of this.endsFamilies ? [this.#access, this.#refresh] : []) {
      for (const [token, { family }] of tokens) {
        if (family === spent.family) {
          tokens.delete(token);
        }
      }
    }
  }

  /** Tokens for what was granted. */
  issue({ scope, audience, family = randomUUID() }: Grant): Answer {
    const access = this.#secret();
    const until = this.keepsTime ? Date.now() + (this.tokenSeconds ?? 0) * 1000 : Infinity;
    this.#access.set(access, { scope, audience, until, family });
    const refresh = this.issuesRefreshTokens ? this.#secret() : undefined;
    if (refresh !== undefined) {
      this.#refresh.set(refresh, { scope, audience, family });
    }
    return {
      json: {
        access_token: access,
        token_type: 'Bearer',
        scope,
        ...(this.tokenSeconds === undefined ? {} : { expires_in: this.tokenSeconds }),
        ...(refresh === undefined ? {} : { refresh_token: refresh }),
      },
    };
  }

  #register({ body }: Asked): Answer {
    const secret = this.#secret();
    const json = {
      ...JSON.parse(body),
      client_id: `client-${randomUUID()}`,
      client_secret: secret,
    };
    return {
      status: 201,
      json: {
        ...json,
        client_secret_expires_at: 0,
        token_endpoint_auth_method: 'client_secret_basic',
      },
    };
  }

  #secret(): string {
    const secret = `${randomUUID()}${randomUUID()}`;
    this.secrets.add(secret);
    return secret;
  }
}

export function refused(error: string, status = 400): Answer {
  return { status, json: { error, error_description: `because of ${error}` } };
}

/** A server of 2025-11-25 with one tool. */
export function mcpAnswer({ verb, message: { id, method = '', params } }: Asked): Answer {
  if (verb !== 'POST') {
    return { status: verb === 'DELETE' ? 200 : 405 };
  }
  if (id === undefined) {
    return { status: 202 };
  }
  const result =
    method === 'initialize'
      ? { ...greeting, protocolVersion: params?.['protocolVersion'] }
      : results[method];
  return result === undefined
    ? { json: { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } } }
    : { json: { jsonrpc: '2.0', id, result } };
}

/** The revision is the one that is asked for. */
const greeting = {
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1.0.0' },
};

const results: Readonly<Record<string, unknown>> = {
  'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
  ping: {},
};
