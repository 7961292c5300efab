/** A Streamable HTTP transport under test: what it was asked and all that came out of it. */
import { type Binding, connect } from '../../src/mcp/client/connect.ts';
import type { ClientOptions, ServerChange, Session } from '../../src/mcp/session/session.ts';
import type { HttpLimits } from '../../src/mcp/transport/limits.ts';
import type { HttpTransportOptions } from '../../src/mcp/transport/http/httpExchange.ts';
import { StreamableHttpTransport } from '../../src/mcp/transport/http/streamableHttp.ts';
import type { CloseReason, Diagnostic, SendOptions } from '../../src/mcp/transport/transport.ts';
import { closedAfterTest } from '../support/closing.ts';
import { hello } from '../support/hello.ts';
import { TransportTap } from '../support/transportTap.ts';
import type { HttpScripted } from './httpScripted.ts';

/** Streams are opened again at once. */
export const fastLimits: Partial<HttpLimits> = { firstDelayMs: 20, lingerMs: 200 };

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** What makes a request valid that a test sends for another reason. */
const fillings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'channel', version: '1.0.0' },
  },
  'tools/call': { name: 'anything' },
  'server/discover': { _meta: modernMeta },
  'subscriptions/listen': { _meta: modernMeta, notifications: {} },
};

/** The transport alone. Without `params`, what a method needs is filled in. */
export class Channel extends TransportTap {
  losses = 0;
  pushStreams = 0;

  constructor(options: HttpTransportOptions, HttpTransport = StreamableHttpTransport) {
    super(new HttpTransport({ limits: fastLimits, ...options }));
    this.transport.onDidLoseSession(() => (this.losses += 1));
    this.transport.onDidOpenPushStream(() => (this.pushStreams += 1));
  }

  override ask(method: string, params: object = {}, options?: SendOptions): Promise<void> {
    return super.ask(method, { ...fillings[method], ...params }, options);
  }

  /** The handshake, as the layers above do it. */
  async open(revision = '2025-11-25', sendsVersionHeader = true): Promise<this> {
    await this.ask('initialize');
    this.transport.sessionReady({ revision, sendsVersionHeader });
    await this.tell('notifications/initialized');
    return this;
  }
}

/** A channel to the server; both are closed after the test. */
export async function openChannel(
  server: HttpScripted,
  options: Partial<HttpTransportOptions> = {},
  HttpTransport = StreamableHttpTransport,
): Promise<Channel> {
  closedAfterTest(await server.start());
  const channel = new Channel({ url: server.url(), headers: {}, ...options }, HttpTransport);
  closedAfterTest(channel.transport);
  return channel;
}

/** The whole stack, and what it told. */
export interface OpenedSession {
  readonly session: Session;
  readonly changes: readonly ServerChange[];
  readonly closes: readonly CloseReason[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A session with the server; both are closed after the test. */
export async function openSession(
  server: HttpScripted,
  overrides: Partial<ClientOptions> = {},
  options: Partial<HttpTransportOptions> = {},
): Promise<OpenedSession> {
  closedAfterTest(await server.start());
  const diagnostics: Diagnostic[] = [];
  const changes: ServerChange[] = [];
  const closes: CloseReason[] = [];
  const note = (diagnostic: Diagnostic): unknown => diagnostics.push(diagnostic);
  const binding: Binding = {
    label: 'Streamable HTTP',
    wire: 'http',
    eras: ['legacy'],
    connect: () =>
      new StreamableHttpTransport({
        url: server.url(),
        headers: {},
        limits: fastLimits,
        ...options,
      }),
  };
  const { signal } = new AbortController();
  const session = closedAfterTest(await connect([binding], hello(overrides), signal, note));
  session.onDidDiagnose(note);
  session.onDidChange((change) => changes.push(change));
  session.onDidClose((reason) => closes.push(reason));
  return { session, changes, closes, diagnostics };
}
