/** HTTP servers on Unix sockets: Streamable HTTP and HTTP+SSE, by the URLs that people write. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { readSocketUrl } from '../../src/host/config/socketUrl.ts';
import { toBindings } from '../../src/host/servers/bindings.ts';
import { connect } from '../../src/mcp/client/connect.ts';
import type { Session } from '../../src/mcp/session/session.ts';
import { Exchange, type Handler, initialize, type Received } from '../servers/httpScripted.ts';
import { hello } from '../support/hello.ts';

const { signal: never } = new AbortController();

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-socket-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An HTTP server on the socket; what it was asked is in `received`. */
async function serving(
  path: string,
  handler: Handler,
  use: (received: readonly Received[]) => Promise<void>,
): Promise<void> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method: verb = '', url = '', headers } = request;
      const one = { verb, path: url, headers, message: text === '' ? {} : JSON.parse(text) };
      received.push(one);
      handler(new Exchange(one, response));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(path, resolve);
  });
  try {
    await use(received);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

const streamable: Handler = (exchange) => {
  const { verb, message } = exchange.received;
  if (message.method === 'initialize') {
    initialize(exchange, { sessionId: 's-1' });
  } else if (message.method === 'tools/call') {
    exchange.json(exchange.resultOf({ content: [{ type: 'text', text: 'ok' }] }));
  } else if (message.method === 'server/discover') {
    exchange.answer(400, 'what?');
  } else {
    exchange.answer(verb === 'POST' ? 202 : 405);
  }
};

function open(url: string, transport?: 'sse'): Promise<Session> {
  const address = readSocketUrl(url);
  assert.ok(address);
  const launch = { kind: 'http', url: address.url.href, headers: {} } as const;
  const { socketPath } = address;
  const bindings = toBindings({ ...launch, socketPath, ...(transport && { transport }) });
  return connect(bindings, hello({ openMs: 30_000 }), never);
}

function unreachable(path: string, reason: RegExp): Promise<void> {
  return assert.rejects(open(`unix://${path}#/mcp`), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'unreachable');
    assert.ok(error.message.startsWith(`${path} cannot be reached: `), error.message);
    assert.match(error.message, reason);
    return true;
  });
}

describe('Unix sockets', function () {
  this.timeout(60_000);
  for (const form of ['unix://PATH#/mcp', 'unix:PATH:/mcp', 'http+unix://ENCODED/mcp'] as const) {
    it(`reaches a server of Streamable HTTP by ${form}`, async () => {
      await withFolder(async (folder) => {
        const path = join(folder, 'mcp.sock');
        const url = form.replace('PATH', path).replace('ENCODED', encodeURIComponent(path));
        await serving(path, streamable, async (received) => {
          const session = await open(url);
          assert.equal(session.server.transport, 'Streamable HTTP');
          const { content } = await session.call('tools/call', { name: 'x' });
          assert.deepEqual(content, [{ type: 'text', text: 'ok' }]);
          await session.close();
          assert.ok(received.every((one) => one.path === '/mcp'));
          assert.ok(received.every(({ headers }) => headers.host === 'localhost'));
          assert.equal(received.at(-1)?.verb, 'DELETE');
        });
      });
    });
  }

  it('reaches a server of HTTP+SSE, whose endpoint is on the same socket', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'a b.sock');
      let stream: Exchange;
      const handler: Handler = (exchange) => {
        if (exchange.received.verb === 'GET') {
          stream = exchange.stream().write('event: endpoint\ndata: /messages\n\n');
          return;
        }
        exchange.answer(202);
        if (exchange.received.message.method === 'initialize') {
          const serverInfo = { name: 'old', version: '1' };
          const protocolVersion = '2024-11-05';
          stream.event(exchange.resultOf({ protocolVersion, capabilities: {}, serverInfo }));
        }
      };
      await serving(path, handler, async (received) => {
        const session = await open(`unix://${path.replace(' ', '%20')}#/sse`, 'sse');
        assert.equal(session.server.transport, 'HTTP+SSE');
        await session.close();
        assert.deepEqual(
          received.map((one) => `${one.verb} ${one.path}`),
          ['GET /sse', 'POST /messages', 'POST /messages'],
        );
      });
    });
  });

  it('is told when there is no socket, no server behind it, no socket at all, or no way in', async () => {
    await withFolder(async (folder) => {
      const missing = join(folder, 'missing.sock');
      await unreachable(missing, /there is no such socket, is the server running\?/u);
      const file = join(folder, 'file.sock');
      await writeFile(file, '');
      await unreachable(file, /nothing listens there|no socket/u);
    });
  });

  it('errors of HTTP name the socket, too', async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'mcp.sock');
      await serving(
        path,
        (exchange) => exchange.answer(401),
        async () => {
          await assert.rejects(open(`unix://${path}#/mcp`), {
            code: 'unauthorized',
            message: `${path} asks for authorization (HTTP 401)`,
          });
        },
      );
    });
  });
});
