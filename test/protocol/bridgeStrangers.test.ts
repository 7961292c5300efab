/** Who may not talk to the bridge: no token, another Host, a foreign Origin, too much, too slow. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { maxBodyBytes } from '../../src/bridge/httpEndpoint.ts';
import { closedAfterTest } from '../support/closing.ts';
import { answerTo, type BridgeAnswer, BridgedHost, nodeServer } from '../support/bridged.ts';
import { waitUntil } from '../support/waitUntil.ts';

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'stranger', version: '1' },
  },
});

async function isReachable(address: string, port: number): Promise<boolean> {
  const socket = connect(port, address);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

describe('A stranger at the bridge', () => {
  let ground: BridgedHost;

  beforeEach(async () => {
    ground = closedAfterTest(new BridgedHost());
    ground.configure(nodeServer('quiet', ['-e', ''], { startup: 'manual' }));
    await ground.bridge.start();
  });

  function ask(
    headers: OutgoingHttpHeaders,
    { body = initialize, ...more }: { path?: string; method?: string; body?: string | Buffer } = {},
  ): Promise<BridgeAnswer> {
    const request = ground.begin('quiet', headers, more);
    request.end(body);
    return answerTo(request);
  }

  const own = (): Readonly<Record<string, string>> => ground.endpoint('quiet').headers;

  it('is let in with the token, and only then', async () => {
    assert.equal((await ask(own())).status, 200);
    const url = new URL(ground.endpoint('quiet').url);
    const same = await ask({ ...own(), host: `localhost:${url.port}`, origin: url.origin });
    assert.equal(same.status, 200);
  });

  it('learns nothing without the token, with another one or in another place', async () => {
    const { authorization } = { authorization: own()['Authorization'] ?? '' };
    for (const token of [undefined, authorization.slice(0, -1)]) {
      const answer = await ask(token === undefined ? {} : { authorization: token });
      assert.equal(answer.status, 401, `with ${token}`);
      assert.equal(answer.body, '');
      assert.equal(answer.headers['www-authenticate'], undefined);
    }
    const url = new URL(ground.endpoint('quiet').url);
    const inQuery = await ask(
      {},
      { path: `${url.pathname}?access_token=${authorization.slice(7)}` },
    );
    assert.equal(inQuery.status, 404);
  });

  it('finds nothing on another path, token or not', async () => {
    const { pathname } = new URL(ground.endpoint('quiet').url);
    const paths = ['/', '/mcp', '/.well-known/oauth-protected-resource', `${pathname}/`, '//', '*'];
    for (const path of paths) {
      for (const headers of [own(), {}]) {
        const answer = await ask(headers, { path });
        assert.deepEqual([answer.status, answer.body], [404, ''], path);
      }
    }
  });

  it('cannot use the token of one server at another', async () => {
    ground.configure(
      nodeServer('quiet', ['-e', ''], { startup: 'manual' }),
      nodeServer('other', ['-e', ''], { startup: 'manual' }),
    );
    assert.equal((await ask(ground.endpoint('other').headers)).status, 401);
  });

  it('is refused with another Host, as after DNS rebinding', async () => {
    const { port } = new URL(ground.endpoint('quiet').url);
    for (const host of ['127.0.0.1', `evil.example:${port}`, `127.0.0.1.:${port}`]) {
      const answer = await ask({ ...own(), host });
      assert.deepEqual([answer.status, answer.body], [403, ''], host);
    }
  });

  it('is refused with a foreign Origin, and gets no CORS header', async () => {
    for (const origin of ['http://evil.example', 'null']) {
      for (const method of ['POST', 'GET', 'OPTIONS']) {
        const answer = await ask({ ...own(), origin }, { method });
        assert.equal(answer.status, 403, `${method} ${origin}`);
        const cors = Object.keys(answer.headers).filter((name) => name.includes('access-control'));
        assert.deepEqual(cors, []);
      }
    }
    const preflight = await ask(own(), { method: 'OPTIONS', body: '' });
    assert.equal(preflight.status, 405);
  });

  it('with 100 MB is refused before they are read', async () => {
    const flood = Buffer.alloc(100 * 1024 * 1024, 0x20);
    assert.equal((await ask({}, { body: flood })).status, 401);
    const before = process.memoryUsage.rss();
    assert.equal((await ask(own(), { body: flood })).status, 413);
    const grown = process.memoryUsage.rss() - before;
    assert.ok(grown < 80 * 1024 * 1024, `${grown} bytes more`);
  });

  it('that does not say how much comes is stopped at the limit', async () => {
    const headers = { ...own(), 'transfer-encoding': 'chunked' };
    const answer = await ask(headers, { body: Buffer.alloc(maxBodyBytes + 1024, 0x20) });
    assert.equal(answer.status, 413);
  });

  it('with huge headers is refused', async () => {
    const answer = await ask({ ...own(), 'x-large': 'x'.repeat(100_000) });
    assert.equal(answer.status, 431);
  });

  it('reaches it at 127.0.0.1 alone, at no other address of the machine', async () => {
    const port = Number(new URL(ground.endpoint('quiet').url).port);
    const addresses = Object.values(networkInterfaces())
      .flatMap((all = []) => all)
      .filter(({ address, scopeid = 0 }) => address !== '127.0.0.1' && scopeid === 0)
      .map(({ address }) => address);
    // All of 127.0.0.0/8 is this machine on Linux: a listener on every address would take it.
    const others = [...addresses, ...(process.platform === 'linux' ? ['127.0.0.2'] : [])];
    assert.equal(await isReachable('127.0.0.1', port), true);
    for (const address of others) {
      assert.equal(await isReachable(address, port), false, address);
    }
  });

  it('that holds 1,100 connections open and asks nothing keeps nobody else out', async () => {
    const { url } = ground.endpoint('quiet');
    const port = Number(new URL(url).port);
    const silent: Socket[] = [];
    for (let count = 0; count < 1_100; count += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      silent.push(socket);
    }
    try {
      const answer = await fetch(url, { method: 'OPTIONS', headers: own() });
      assert.equal(answer.status, 405);
      await waitUntil('the oldest to make room', () => silent[0]?.closed === true);
      assert.equal(silent.at(-1)?.closed, false);
    } finally {
      for (const socket of silent) {
        socket.destroy();
      }
    }
  });

  it('that only connects is gone when the bridge closes', async () => {
    const socket = connect(Number(new URL(ground.endpoint('quiet').url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\n');
    socket.on('error', () => undefined);
    let isGone = false;
    socket.once('close', () => {
      isGone = true;
    });
    await ground.bridge.close();
    await waitUntil('the connection to end', () => isGone);
  });

  it('meets another token, path and port after each start', async () => {
    const other = closedAfterTest(new BridgedHost());
    other.configure(nodeServer('quiet', ['-e', ''], { startup: 'manual' }));
    await other.bridge.start();
    const [mine, theirs] = [ground.endpoint('quiet'), other.endpoint('quiet')];
    assert.notEqual(mine.headers['Authorization'], theirs.headers['Authorization']);
    assert.notEqual(new URL(mine.url).pathname, new URL(theirs.url).pathname);
    assert.notEqual(new URL(mine.url).port, new URL(theirs.url).port);
    assert.match(new URL(mine.url).pathname, /^\/[\w-]{43}$/u);
    assert.equal(mine.version, theirs.version, 'the version is of what is served');
  });
});
