/** The server of the protocol matrix over each transport, and the binding that leads to it. A host is one server. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { WebSocket } from 'ws';
import type { ResolvedLaunch } from '../../../src/host/launch/launchGate.ts';
import { toBindings } from '../../../src/host/servers/bindings.ts';
import type { Binding } from '../../../src/mcp/client/connect.ts';
import { type Revision, revisions } from '../../../src/mcp/revisions.ts';
import { nodeLaunch } from '../../support/realHost.ts';
import { type Exchange, HttpScripted } from '../httpScripted.ts';
import { WebSocketScripted } from '../webSocketScripted.ts';
import type { MatrixScript, Outlet } from './matrixScript.ts';
import { scriptFor } from './scriptFor.ts';

export const transports = ['stdio', 'Streamable HTTP', 'HTTP+SSE', 'WebSocket'] as const;
export type TransportName = (typeof transports)[number];

export interface MatrixHost {
  readonly binding: Binding;
  /** What the host would be given to reach it. */
  readonly launch: ResolvedLaunch;
  /** Ends the server; the client should have gone before. */
  close(): Promise<void>;
}

type Started = Omit<MatrixHost, 'binding'>;

/** Starts a server that speaks this revision alone, at any port or at this one. */
export async function startHost(
  name: TransportName,
  revision: Revision,
  port = 0,
): Promise<MatrixHost> {
  const { era } = revisions[revision];
  const host = await start(name, revision, port);
  const binding = toBindings(host.launch).find(({ eras }) => eras.includes(era));
  assert.ok(binding);
  return Object.assign(host, { binding: { ...binding, eras: [era] } });
}

async function start(name: TransportName, revision: Revision, port: number): Promise<Started> {
  switch (name) {
    case 'stdio':
      return startStdio(revision);
    case 'Streamable HTTP':
      return revisions[revision].era === 'modern'
        ? startModernHttp(revision, port)
        : startStreamableHttp(revision, port);
    case 'HTTP+SSE':
      return startSse(revision, port);
    case 'WebSocket':
      return startWebSocket(revision, port);
  }
}

function startStdio(revision: Revision): Started {
  const script = fileURLToPath(new URL('stdioHost.ts', import.meta.url));
  return { launch: nodeLaunch([script, revision]), close: async () => undefined };
}

async function startStreamableHttp(revision: Revision, port: number): Promise<Started> {
  const sessionId = 'session-of-the-matrix';
  let hasSession = false;
  let push: Outlet | undefined;
  const waiting: unknown[] = [];
  const script = scriptFor(revision, {
    push: { send: (message) => (push === undefined ? waiting.push(message) : push.send(message)) },
    die: () => http.closeAllConnections(),
  });
  const http = new HttpScripted((exchange) => {
    const { verb, message } = exchange.received;
    const isHandshake = message.method === 'initialize';
    hasSession ||= isHandshake;
    if (!hasSession) {
      end(exchange, 404); // the session of a server that ended at this port
    } else if (verb === 'GET') {
      push = openEvents(exchange);
      waiting.splice(0).forEach((one) => push?.send(one));
    } else if (verb === 'DELETE') {
      end(exchange, 200);
    } else if (requestIds(message).size === 0) {
      end(exchange, 202);
      script.receive(message, { send: () => undefined });
    } else {
      serve(script, exchange, isHandshake ? { 'mcp-session-id': sessionId } : {});
    }
  });
  return servedAt(await http.start(port));
}

async function startModernHttp(revision: Revision, port: number): Promise<Started> {
  const script = scriptFor(revision, {
    push: { send: () => undefined },
    die: () => http.closeAllConnections(),
  });
  const http = new HttpScripted((exchange) => {
    if (exchange.received.verb === 'POST') {
      serve(script, exchange);
    } else {
      end(exchange, 405);
    }
  });
  return servedAt(await http.start(port));
}

async function startSse(revision: Revision, port: number): Promise<Started> {
  let events: Outlet = { send: () => undefined };
  const script = scriptFor(revision, {
    push: { send: (message) => events.send(message) },
    die: () => http.closeAllConnections(),
  });
  const http = new HttpScripted((exchange) => {
    if (exchange.received.verb === 'GET') {
      events = openEvents(exchange);
      exchange.write('event: endpoint\ndata: /messages?session=1\n\n');
    } else if (exchange.received.path === '/sse') {
      end(exchange, 405); // that is how a server of the older transport shows that it has no other
    } else {
      exchange.response.writeHead(202).end('Accepted');
      script.receive(exchange.received.message, events);
    }
  });
  const { launch, close } = servedAt(await http.start(port), '/sse');
  return { launch: { ...launch, transport: 'sse' }, close };
}

function servedAt(http: HttpScripted, path?: string) {
  const launch = { kind: 'http', url: http.url(path).href, headers: {} } as const;
  return { launch, close: () => http.close() };
}

async function startWebSocket(revision: Revision, port: number): Promise<Started> {
  const scripts = new Map<WebSocket, (text: string) => void>();
  const server = new WebSocketScripted({
    onConnection: (socket) => {
      const out: Outlet = { send: (message) => socket.send(JSON.stringify(message)) };
      const script = scriptFor(revision, { push: out, die: () => socket.terminate() });
      scripts.set(socket, (text) => script.receive(JSON.parse(text), out));
    },
    onText: (text, socket) => scripts.get(socket)?.(text),
  });
  await server.start(port);
  return {
    launch: { kind: 'webSocket', url: server.url.href, headers: {} },
    close: () => server.close(),
  };
}

function end({ response }: Exchange, status: number): void {
  response.writeHead(status).end();
}

function openEvents(exchange: Exchange, headers: Readonly<Record<string, string>> = {}): Outlet {
  exchange.response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  exchange.response.flushHeaders();
  return { send: (message) => exchange.event(message) };
}

/** Answers a request in a stream of its own, which the client may leave. */
function serve(
  script: MatrixScript,
  exchange: Exchange,
  headers?: Readonly<Record<string, string>>,
): void {
  const { message } = exchange.received;
  const ids = requestIds(message);
  const events = openEvents(exchange, headers);
  exchange.response.on('close', () => {
    if (!exchange.response.writableEnded) {
      ids.forEach((id) => script.abandon(id));
    }
  });
  script.receive(message, {
    send(answer) {
      events.send(answer);
      if (responseIds(answer).some((id) => ids.has(id))) {
        exchange.end();
      }
    },
  });
}

function requestIds(frame: unknown): ReadonlySet<unknown> {
  return new Set(
    listOf(frame)
      .filter((message) => message['method'] !== undefined && message['id'] !== undefined)
      .map((message) => message['id']),
  );
}

function responseIds(frame: unknown): readonly unknown[] {
  return listOf(frame)
    .filter((message) => message['method'] === undefined)
    .map((message) => message['id']);
}

function listOf(frame: unknown): readonly Readonly<Record<string, unknown>>[] {
  return JSON.parse(JSON.stringify(Array.isArray(frame) ? frame : [frame]));
}
