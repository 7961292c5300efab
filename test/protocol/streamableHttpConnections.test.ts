import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { type ErrorCode, isMcpError } from '../../src/mcp/errors.ts';
import type { HttpAuthorizer } from '../../src/mcp/httpAuthorizer.ts';
import { maxRunning } from '../../src/mcp/rpc/inboundRequests.ts';
import { StreamableHttpTransport } from '../../src/mcp/transport/http/streamableHttp.ts';
import { Channel, openChannel, openSession } from '../servers/httpChannel.ts';
import { eventOf, type Exchange, HttpScripted, legacyServer } from '../servers/httpScripted.ts';
import { closedAfterTest } from '../support/closing.ts';
import { listen } from '../support/listening.ts';
import { countingRequests } from '../support/patchedModules.ts';
import { turns, waitUntil } from '../support/waitUntil.ts';

const secretPath = '/hook/secret-path?key=secret-query';

/** Rejects with this code, in these words, and without the path of the URL. */
const failsWith =
  (code: ErrorCode, text: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(isMcpError(error), String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, text);
    assert.ok(!error.message.includes('secret'), error.message);
    return true;
  };

async function failureAt(url: string, expected: (error: unknown) => boolean): Promise<void> {
  const channel = new Channel({ url: new URL(secretPath, url), headers: {} });
  try {
    await assert.rejects(channel.ask('initialize'), expected);
    assert.ok(!channel.texts.includes('secret'));
  } finally {
    await channel.transport.close();
  }
}

/** A server that speaks bytes; resolves with its address without a scheme. */
async function serveBytes(onData: (socket: Socket) => unknown): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => onData(socket));
  });
  closedAfterTest({ close: promisify(server.close.bind(server)) });
  return `//127.0.0.1:${await listen(server)}`;
}

describe('Streamable HTTP: the network', () => {
  it('says when nothing listens', async () => {
    const server = await legacyServer().start();
    const { origin } = server;
    await server.close();
    const text = new RegExp(`^${origin} cannot be reached: nothing listens`, 'u');
    await failureAt(origin, failsWith('unreachable', text));
  });

  const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n';
  for (const [what, scheme, onData, code, text] of [
    ['hangs up on TLS', 'https:', (one) => one.end(), 'unreachable', /TLS/u],
    [
      'answers in no HTTP',
      'http:',
      (one) => one.end('220 mail.example ESMTP\r\n'),
      'unreachable',
      /does not speak HTTP/u,
    ],
    [
      'cuts the connection before the answer, which leaves the outcome unknown',
      'http:',
      (one) => one.resetAndDestroy(),
      'closed',
      /was cut before.*is unknown/u,
    ],
    [
      'changes to another protocol, which nobody asked for',
      'http:',
      (one) => one.write(upgrade),
      'closed',
      /HTTP 101.*is unknown/u,
    ],
    [
      'cuts a body with a length',
      'http:',
      (one) => one.end(`${ok}content-length: 100\r\n\r\n{"jsonrpc":"2.0"`),
      'closed',
      /broke off within.*is unknown/u,
    ],
  ] satisfies readonly (readonly [string, string, (one: Socket) => unknown, ErrorCode, RegExp])[]) {
    it(`says when the other side ${what}`, async () => {
      await failureAt(`${scheme}${await serveBytes(onData)}`, failsWith(code, text));
    });
  }

  for (const [what, url, headers, text] of [
    ...['ftp://host/', 'file:///etc/passwd', 'ws://host/'].map(
      (other) => [other, other, {}, /is not http: or https:/u] as const,
    ),
    [
      'user information in the URL',
      'https://secret-user:secret@host/mcp',
      {},
      /user name or password: use a header/u,
    ],
    ['a bad name of a header', 'http://host/', { 'bad name': 'secret' }, /"bad name" holds a ch/u],
    ['a bad header', 'http://host/', { 'x-key': 'secret\nx: 1' }, /"x-key" holds a character/u],
  ] as const) {
    it(`refuses ${what}, without quoting what may be secret`, () => {
      assert.throws(
        () => new StreamableHttpTransport({ url: new URL(url), headers }),
        failsWith('invalidConfig', text),
      );
    });
  }
});

/** Sends everything at /mcp there, and serves all other paths. */
function redirecting(status: number, location: (server: HttpScripted) => string): HttpScripted {
  const plain = legacyServer({}, { sessionId: 'session-1234' }).handler;
  const server: HttpScripted = new HttpScripted((exchange) =>
    exchange.received.path === '/mcp'
      ? exchange.answer(status, 'moved', { location: location(server) })
      : plain(exchange),
  );
  return server;
}

describe('Streamable HTTP: redirects', () => {
  for (const status of [307, 308]) {
    it(`follows ${status} within the origin, body and headers included`, async () => {
      const server = redirecting(status, () => '/mcp/?a=1');
      const channel = await openChannel(server, { headers: { Authorization: 'Bearer abc' } });
      await channel.open();
      await channel.ask('tools/call');
      const posts = server.of('POST');
      assert.deepEqual(
        posts.map(({ path }) => path),
        status === 308
          ? ['/mcp', '/mcp/?a=1', '/mcp/?a=1', '/mcp/?a=1'] // moved for good
          : [1, 2, 3].flatMap(() => ['/mcp', '/mcp/?a=1']),
      );
      for (const { headers, message } of posts) {
        assert.equal(headers.authorization, 'Bearer abc');
        assert.ok(message.method !== undefined);
      }
      assert.equal(posts.at(-1)?.headers['mcp-session-id'], 'session-1234');
      assert.ok(server.accepted <= 3, `${server.accepted} connections`);
    });
  }

  it('a request that is redirected has a DPoP proof for where it goes', async () => {
    const authorizer: HttpAuthorizer = {
      headersFor: (_method, { pathname }) => ({ dpop: pathname }),
      onRefused: async () => false,
    };
    const server = redirecting(307, () => '/there');
    const channel = await openChannel(server, { authorizer });
    await channel.ask('initialize');
    const posts = server.of('POST').map(({ path, headers }) => [path, headers['dpop']]);
    assert.deepEqual(posts, [
      ['/mcp', '/mcp'],
      ['/there', '/there'],
    ]);
  });

  it('user information in a redirect is not sent', async () => {
    const server = redirecting(307, ({ port }) => `http://user:pass@127.0.0.1:${port}/other`);
    const channel = await openChannel(server);
    await channel.ask('initialize');
    assert.ok(server.received.every(({ headers }) => headers.authorization === undefined));
  });

  for (const status of [307, 308]) {
    it(`does not follow ${status} to another origin, and sends nothing there`, async () => {
      const other = closedAfterTest(await new HttpScripted(() => undefined).start());
      const server = redirecting(status, () => other.url(secretPath).href);
      const channel = await openChannel(server);
      const text = `^${server.origin} redirects to another origin, ${other.origin},`;
      await assert.rejects(channel.ask('initialize'), failsWith('http', new RegExp(text, 'u')));
      assert.equal(other.accepted, 0);
    });
  }

  for (const [what, location, text] of [
    ['itself', '/mcp', /more than 3 times/u],
    ['no address', 'http://', /without a valid "Location"/u],
    ['another scheme', 'data:text/plain,secret', /another origin, data:/u],
  ] as const) {
    it(`a redirect to ${what} ends in an error`, async () => {
      const server = redirecting(307, () => location);
      const channel = await openChannel(server);
      await assert.rejects(channel.ask('initialize'), failsWith('http', text));
      assert.ok(server.received.length <= 4);
    });
  }
});

describe('Streamable HTTP: loads and connections', () => {
  it('takes 10 MiB in an event', async () => {
    const text = 'ö'.repeat(5 * 1024 * 1024);
    const channel = await openChannel(
      legacyServer({
        x: (exchange) => exchange.stream().event(exchange.resultOf(text)).end(),
      }),
    );
    await channel.ask('x');
    assert.deepEqual(
      channel.inbound.map(({ message }) => message),
      [{ jsonrpc: '2.0', id: 1, result: text }],
    );
  });

  for (const [what, least, take] of [
    ['takes no reply', maxRunning, () => undefined],
    ['never ends the answer to a reply', 600, (exchange) => exchange.stream()],
  ] as const satisfies readonly (readonly [string, number, (exchange: Exchange) => unknown])[]) {
    it(`a flood of pings from a server that ${what} holds a bounded number of connections, and no call of ours`, async () => {
      const pings = Array.from({ length: 20 }, (_, id) =>
        eventOf({ jsonrpc: '2.0', id, method: 'ping' }),
      ).join('');
      const server = legacyServer({
        'tools/list': (exchange) => {
          const flow = setInterval(() => exchange.write(pings), 2);
          exchange.stream().response.on('close', () => clearInterval(flow));
        },
        response: take,
      });
      let most = 0;
      const watch = setInterval(() => (most = Math.max(most, server.open)), 1);
      try {
        const { session, diagnostics } = await openSession(server);
        const leaving = new AbortController();
        const flooded = session.call('tools/list', {}, { signal: leaving.signal });
        await waitUntil('the replies', () => server.received.length > least, 25_000);
        for (let calls = 0; calls < 3; calls += 1) {
          await session.call('tools/call', { name: 'x' });
        }
        assert.ok(most > 50 && most <= maxRunning + 10, `${most} connections`);
        assert.match(diagnostics.map(({ text }) => text).join(), /has not accepted 100 replies/u);
        leaving.abort();
        await assert.rejects(flooded, { code: 'cancelled' });
      } finally {
        clearInterval(watch);
      }
    });
  }

  it('an endless body fails that request alone', async () => {
    const server = legacyServer({
      x: (exchange) => {
        exchange.response.writeHead(200, { 'content-type': 'application/json' });
        const more = setInterval(() => exchange.write(' '.repeat(10_000)), 1);
        exchange.response.on('close', () => clearInterval(more));
      },
    });
    const channel = await openChannel(server, { limits: { maxMessageBytes: 100_000 } });
    await assert.rejects(channel.ask('x'), failsWith('protocol', /larger than 100000 bytes/u));
    await waitUntil('its connection is gone', () => server.open === 0);
    await channel.ask('tools/call');
  });

  it('requests one after the other share a connection, whatever the answer', async () => {
    const server = legacyServer({
      stream: (exchange) =>
        exchange
          .stream()
          .write(eventOf(exchange.resultOf({})))
          .end(),
      refused: (exchange) => exchange.answer(500, 'no'),
    });
    const channel = await openChannel(server);
    for (let count = 0; count < 20; count += 1) {
      await channel.ask('tools/call');
      await channel.ask('stream');
      await channel.ask('refused').catch(() => undefined);
      await channel.tell('notifications/roots/list_changed');
    }
    assert.ok(server.accepted <= 5, `${server.accepted} connections`);
  });

  it('a connection that the server closed while it was idle fails no request', async () => {
    const server = legacyServer();
    const channel = await openChannel(server);
    for (let count = 0; count < 5; count += 1) {
      await channel.ask('tools/call');
      server.closeIdleConnections();
      await waitUntil('it is closed', () => server.open === 0);
      // A request that crosses the end on its way is in doubt: the client reads the end in its next turn.
      await turns();
    }
    await channel.ask('tools/call');
    assert.ok(server.accepted >= 5);
  });

  for (const [what, seconds, isKept] of [
    ['idles is closed before the server would close it without a word', 2, true],
    ['the server is about to close is not used again', 1, false],
  ] as const) {
    it(`a connection that ${what}`, async () => {
      const server = legacyServer({
        'tools/call': (exchange) => {
          const headers = { 'keep-alive': `timeout=${seconds}` };
          exchange.json(exchange.resultOf({ content: [] }), headers);
        },
      });
      const channel = await openChannel(server);
      await channel.ask('tools/call');
      await channel.ask('tools/call');
      assert.equal(server.accepted, isKept ? 1 : 2);
      await waitUntil('it is closed', () => server.open === 0);
      await channel.ask('tools/call');
    });
  }

  it('asks `request` of node:http for every message, also when an editor has replaced it after loading', async () => {
    const server = legacyServer({}, { sessionId: 'session-1234' });
    const channel = await openChannel(server);
    await channel.ask('ping');
    const calls = await countingRequests('http', async () => {
      await channel.open();
      await waitUntil('the GET', () => server.of('GET').length === 1);
      await channel.transport.close();
    });
    assert.deepEqual(
      server.received
        .slice(1)
        .map(({ verb }) => verb)
        .toSorted(),
      ['DELETE', 'GET', 'POST', 'POST'],
    );
    assert.equal(calls, 4);
  });
});
