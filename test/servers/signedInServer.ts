/**
 * An MCP server that wants a token, and the authorization server that issues it: oidc-provider with its
 * own pages for login and consent. It also gives tokens to an account of the editor. Both are in this process, on loopback, and remember every secret that
 * they have given out, so that a test can look for them where they do not belong.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { Provider } from 'oidc-provider';
import { issuedSecrets } from '../support/issuedSecrets.ts';
import { listen, shut } from '../support/listening.ts';

const noInput = fromJsonSchema({ type: 'object', properties: {} });
const scope = 'notes:read';
const secretNames: ReadonlySet<string> = new Set([
  'code',
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'registration_access_token',
]);

export interface SignedInOptions {
  /** Clients that are known without registering. */
  readonly clients?: readonly object[];
  /** Seconds that an access token is good for. */
  readonly tokenSeconds?: number;
}

export class SignedInServer {
  readonly #options: SignedInOptions;
  readonly #servers: Server[] = [];
  readonly #secrets = new Set<string>();
  readonly #accountTokens = new Set<string>();
  #provider: Provider | undefined;
  #issuer = '';
  #url = '';
  /** How often the user was shown a page: one to log in, one to consent. */
  authorizations = 0;
  registrations = 0;
  /** Requests to the MCP server, metadata included. */
  requests = 0;
  /** Requests that came with a token that is good. */
  admitted = 0;

  constructor(options: SignedInOptions = {}) {
    this.#options = options;
  }

  /** The URL of the MCP endpoint. */
  get url(): string {
    return this.#url;
  }

  get issuer(): string {
    return this.#issuer;
  }

  /** Where an account of the editor gets its tokens: a POST is answered with `token` and `account`. */
  get accountUrl(): string {
    return `${this.#issuer}/account`;
  }

  /** Codes, tokens and client secrets so far. */
  get secrets(): readonly string[] {
    return [...this.#secrets];
  }

  async start(): Promise<this> {
    const issuing = createServer((request, response) => {
      if (request.url === '/account') {
        this.#issueToAccount(response);
        return;
      }
      this.#provider?.callback()(request, response);
    });
    // An editor in a browser leads pages of 127.0.0.1 and localhost through its own address, which changes the URL.
    this.#issuer = await this.#listen(issuing, '127.0.0.2');
    const handle = toNodeHandler(createMcpHandler(build, { legacy: 'stateless' }));
    const resource = createServer((request, response) => {
      this.#admit(request, response).then(
        async (isAdmitted) => (isAdmitted ? handle(request, response) : undefined),
        () => response.destroy(),
      );
    });
    this.#url = `${await this.#listen(resource)}/mcp`;
    this.#provider = new Provider(this.#issuer, this.#configuration());
    this.#watch(this.#provider);
    return this;
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(shut));
  }

  async #listen(server: Server, host = '127.0.0.1'): Promise<string> {
    this.#servers.push(server);
    return `http://${host}:${await listen(server, host)}`;
  }

  #configuration(): object {
    const { clients = [], tokenSeconds = 3600 } = this.#options;
    return {
      clients,
      scopes: ['openid', 'offline_access', scope],
      cookies: { keys: ['for tests only'] },
      findAccount: (_context: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId }),
      }),
      ttl: {
        AccessToken: tokenSeconds,
        Interaction: 3600,
        Session: 3600,
        Grant: 3600,
        RefreshToken: 3600,
      },
      pkce: { required: () => true },
      features: {
        registration: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({
            scope,
            accessTokenTTL: tokenSeconds,
            accessTokenFormat: 'opaque',
          }),
          useGrantedResource: () => true,
        },
      },
    };
  }

  #watch(provider: Provider): void {
    provider.on('interaction.started', () => (this.authorizations += 1));
    provider.on('authorization.success', (_context, answer) => this.#keep(answer));
    provider.on('grant.success', ({ body }) => this.#keep(body));
    provider.on('registration_create.success', ({ body }) => {
      this.registrations += 1;
      this.#keep(body);
    });
  }

  #keep(answer: unknown): void {
    for (const [name, value] of Object.entries(Object(answer))) {
      if (secretNames.has(name)) {
        this.#secrets.add(String(value));
        issuedSecrets.add(String(value));
      }
    }
  }

  #issueToAccount(response: ServerResponse): void {
    const token = `account-${randomUUID()}`;
    this.#accountTokens.add(token);
    this.#keep({ access_token: token });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ token, account: 'ada@example.com' }));
  }

  async #admit(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    this.requests += 1;
    const { origin } = new URL(this.#url);
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          resource: this.#url,
          authorization_servers: [this.#issuer],
          scopes_supported: [scope],
        }),
      );
      return false;
    }
    const [, token = ''] = /^Bearer (\S+)$/u.exec(request.headers.authorization ?? '') ?? [];
    const found = token === '' ? undefined : await this.#provider?.AccessToken.find(token);
    const isOwn = found !== undefined && !found.isExpired && [found.aud].flat().includes(this.#url);
    if (isOwn || this.#accountTokens.has(token)) {
      this.admitted += 1;
      return true;
    }
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    response.writeHead(401, {
      'www-authenticate': `Bearer resource_metadata="${metadata}", scope="${scope}"`,
      'content-type': 'text/plain',
    });
    response.end('A token is needed');
    return false;
  }
}

function build(): McpServer {
  const server = new McpServer(
    { name: 'notes', version: '1.0.0' },
    { capabilities: { tools: {} } },
  );
  server.registerTool(
    'readNotes',
    { description: 'Reads your notes', inputSchema: noInput },
    async () => ({ content: [{ type: 'text', text: 'Buy milk.' }] }),
  );
  return server;
}
