/**
 * The server of the protocol matrix over each transport, and the binding that leads to it. A host is one
 * server; what went over its wire is in `wire`.
 */
import type { ResolvedLaunch } from '../../../src/host/launch/launchGate.ts';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import type { Binding } from '../../../src/mcp/client/connect.ts';
import { type Revision, revisions } from '../../../src/mcp/revisions.ts';
import { createModernHttpTransport } from '../../../src/mcp/transport/http/modernHttp.ts';
import { createSseTransport } from '../../../src/mcp/transport/http/sse.ts';
import { createStdioTransport } from '../../../src/mcp/transport/stdio/stdio.ts';
import { createStreamableHttpTransport } from '../../../src/mcp/transport/http/streamableHttp.ts';
import { createWebSocketTransport } from '../../../src/mcp/transport/webSocket/webSocket.ts';
import { listen, portOf, shut } from '../../support/listening.ts';
import { fastLimits } from '../httpChannel.ts';
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

/** Starts a server that speaks this revision alone, at any port or at this one. */
export function startHost(name: TransportName, revision: Revision, port = 0): Promise<MatrixHost> {
  switch (name) {
    case 'stdio':
      return Promise.resolve(startStdio(revision));
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

function startStdio(revision: Revision): MatrixHost {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-matrix-'));
  const wireFile = join(folder, 'wire');
  const script = fileURLToPath(new URL('stdioHost.ts', import.meta.url));
  const args = [script, revision, wireFile];
  return {
    launch: { kind: 'stdio', command: process.execPath, args, env: {}, cwd: folder },
    binding: {
      label: 'stdio',
      wire: 'pipe',
      eras: [revisions[revision].era],
      connect: () =>
        createStdioTransport({
          command: process.execPath,
          args,
          env: process.env,
        }),
    },
    get wire() {
      return readFileSync(wireFile, 'utf8').trimEnd().split('\n');
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function startStreamableHttp(revision: Revision, port: number): Promise<MatrixHost> {
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
    die: () => http.server.closeAllConnections(),
  });
  const http = await startHttp(log, port, (request, response, text) => {
    const isHandshake = text.includes('"initialize"');
    hasSession ||= isHandshake;
    if (!hasSession) {
      // The session of a server that ended at this port.
      head(log, response, 404);
      response.end();
      return;
    }
    if (request.method === 'GET') {
      head(log, response, 200, { 'content-type': 'text/event-stream' });
      push = eventOutlet(log, response);
      for (const message of waiting.splice(0)) {
        push.send(message);
      }
      return;
    }
    if (request.method === 'DELETE') {
      head(log, response, 200);
      response.end();
      return;
    }
    const message: unknown = JSON.parse(text);
    const ids = requestIds(message);
    if (ids.size === 0) {
      head(log, response, 202);
      response.end();
      script.receive(message, { send: () => undefined });
      return;
    }
    head(log, response, 200, {
      'content-type': 'text/event-stream',
      ...(isHandshake ? { 'mcp-session-id': sessionId } : {}),
    });
    const events = eventOutlet(log, response);
    script.receive(message, {
      send(answer) {
        events.send(answer);
        if (responseIds(answer).some((id) => ids.has(id))) {
          response.end();
        }
      },
    });
  });
  const url = new URL('/mcp', http.origin);
  return {
    launch: { kind: 'http', url: url.href, headers: {} },
    binding: {
      label: 'Streamable HTTP',
      wire: 'http',
      eras: [revisions[revision].era],
      connect: () => createStreamableHttpTransport({ url, headers: {}, limits: fastLimits }),
    },
    wire: log.lines,
    close: http.close,
  };
}

async function startModernHttp(revision: Revision, port: number): Promise<MatrixHost> {
  const log = new WireLog();
  const script = scriptFor(revision, {
    push: { send: () => undefined },
    die: () => http.server.closeAllConnections(),
  });
  const http = await startHttp(log, port, (request, response, text) => {
    if (request.method !== 'POST') {
      head(log, response, 405);
      response.end();
      return;
    }
    const message: unknown = JSON.parse(text);
    const ids = requestIds(message);
    head(log, response, 200, { 'content-type': 'text/event-stream' });
    const events = eventOutlet(log, response);
    response.on('close', () => {
      if (!response.writableEnded) {
        ids.forEach((id) => script.abandon(id));
      }
    });
    script.receive(message, {
      send(answer) {
        events.send(answer);
        if (responseIds(answer).some((id) => ids.has(id))) {
          response.end();
        }
      },
    });
  });
  const url = new URL('/mcp', http.origin);
  return {
    launch: { kind: 'http', url: url.href, headers: {} },
    binding: {
      label: 'Streamable HTTP',
      wire: 'http',
      eras: [revisions[revision].era],
      connect: () => createModernHttpTransport({ url, headers: {}, limits: fastLimits }),
    },
    wire: log.lines,
    close: http.close,
  };
}

async function startSse(revision: Revision, port: number): Promise<MatrixHost> {
  const log = new WireLog();
  let events: Outlet = { send: () => undefined };
  const script = scriptFor(revision, {
    push: { send: (message) => events.send(message) },
    die: () => http.server.closeAllConnections(),
  });
  const http = await startHttp(log, port, (request, response, text) => {
    if (request.method === 'GET') {
      head(log, response, 200, { 'content-type': 'text/event-stream' });
      const endpoint = '/messages?session=1';
      log.frame('server', 'event: endpoint');
      log.frame('server', `data: ${endpoint}`);
      response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
      events = eventOutlet(log, response);
      return;
    }
    if (request.url === '/sse') {
      // That is how a server of the older transport shows that it has no other.
      head(log, response, 405);
      response.end();
      return;
    }
    head(log, response, 202);
    response.end('Accepted');
    script.receive(JSON.parse(text), events);
  });
  const url = new URL('/sse', http.origin);
  return {
    launch: { kind: 'http', url: url.href, headers: {}, transport: 'sse' },
    binding: {
      label: 'HTTP+SSE',
      wire: 'pipe',
      eras: [revisions[revision].era],
      connect: () => createSseTransport({ url, headers: {} }),
    },
    wire: log.lines,
    close: http.close,
  };
}

async function startWebSocket(revision: Revision, port: number): Promise<MatrixHost> {
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
    binding: {
      label: 'WebSocket',
      wire: 'pipe',
      eras: [revisions[revision].era],
      connect: () => createWebSocketTransport({ url, headers: {} }),
    },
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

interface Http {
  readonly server: Server;
  readonly origin: string;
  readonly close: () => Promise<void>;
}

async function startHttp(
  log: WireLog,
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse, text: string) => void,
): Promise<Http> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      log.head('client', `${request.method ?? ''} ${request.url ?? ''}`, request.headers);
      if (text !== '') {
        log.frame('client', text);
      }
      handle(request, response, text);
    });
  });
  const taken = await listen(server, '127.0.0.1', port);
  return { server, origin: `http://127.0.0.1:${taken}`, close: () => shut(server) };
}

function head(
  log: WireLog,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  log.head('server', String(status), headers);
  response.writeHead(status, headers);
  response.flushHeaders();
}

function eventOutlet(log: WireLog, response: ServerResponse): Outlet {
  return {
    send(message) {
      const data = JSON.stringify(message);
      log.frame('server', `data: ${data}`);
      response.write(`data: ${data}\n\n`);
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
