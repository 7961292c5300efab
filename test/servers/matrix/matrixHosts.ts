/**
 * The server of the protocol matrix over each transport, and the binding that leads to it. A host is one
 * server; what went over its wire is in `wire`.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import type { ResolvedLaunch } from '../../../src/host/launch/launchGate.ts';
import { toBindings } from '../../../src/host/servers/bindings.ts';
import type { Binding } from '../../../src/mcp/client/connect.ts';
import { type Revision, revisions } from '../../../src/mcp/revisions.ts';
import { portOf } from '../../support/listening.ts';
import { nodeLaunch } from '../../support/realHost.ts';
import { type Exchange, HttpScripted } from '../httpScripted.ts';
import type { Outlet } from './script.ts';
import { scriptFor } from './scriptFor.ts';
import { WireLog } from './wireLog.ts';

export const transports = ['stdio', 'Streamable HTTP', 'HTTP+SSE', 'WebSocket'] as const;
export type TransportName = (typeof transports)[number];

export interface MatrixHost {
  readonly binding: Binding;
  /** What the host would be given to reach it. */
  readonly launch: ResolvedLaunch;
  readonly wire: readonly string[];
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
  const folder = mkdtempSync(join(tmpdir(), 'mcp-matrix-'));
  const wireFile = join(folder, 'wire');
  const script = fileURLToPath(new URL('stdioHost.ts', import.meta.url));
  return {
    launch: nodeLaunch([script, revision, wireFile]),
    get wire() {
      return readFileSync(wireFile, 'utf8').trimEnd().split('\n');
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function startStreamableHttp(revision: Revision, port: number): Promise<Started> {
  const log = new WireLog();
  const sessionId = 'session-of-the-matrix';
  let hasSession = false;
  let push: Outlet | undefined;
  const waiting: unknown[] = [];
  const script = scriptFor(revision, {
    push: {
      send(message) {
        if (push === undefined) {
          waiting.push(message);
        } else {
          push.send(message);
        }
      },
    },
    die: () => http.closeAllConnections(),
  });
  const http = await startHttp(log, port, (exchange) => {
    const { verb, message } = exchange.received;
    const isHandshake = message.method === 'initialize';
    hasSession ||= isHandshake;
    if (!hasSession) {
      // The session of a server that ended at this port.
      head(log, exchange, 404);
      exchange.end();
      return;
    }
    if (verb === 'GET') {
      head(log, exchange, 200, { 'content-type': 'text/event-stream' });
      push = eventOutlet(log, exchange);
      waiting.splice(0).forEach((one) => push?.send(one));
      return;
    }
    if (verb === 'DELETE') {
      head(log, exchange, 200);
      exchange.end();
      return;
    }
    const ids = requestIds(message);
    if (ids.size === 0) {
      head(log, exchange, 202);
      exchange.end();
      script.receive(message, { send: () => undefined });
      return;
    }
    head(log, exchange, 200, {
      'content-type': 'text/event-stream',
      ...(isHandshake ? { 'mcp-session-id': sessionId } : {}),
    });
    const events = eventOutlet(log, exchange);
    script.receive(message, {
      send(answer) {
        events.send(answer);
        if (responseIds(answer).some((id) => ids.has(id))) {
          exchange.end();
        }
      },
    });
  });
  return {
    launch: { kind: 'http', url: http.url().href, headers: {} },
    wire: log.lines,
    close: () => http.close(),
  };
}

async function startModernHttp(revision: Revision, port: number): Promise<Started> {
  const log = new WireLog();
  const script = scriptFor(revision, {
    push: { send: () => undefined },
    die: () => http.closeAllConnections(),
  });
  const http = await startHttp(log, port, (exchange) => {
    if (exchange.received.verb !== 'POST') {
      head(log, exchange, 405);
      exchange.end();
      return;
    }
    const { message } = exchange.received;
    const ids = requestIds(message);
    head(log, exchange, 200, { 'content-type': 'text/event-stream' });
    const events = eventOutlet(log, exchange);
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
  });
  return {
    launch: { kind: 'http', url: http.url().href, headers: {} },
    wire: log.lines,
    close: () => http.close(),
  };
}

async function startSse(revision: Revision, port: number): Promise<Started> {
  const log = new WireLog();
  let events: Outlet = { send: () => undefined };
  const script = scriptFor(revision, {
    push: { send: (message) => events.send(message) },
    die: () => http.closeAllConnections(),
  });
  const http = await startHttp(log, port, (exchange) => {
    if (exchange.received.verb === 'GET') {
      head(log, exchange, 200, { 'content-type': 'text/event-stream' });
      const endpoint = '/messages?session=1';
      log.frame('server', 'event: endpoint');
      log.frame('server', `data: ${endpoint}`);
      exchange.write(`event: endpoint\ndata: ${endpoint}\n\n`);
      events = eventOutlet(log, exchange);
      return;
    }
    if (exchange.received.path === '/sse') {
      // That is how a server of the older transport shows that it has no other.
      head(log, exchange, 405);
      exchange.end();
      return;
    }
    head(log, exchange, 202);
    exchange.response.end('Accepted');
    script.receive(exchange.received.message, events);
  });
  return {
    launch: { kind: 'http', url: http.url('/sse').href, headers: {}, transport: 'sse' },
    wire: log.lines,
    close: () => http.close(),
  };
}

async function startWebSocket(revision: Revision, port: number): Promise<Started> {
  const log = new WireLog();
  const server = new WebSocketServer({ port, host: '127.0.0.1' });
  server.on('headers', (headers) => {
    const entries = headers.map((line) => line.split(': '));
    log.head('server', '101 Switching Protocols', Object.fromEntries(entries));
  });
  server.on('connection', (socket, request) => {
    // The upgrade was logged before its answer only if it is put there.
    const handshake = new WireLog();
    handshake.head('client', 'GET /mcp', request.headers);
    log.lines.unshift(...handshake.lines);
    const out: Outlet = {
      send(message) {
        const text = JSON.stringify(message);
        log.frame('server', text);
        socket.send(text);
      },
    };
    const script = scriptFor(revision, { push: out, die: () => socket.terminate() });
    socket.on('message', (data) => {
      const text = Buffer.isBuffer(data) ? data.toString() : '';
      log.frame('client', text);
      script.receive(JSON.parse(text), out);
    });
    socket.on('close', (code) => log.frame('client', `close ${code}`));
  });
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const url = new URL('/mcp', `ws://127.0.0.1:${portOf(server)}`);
  return {
    launch: { kind: 'webSocket', url: url.href, headers: {} },
    wire: log.lines,
    close: async () => {
      for (const client of server.clients) {
        client.terminate();
      }
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function startHttp(
  log: WireLog,
  port: number,
  handle: (exchange: Exchange) => void,
): Promise<HttpScripted> {
  const server = new HttpScripted((exchange) => {
    const { verb, path, headers, body } = exchange.received;
    log.head('client', `${verb} ${path}`, headers);
    if (body !== '') {
      log.frame('client', body);
    }
    handle(exchange);
  });
  return server.start(port);
}

function head(
  log: WireLog,
  { response }: Exchange,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  log.head('server', String(status), headers);
  response.writeHead(status, headers);
  response.flushHeaders();
}

function eventOutlet(log: WireLog, exchange: Exchange): Outlet {
  return {
    send(message) {
      log.frame('server', `data: ${JSON.stringify(message)}`);
      exchange.event(message);
    },
  };
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
