import assert from 'node:assert/strict';
import { openChannel, openSession } from '../servers/httpChannel.ts';
import {
  eventOf,
  type Exchange,
  type Handler,
  HttpScripted,
  legacyServer,
  notice,
  plainAnswer,
} from '../servers/httpScripted.ts';
import { waitUntil } from '../support/waitUntil.ts';

const reply = (exchange: Exchange): unknown => exchange.resultOf({ ok: true });

describe('Streamable HTTP: posting', () => {
  it('HTTP-01, HTTP-02: every message is a POST of its own that accepts both kinds of answer', async () => {
    const server = legacyServer();
    const channel = await openChannel(server);
    await channel.ask('initialize');
    await channel.tell('notifications/roots/list_changed');
    // An id of this test alone: nobody asked, and a port that an earlier server had may be this one's.
    await channel.transport.send({ jsonrpc: '2.0', id: 'nobody asked', result: {} });
    assert.deepEqual(
      server.received.map(({ verb, path, message }) => [verb, path, message.method]),
      [
        ['POST', '/mcp', 'initialize'],
        ['POST', '/mcp', 'notifications/roots/list_changed'],
        ['POST', '/mcp', undefined],
      ],
    );
    for (const { headers } of server.received) {
      assert.equal(headers.accept, 'application/json, text/event-stream');
      assert.equal(headers['content-type'], 'application/json');
      assert.ok(Number(headers['content-length']) > 0);
      assert.equal(headers.origin, undefined);
    }
    assert.deepEqual(server.received[2]?.message.result, {});
  });

  for (const [status, type, body] of [
    [202, undefined, ''],
    [204, undefined, ''],
    [200, 'application/json', '{}'],
  ] as const) {
    it(`HTTP-03: takes ${status} with ${type ?? 'no type'} for a notification`, async () => {
      const channel = await openChannel(
        new HttpScripted((exchange) =>
          exchange.answer(status, body, type === undefined ? {} : { 'content-type': type }),
        ),
      );
      await channel.tell('notifications/roots/list_changed');
      assert.deepEqual(channel.diagnostics, []);
      assert.deepEqual(channel.inbound, []);
    });
  }

  it('HTTP-03: a stream that answers a notification and never ends is let go', async () => {
    const server = new HttpScripted((exchange) => exchange.stream().write(': open\n\n'));
    const channel = await openChannel(server);
    await channel.tell('notifications/roots/list_changed');
    await waitUntil('no connection is left', () => server.open === 0);
  });

  it('a notification that the server never takes fails in its own time', async () => {
    const server = new HttpScripted(() => undefined);
    const limits = { messageMs: 100 };
    const channel = await openChannel(server, { limits });
    await assert.rejects(channel.tell('notifications/roots/list_changed'), {
      code: 'timeout',
      message: /"notifications\/roots\/list_changed" within 0\.1 s/u,
    });
    await waitUntil('no connection is left', () => server.open === 0);
  });

  it('HTTP-28: sends the headers of the settings, Authorization included; our own win in any spelling', async () => {
    const settings = {
      Authorization: 'Bearer abc',
      'X-Team': 'weather',
      Host: 'example.test',
      ACCEPT: 'text/html',
      'Content-Type': 'text/plain',
      'Content-Length': '3',
      'Transfer-Encoding': 'chunked',
      'Accept-Encoding': 'gzip',
      'MCP-Session-ID': 'from-settings',
      'Mcp-Protocol-Version': '1999-01-01',
      'Last-Event-ID': '7',
    };
    const server = legacyServer();
    const channel = await openChannel(server, { headers: settings });
    await channel.open();
    await waitUntil('the GET', () => server.of('GET').length === 1);
    const sent = server.received.map(({ verb, headers }) => [
      verb,
      headers.authorization,
      headers['x-team'],
      headers.host,
      headers.accept,
      headers['content-type'],
      headers['mcp-protocol-version'],
    ]);
    const ours = ['Bearer abc', 'weather', 'example.test'];
    const both = ['application/json, text/event-stream', 'application/json'];
    assert.deepEqual(sent, [
      ['POST', ...ours, ...both, undefined],
      ['POST', ...ours, ...both, '2025-11-25'],
      ['GET', ...ours, 'text/event-stream', undefined, '2025-11-25'],
    ]);
    for (const name of ['accept-encoding', 'mcp-session-id', 'last-event-id']) {
      assert.ok(server.received.every(({ headers }) => headers[name] === undefined));
    }
  });
});

describe('Streamable HTTP: replies', () => {
  for (const [what, answer] of [
    ['a JSON body', (exchange) => exchange.json(reply(exchange))],
    ['JSON without a type', (exchange) => exchange.answer(200, JSON.stringify(reply(exchange)))],
    [
      'JSON with parameters in the type',
      (exchange) =>
        exchange.json(reply(exchange), { 'content-type': 'Application/JSON; charset=utf-8' }),
    ],
    ['an event', (exchange) => exchange.stream().event(reply(exchange)).end()],
    [
      'an event in a stream with parameters in the type',
      (exchange) =>
        exchange
          .stream({ 'content-type': 'TEXT/event-stream;charset=UTF-8' })
          .event(reply(exchange))
          .end(),
    ],
  ] satisfies readonly (readonly [string, Handler])[]) {
    it(`HTTP-04: takes ${what}`, async () => {
      const channel = await openChannel(new HttpScripted(answer));
      await channel.ask('initialize');
      assert.deepEqual(channel.inbound, [
        { message: { jsonrpc: '2.0', id: 1, result: { ok: true } }, during: 1 },
      ]);
      assert.deepEqual(channel.diagnostics, []);
    });
  }

  it('BASE-08: takes arrays of messages, as body and as event', async () => {
    const channel = await openChannel(
      new HttpScripted((exchange) => {
        const batch = [notice('notifications/message'), reply(exchange)];
        return exchange.received.message.id === 1
          ? exchange.json(batch)
          : exchange.stream().event(batch).end();
      }),
    );
    await channel.ask('tools/call');
    await channel.ask('tools/call');
    assert.deepEqual(channel.order, ['notifications/message', 1, 'notifications/message', 2]);
    assert.equal(new Set(channel.inbound.map(({ batch }) => batch)).size, 2);
    assert.ok(channel.inbound.every(({ batch }) => batch !== undefined));
  });

  it('HTTP-05: what precedes the reply is dispatched first, also in one chunk with it', async () => {
    const channel = await openChannel(
      new HttpScripted((exchange) =>
        exchange
          .stream()
          .write(
            eventOf(notice('notifications/progress', { progressToken: 1, progress: 1 })) +
              eventOf({ jsonrpc: '2.0', id: 'a', method: 'roots/list' }) +
              eventOf(reply(exchange)),
          )
          .end(),
      ),
    );
    await channel.ask('tools/call');
    assert.deepEqual(channel.order, ['notifications/progress', 'roots/list', 1]);
    assert.ok(channel.inbound.every(({ during }) => during === 1));
  });

  for (const [what, answer, text] of [
    ['nothing', (exchange) => exchange.answer(202), /with nothing \(HTTP 202\)/u],
    [
      'a page',
      (exchange) => exchange.answer(200, '<title>', { 'content-type': 'text/html; charset=utf-8' }),
      /"tools\/list" with text\/html \(HTTP 200\).*is there an MCP server/u,
    ],
    ['an empty batch', (exchange) => exchange.json([]), /contains no reply/u],
    [
      'the reply to another request',
      (exchange) => exchange.json({ jsonrpc: '2.0', id: 99, result: {} }),
      /contains no reply/u,
    ],
    ['no message', (exchange) => exchange.json({ message: 'hello' }), /contains no reply/u],
  ] satisfies readonly (readonly [string, Handler, RegExp])[]) {
    it(`a request that is answered with ${what} fails`, async () => {
      const channel = await openChannel(new HttpScripted(answer));
      await assert.rejects(channel.ask('tools/list'), { code: 'protocol', message: text });
    });
  }

  it('BASE-07: an error without an id belongs to the exchange that carried it', async () => {
    const failure = { jsonrpc: '2.0', error: { code: -32_700, message: 'Parse error' } };
    const server = legacyServer({
      'tools/call': (exchange) => exchange.json({ ...failure, id: null }),
      'tools/list': (exchange) => exchange.stream().event(failure).end(),
      ping: (exchange) => exchange.json({ ...failure, id: 'server-error' }, {}, 400),
    });
    const { session } = await openSession(server);
    for (const asked of [
      session.call('tools/call', { name: 'x' }),
      session.call('tools/list', {}),
      session.call('ping', {}),
    ]) {
      await assert.rejects(asked, { code: 'rpc', rpcCode: -32_700 });
    }
  });
});

describe('Streamable HTTP: refusals', () => {
  for (const [status, code] of [
    [500, 'http'],
    [503, 'http'],
    [400, 'http'],
    [401, 'unauthorized'],
    [302, 'http'],
  ] as const) {
    it(`HTTP ${status} fails that request alone, as \`${code}\` (ERR-03, TRAP-14, TRAP-15)`, async () => {
      const server = legacyServer(
        {
          'tools/list': (exchange) =>
            exchange.answer(status, 'come back later', { location: '/elsewhere' }),
        },
        { sessionId: 'session-1234' },
      );
      const { session, closes } = await openSession(server);
      await assert.rejects(session.call('tools/list', {}), {
        code,
        status,
        bodyExcerpt: 'come back later',
        message: new RegExp(`^${server.origin} [^/]*HTTP ${status}`, 'u'),
      });
      await session.call('tools/call', { name: 'x' });
      assert.deepEqual(closes, []);
      assert.equal(server.of('initialize').length, 1);
      assert.ok(server.received.every(({ path }) => path === '/mcp'));
    });
  }

  it('HTTP-26: a rejected version header is an error in the words of the server, and no loss', async () => {
    const message = 'Bad Request: Unsupported protocol version';
    const refuse: Handler = (exchange) =>
      exchange.json(exchange.errorOf(-32_000, message, null), {}, 400);
    const server = legacyServer({ 'tools/list': refuse }, { sessionId: 'session-1234' });
    const { session } = await openSession(server);
    await assert.rejects(session.call('tools/list', {}), { code: 'rpc', message });
    assert.equal(server.of('initialize').length, 1);
  });

  it('only the beginning of an endless refusal is read', async () => {
    const server = new HttpScripted((exchange) => {
      exchange.response.writeHead(500);
      const more = (): void => {
        while (!exchange.response.destroyed && exchange.response.write('x'.repeat(65_536))) {
          // until the pipe is full
        }
      };
      exchange.response.on('drain', more);
      more();
    });
    const channel = await openChannel(server);
    const refused = { status: 500, bodyExcerpt: /^.{2000}$/u };
    await assert.rejects(channel.ask('tools/list'), refused);
    await waitUntil('the connection is gone', () => server.open === 0);
  });

  it('a refused notification rejects its send, and nothing else', async () => {
    const channel = await openChannel(
      legacyServer({
        'notifications/roots/list_changed': (exchange) => exchange.answer(500),
      }),
    );
    await assert.rejects(channel.tell('notifications/roots/list_changed'), { code: 'http' });
    await channel.ask('tools/list');
    assert.deepEqual(channel.closes, []);
  });

  it('a server that refuses "initialized" is used all the same', async () => {
    const { session, diagnostics } = await openSession(
      legacyServer({ 'notifications/initialized': (exchange) => exchange.answer(404) }),
    );
    await session.call('tools/call', { name: 'x' });
    assert.ok(diagnostics.some(({ text }) => /refused "notifications\/initialized"/u.test(text)));
  });

  it('LIFE-09: the second offer carries no id of the refused session', async () => {
    let offers = 0;
    const server = legacyServer({
      initialize: (exchange) => {
        offers += 1;
        if (offers === 2) {
          plainAnswer({ revision: '2025-06-18' })(exchange);
          return;
        }
        exchange.json(
          {
            jsonrpc: '2.0',
            id: exchange.received.message.id,
            error: { code: -32_602, message: 'no', data: { supported: ['2025-06-18'] } },
          },
          { 'mcp-session-id': 'session-of-the-refused' },
        );
      },
    });
    const { session } = await openSession(server);
    await session.call('tools/call', { name: 'x' });
    assert.equal(session.server.revision, '2025-06-18');
    assert.ok(server.received.every(({ headers }) => headers['mcp-session-id'] === undefined));
  });
});
