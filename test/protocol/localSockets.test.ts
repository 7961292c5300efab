/** HTTP servers on Unix sockets: Streamable HTTP and HTTP+SSE, by the URLs that people write. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSocketUrl } from '../../src/host/config/socketUrl.ts';
import { toBindings } from '../../src/host/servers/bindings.ts';
import { connect } from '../../src/mcp/client/connect.ts';
import type { Session } from '../../src/mcp/session/session.ts';
import { HttpScripted, legacyServer } from '../servers/httpScripted.ts';
import { oldServer } from '../servers/sseScripted.ts';
import { closedAfterTest } from '../support/closing.ts';
import { hello } from '../support/hello.ts';

const { signal: never } = new AbortController();

const streamable = (): HttpScripted =>
  legacyServer(
    { 'server/discover': (exchange) => exchange.answer(400, 'what?') },
    { sessionId: 's-1' },
  );

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

function serve(server: HttpScripted, path: string): Promise<HttpScripted> {
  return closedAfterTest(server).start(path);
}

describe('Unix sockets', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-socket-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  for (const form of ['unix://PATH#/mcp', 'unix:PATH:/mcp', 'http+unix://ENCODED/mcp'] as const) {
    it(`reaches a server of Streamable HTTP by ${form}`, async () => {
      const path = join(folder, 'mcp.sock');
      const { received } = await serve(streamable(), path);
      const url = form.replace('PATH', path).replace('ENCODED', encodeURIComponent(path));
      const session = await open(url);
      assert.equal(session.server.transport, 'Streamable HTTP');
      const { content } = await session.call('tools/call', { name: 'x' });
      assert.deepEqual(content, [{ type: 'text', text: 'ok' }]);
      await session.close();
      assert.ok(received.every((one) => one.path === '/mcp'));
      assert.ok(received.every(({ headers }) => headers.host === 'localhost'));
      assert.equal(received.at(-1)?.verb, 'DELETE');
    });
  }

  it('reaches a server of HTTP+SSE, whose endpoint is on the same socket', async () => {
    const path = join(folder, 'a b.sock');
    const { received } = await serve(
      oldServer((exchange) => exchange.answer(405)),
      path,
    );
    const session = await open(`unix://${path.replace(' ', '%20')}#/sse`, 'sse');
    assert.equal(session.server.transport, 'HTTP+SSE');
    await session.close();
    assert.deepEqual(
      received.map((one) => `${one.verb} ${one.path}`),
      ['GET /sse', 'POST /messages?session=1', 'POST /messages?session=1'],
    );
  });

  it('is told when there is no socket, no server behind it, no socket at all, or no way in', async () => {
    const missing = join(folder, 'missing.sock');
    await unreachable(missing, /there is no such socket, is the server running\?/u);
    const file = join(folder, 'file.sock');
    await writeFile(file, '');
    await unreachable(file, /nothing listens there|no socket/u);
  });

  it('errors of HTTP name the socket, too', async () => {
    const path = join(folder, 'mcp.sock');
    await serve(new HttpScripted((exchange) => exchange.answer(401)), path);
    await assert.rejects(open(`unix://${path}#/mcp`), {
      code: 'unauthorized',
      message: `${path} asks for authorization (HTTP 401)`,
    });
  });
});
