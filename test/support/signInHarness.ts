/** A window of the editor, as far as signing in goes: the host, its sign-ins, and a user who says yes. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { QuestionQueue } from '../../src/host/questions/questionQueue.ts';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import type { Memory } from '../../src/host/storage.ts';
import type { ServerConnection } from '../../src/host/servers/connection.ts';
import type { McpHost } from '../../src/host/servers/host.ts';
import { AccountAccess } from '../../src/host/signIn/accountAccess.ts';
import { createAuthorizer } from '../../src/host/signIn/signInConversation.ts';
import { SignIns } from '../../src/host/signIn/signIns.ts';
import type {
  AccountRequest,
  SignInAnswer,
  SignInSubject,
  SignInUi,
} from '../../src/host/signIn/signInUi.ts';
import type { AuthSettings } from '../../src/mcp/auth/authSettings.ts';
import type { CredentialStore } from '../../src/mcp/auth/credentials.ts';
import type { ConnectionSettings } from '../../src/mcp/network/connectionSettings.ts';
import { AuthScripted } from '../servers/authScripted.ts';
import { closedAfterTest } from './closing.ts';
import { FakeMemory } from './fakeApprovals.ts';
import { FakeLogs } from './fakeLogs.ts';
import { memoryStore } from './memoryStore.ts';
import { openGate, realHost } from './realHost.ts';
import { stdioServer } from './serverConfigs.ts';

const never = new AbortController().signal;

/** What the user does in the browser: from the authorization URL to the parameters of the return. */
export type Browser = (url: URL, redirectUri: string) => Promise<URLSearchParams>;

/** Follows the authorization server's answer straight back. */
export async function nod(url: URL): Promise<URLSearchParams> {
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('location');
  assert.ok(location, `${url.origin}${url.pathname} answers ${response.status}`);
  return new URL(location).searchParams;
}

export class ScriptedUi implements SignInUi {
  readonly subjects: SignInSubject[] = [];
  readonly privateAddresses: string[] = [];
  readonly finished: string[] = [];
  /** Listeners that are open. */
  listening = 0;
  opened = 0;
  get reasons(): readonly string[] {
    return this.subjects.map(({ reason }) => reason);
  }
  answer: (subject: SignInSubject) => SignInAnswer | Promise<SignInAnswer> = () => 'open';
  allowsPrivateAddresses = false;
  browse: Browser = nod;
  redirectUri = 'http://127.0.0.1:33418/callback';
  accounts = new Map<string, string>();
  /** Whose tokens the editor gives without a question; undefined: none before somebody is asked. */
  silentAccount: string | undefined = 'octocat';
  /** Whose tokens the editor gives after asking. */
  chosenAccount = 'octocat';
  /** Of the sessions that the editor has; undefined: those that it is asked for. */
  sessionScopes: readonly string[] | undefined;
  /** Tokens that the editor was asked for. */
  readonly accountRequests: AccountRequest[] = [];
  #returning: Promise<URLSearchParams> | undefined;

  async confirmSignIn(subject: SignInSubject): Promise<SignInAnswer> {
    this.subjects.push(subject);
    return this.answer(subject);
  }

  async prepareRedirect() {
    this.listening += 1;
    return {
      uri: this.redirectUri,
      returned: async () => {
        assert.ok(this.#returning);
        return this.#returning;
      },
      finish: (outcome: string) => void this.finished.push(outcome),
      dispose: () => void (this.listening -= 1),
    };
  }

  async openBrowser(url: URL): Promise<boolean> {
    this.opened += 1;
    this.#returning = this.browse(url, this.redirectUri);
    this.#returning.catch(() => undefined);
    return true;
  }

  async chooseIssuer({ issuers }: { readonly issuers: readonly string[] }) {
    return issuers[0];
  }

  async confirmPrivateAddress({ address }: { readonly address: string }): Promise<boolean> {
    this.privateAddresses.push(address);
    return this.allowsPrivateAddresses;
  }

  accountProvider(issuer: string, named: string | undefined) {
    const id = named ?? (this.accounts.has(issuer) ? issuer : undefined);
    return id === undefined ? undefined : { id, label: `Provider ${id}`, scopes: [] };
  }

  async accountToken(request: AccountRequest) {
    this.accountRequests.push(request);
    const accessToken = this.accounts.get(request.provider);
    const account = request.mayAsk ? this.chosenAccount : this.silentAccount;
    return accessToken === undefined || account === undefined
      ? undefined
      : { accessToken, account, scopes: this.sessionScopes ?? request.scopes };
  }
}

export interface WindowOptions {
  readonly url: string;
  readonly settings?: Partial<AuthSettings>;
  readonly server?: Partial<ServerConfig>;
  /** Kept from one window to the next. */
  readonly store?: CredentialStore;
  readonly memory?: Memory;
  /** Default: `file:///work`. */
  readonly workspaceId?: string;
  readonly kind?: 'http' | 'webSocket';
  readonly transport?: 'sse';
  /** Own authorities and proxy of the entry. */
  readonly connection?: ConnectionSettings;
}

export class SignInWindow {
  readonly ui = new ScriptedUi();
  readonly questions = new QuestionQueue();
  readonly logs = new FakeLogs();
  readonly store: CredentialStore;
  readonly signIns: SignIns;
  readonly host: McpHost;
  /** Authorizers that were made: each stands for loading the bundle. */
  loads = 0;

  constructor(options: WindowOptions) {
    const { url, settings = {}, server = {}, store, memory, kind, transport, connection } = options;
    this.store = store ?? memoryStore();
    const auth: AuthSettings = { grant: { kind: 'authorizationCode' }, dpop: false, ...settings };
    const accounts = new AccountAccess(memory ?? new FakeMemory());
    this.signIns = new SignIns({
      store: this.store,
      accounts,
      workspaceId: () => options.workspaceId ?? 'file:///work',
      readFile: (path) => readFile(path, 'utf8'),
      clientMetadataUrl: () => undefined,
      load: (request) => {
        this.loads += 1;
        const { ui, questions } = this;
        return createAuthorizer(request, { ui, questions, accounts, clientName: 'MCP Host' });
      },
    });
    const launch = { kind: 'http', url, headers: {} } as const;
    this.host = realHost({
      signIns: this.signIns,
      questions: this.questions,
      features: () => ({}),
      gate: openGate(() => ({
        ...launch,
        kind: kind ?? 'http',
        auth,
        ...(transport === undefined ? {} : { transport }),
        ...(connection === undefined ? {} : { connection }),
      })),
      logs: this.logs,
      log: this.logs.hostLog,
    });
    const entry = stdioServer('notes', { launch, ...server });
    this.host.reconcile({ servers: [entry], inputs: new Map(), problems: [] });
  }

  get connection(): ServerConnection {
    const [connection] = this.host.servers.values();
    assert.ok(connection);
    return connection;
  }

  /** Asks for the tools or calls one, as what the user has just begun. */
  async listTools(): Promise<unknown> {
    return this.connection.withSession((session) => session.call('tools/list', {}), never, true);
  }

  async callTool(name = 'a', signal = never): Promise<unknown> {
    const call = { name, arguments: {} };
    return this.connection.withSession(
      (session) => session.call('tools/call', call, { signal }),
      signal,
      true,
    );
  }

  /** Starts as a server does by itself: asks nobody. */
  async startsUnasked(): Promise<void> {
    assert.equal(await this.host.startUnasked(this.connection.id), true);
    assert.equal(this.connection.state.kind, 'ready');
    // A list that is still on its way would meet what the test does next to the tokens.
    await this.connection.catalog.whenLoaded();
  }

  async needsSignIn(): Promise<void> {
    await this.host.startUnasked(this.connection.id).catch(() => false);
    assert.deepEqual(this.connection.state, { kind: 'stopped', because: 'signInNeeded' });
  }

  /** What is kept. */
  async kinds(): Promise<readonly string[]> {
    return (await this.signIns.stored()).map(({ kind }) => kind).toSorted();
  }

  /** The tools that the server lists. */
  async tools(): Promise<readonly string[]> {
    await this.connection.start();
    await this.connection.catalog.whenLoaded();
    return this.connection.catalog.items('tools').map(({ name }) => name);
  }

  async close(): Promise<void> {
    await this.host.close(5_000);
    this.signIns.dispose();
  }
}

/** What a test has: a server that wants a token, and the windows that sign in to it. */
export class SignInWindows {
  readonly #open: SignInWindow[] = [];
  readonly #servers: AuthScripted[] = [];
  #secrets: readonly string[] = [];

  get all(): readonly SignInWindow[] {
    return this.#open;
  }

  /** For `beforeEach`. None of the windows may log what a server gives out, nor one of `secrets`, until its end. */
  async begin(secrets: readonly string[] = []): Promise<AuthScripted> {
    this.#secrets = secrets;
    closedAfterTest(this);
    return this.server();
  }

  /** Starts another server. */
  async server(): Promise<AuthScripted> {
    const server = await new AuthScripted().start();
    this.#servers.push(server);
    return server;
  }

  readonly open = (options: Partial<WindowOptions> = {}): SignInWindow => {
    const window = new SignInWindow({ url: this.#servers[0]?.url ?? '', ...options });
    this.#open.push(window);
    return window;
  };

  async close(): Promise<void> {
    const windows = this.#open.splice(0);
    const servers = this.#servers.splice(0);
    await Promise.all(windows.map((window) => window.close()));
    await Promise.all(servers.map((server) => server.close()));
    requireQuietLogs(windows, [
      ...this.#secrets,
      ...servers.flatMap(({ secrets }) => [...secrets]),
    ]);
  }
}

/** Nothing that a server gave out, or that the settings hold, was logged, in any form that a log would give it. */
export function requireQuietLogs(
  windows: readonly SignInWindow[],
  secrets: Iterable<string>,
): void {
  const text = windows.flatMap(({ logs }) => logs.lines).join('\n');
  for (const secret of secrets) {
    for (const form of [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
    ]) {
      assert.ok(!text.includes(form), 'a secret was logged');
    }
  }
}
