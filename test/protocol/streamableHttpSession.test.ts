import assert from 'node:assert/strict';
import { HttpError, McpError } from '../../src/mcp/errors.ts';
import type { Session } from '../../src/mcp/session/session.ts';
import { fastLimits, openChannel, openSession } from '../servers/httpChannel.ts';
import {
  type Exchange,
  type Handler,
  HttpScripted,
  initialize,
  legacyServer,
  notice,
  plainAnswer,
} from '../servers/httpScripted.ts';
import { waitUntil } from '../support/waitUntil.ts';

const sessionId = 'secret-session-4711';
const serverInfo = { name: 'scripted', version: '1.0' };
const capabilities = {
  tools: { listChanged: true },
  prompts: {},
  resources: { subscribe: true },
  logging: {},
};

const excerptOf = (error: unknown): string => (error instanceof HttpError ? error.bodyExcerpt : '');

describe('Streamable HTTP: headers of a session', () => {
  for (const [name, revision, expected] of [
    ['Mcp-Session-Id', '2025-11-25', '2025-11-25'],
    ['MCP-Session-Id', '2025-06-18', '2025-06-18'],
    ['mcp-session-id', '2025-03-26', undefined],
    ['mcp-session-id', '2024-11-05', undefined],
  ] as const) {
    it(`HTTP-20, HTTP-24, HTTP-25, TRAP-11, TRAP-12: ${name} and ${expected ?? 'no version'} go with every later POST, GET and DELETE of ${revision}`, async () => {
      const server = legacyServer({
        initialize: (exchange) => {
          const result = { protocolVersion: revision, capabilities: {}, serverInfo };
          exchange.json(exchange.resultOf(result), { [name]: sessionId });
        },
        GET: (exchange) => exchange.stream(),
      });
      const { session } = await openSession(server);
      await session.call('ping', {});
      await waitUntil('the GET', () => server.of('GET').length === 1);
      await session.close();
      const [first, ...later] = server.received.map(({ verb, headers }) => [
        verb,
        headers['mcp-session-id'],
        headers['mcp-protocol-version'],
      ]);
      assert.deepEqual(first, ['POST', undefined, undefined]);
      assert.deepEqual(
        new Set(later.map((one) => JSON.stringify(one))),
        new Set(
          ['DELETE', 'GET', 'POST'].map((verb) => JSON.stringify([verb, sessionId, expected])),
        ),
      );
      assert.equal(later.length, 4);
    });
  }

  for (const bad of ['has space', 'größe']) {
    it(`HTTP-21: the session id ${JSON.stringify(bad)} is not used`, async () => {
      const server = legacyServer({}, { sessionId: bad });
      const channel = await openChannel(server);
      await channel.open();
      await channel.ask('ping');
      assert.ok(server.received.every(({ headers }) => headers['mcp-session-id'] === undefined));
      assert.match(channel.texts, /not visible ASCII/u);
      assert.ok(!channel.texts.includes(bad));
      await channel.transport.close();
      assert.equal(server.of('DELETE').length, 0);
    });
  }

  it('a server without sessions gets no id and no DELETE', async () => {
    const server = legacyServer();
    const { session } = await openSession(server);
    await session.call('ping', {}).then(() => undefined);
    await session.close();
    assert.ok(server.received.every(({ headers }) => headers['mcp-session-id'] === undefined));
    assert.equal(server.of('DELETE').length, 0);
  });

  it('HTTP-21: no error and no diagnostic holds the session id', async () => {
    const echo = (status: number): Handler => {
      const text = `No session ${sessionId} here`;
      return (exchange) => exchange.answer(status, text, { 'content-type': 'text/plain' });
    };
    const server = legacyServer(
      {
        'tools/list': echo(500),
        'prompts/list': echo(200),
        'resources/list': (exchange) =>
          exchange.json(exchange.errorOf(-32_000, `Not for ${sessionId}`), {}, 400),
        'tools/call': echo(404),
        'logging/setLevel': (exchange) => exchange.stream().write(`data: ${sessionId}\n\n`).end(),
        DELETE: (exchange) => exchange.cut(),
      },
      { sessionId, capabilities },
    );
    const seen: unknown[] = [];
    const { session, diagnostics, closes } = await openSession(server);
    for (const asked of [
      session.call('tools/list', {}),
      session.call('prompts/list', {}),
      session.call('resources/list', {}),
      session.setLogLevel('info'),
    ]) {
      await asked.catch((error: unknown) => seen.push(error));
    }
    await session.call('tools/call', { name: 'x' }).catch((error: unknown) => seen.push(error));
    assert.equal(seen.length, 5);
    seen.push(...diagnostics, ...closes);
    await session.close();
    for (const each of seen) {
      const text = `${String(each)} ${JSON.stringify(each)} ${excerptOf(each)}${each instanceof McpError ? excerptOf(each.cause) : ''}`;
      assert.ok(!text.includes(sessionId), text);
    }
    assert.match(seen.map(String).join('\n'), /Not for …/u);
  });
});

/** Sessions by number; `forget` makes the server lose the one it has. */
class Forgetful {
  readonly server: HttpScripted;
  sessions = 0;
  current: string | undefined;

  constructor(others: Readonly<Record<string, Handler>> = {}) {
    this.server = new HttpScripted((exchange) => {
      const { verb, headers, message } = exchange.received;
      if (message.method === 'initialize') {
        this.sessions += 1;
        this.current = `session-number-${this.sessions}`;
        initialize(exchange, { sessionId: this.current, capabilities });
      } else if (headers['mcp-session-id'] !== this.current) {
        answer404(exchange);
      } else {
        const other = others[verb === 'POST' ? (message.method ?? '') : verb];
        (other ?? answerPlainly)(exchange);
      }
    });
  }

  forget(): void {
    this.current = undefined;
  }
}

const answerPlainly = plainAnswer();

const isClosed = { code: 'closed' };

const answer404: Handler = (exchange) => exchange.answer(404);

/** By the word of a server that is trusted, a second one changes nothing more. */
const repeatable = { isRepeatable: true };
const callX = (session: Session): Promise<unknown> =>
  session.call('tools/call', { name: 'x' }, repeatable);

describe('Streamable HTTP: the loss of a session', () => {
  it('HTTP-22: 404 leads to a new session in the state of the old one, and the call is made', async () => {
    const forgetful = new Forgetful();
    const server = forgetful.server;
    const { session, changes, closes } = await openSession(server);
    await session.setLogLevel('warning');
    await session.watch(['file:///a', 'file:///b']);
    await callX(session);
    forgetful.forget();
    const before = server.received.length;
    await callX(session);
    assert.deepEqual(
      server.received
        .slice(before)
        .filter(({ verb }) => verb === 'POST')
        .map(({ message, headers }) => [
          message.method,
          message.params?.['level'] ?? message.params?.['uri'],
          headers['mcp-session-id'],
        ]),
      [
        ['tools/call', undefined, 'session-number-1'],
        ['initialize', undefined, undefined],
        ['notifications/initialized', undefined, 'session-number-2'],
        ['logging/setLevel', 'warning', 'session-number-2'],
        ['resources/subscribe', 'file:///a', 'session-number-2'],
        ['resources/subscribe', 'file:///b', 'session-number-2'],
        ['tools/call', undefined, 'session-number-2'],
      ],
    );
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['tools', 'prompts', 'resources'],
    );
    assert.deepEqual(closes, []);
    await session.close();
    assert.equal(forgetful.server.of('DELETE').length, 1);
    assert.equal(forgetful.server.of('DELETE')[0]?.headers['mcp-session-id'], 'session-number-2');
  });

  it('a server that loses every session is given up, and the call fails', async () => {
    const script = { 'tools/call': answer404, ping: answer404 };
    const server = legacyServer(script, { sessionId, capabilities });
    const { session, closes } = await openSession(server);
    for (let calls = 0; closes.length === 0 && calls < 10; calls += 1) {
      const call = session.call('tools/call', { name: `tool ${calls}` }, repeatable);
      await assert.rejects(call, McpError);
    }
    assert.equal(closes.length, 1);
    assert.equal(closes[0]?.kind, 'failed');
    assert.ok(server.of('initialize').length <= 5);
  });

  it('HTTP-22: calls that are refused with 404 in a session that lives fail alone, however often', async () => {
    const held: Exchange[] = [];
    const server = legacyServer(
      {
        'tools/call': (exchange) => {
          if (exchange.received.message.params?.['name'] === 'slow') {
            held.push(exchange.stream());
          } else {
            exchange.answer(404);
          }
        },
        // Late enough that all who doubt share it.
        ping: (exchange) => void setTimeout(() => answerPlainly(exchange), 100),
      },
      { sessionId, capabilities },
    );
    const { session, closes } = await openSession(server);
    // The first looks like the loss of the session, and is taken for it.
    await assert.rejects(session.call('tools/call', { name: 'bad' }), isClosed);
    const slow = session.call('tools/call', { name: 'slow' });
    await waitUntil('it arrived', () => held.length === 1);
    const bad = Array.from({ length: 5 }, (_, n) =>
      session.call('tools/call', { name: `bad ${n}` }),
    );
    for (const outcome of await Promise.allSettled(bad)) {
      assert.ok(outcome.status === 'rejected');
      assert.equal(outcome.reason.status, 404);
    }
    held[0]?.event(held[0].resultOf({ content: [] })).end();
    await slow;
    const pings = server.of('ping').length;
    assert.ok(pings < bad.length);
    await assert.rejects(session.call('tools/call', { name: 'bad' }), { code: 'http' });
    assert.equal(server.of('ping').length, pings + 1, 'the session is doubted again');
    assert.equal(server.of('initialize').length, 2);
    assert.deepEqual(closes, []);
  });

  it('HTTP-14 (2026), HTTP-22: a call that may change something is not sent again, and its outcome is said to be unknown', async () => {
    const forgetful = new Forgetful();
    const server = forgetful.server;
    const { session, closes } = await openSession(server);
    await session.watch(['file:///a']);
    forgetful.forget();
    await assert.rejects(session.call('tools/call', { name: 'pay' }), {
      code: 'closed',
      message: /not sent again; whether the request took effect is unknown/u,
    });
    assert.deepEqual([forgetful.sessions, server.of('tools/call').length], [2, 1]);
    assert.equal(server.of('resources/subscribe').length, 2, 'the state is that of before');
    await session.call('tools/call', { name: 'pay' });
    assert.deepEqual(closes, []);
  });

  it('HTTP-14 (2026), HTTP-22: reads and lists are sent again, refused for the session or under way at its loss', async () => {
    let isStuck = true;
    const forgetful = new Forgetful({
      'resources/read': (exchange) => {
        if (isStuck) {
          exchange.stream().event(notice('notifications/progress'));
        } else {
          exchange.json(exchange.resultOf({ contents: [{ uri: 'file:///a', text: 'read' }] }));
        }
      },
      'tools/list': (exchange) => exchange.json(exchange.resultOf({ tools: [] })),
    });
    const server = forgetful.server;
    const { session } = await openSession(server);
    const read = session.call('resources/read', { uri: 'file:///a' });
    await waitUntil('it arrived', () => server.of('resources/read').length === 1);
    isStuck = false;
    forgetful.forget();
    assert.deepEqual(await session.call('tools/list', {}), { tools: [] });
    assert.match(JSON.stringify(await read), /"read"/u);
    assert.deepEqual(
      [server.of('tools/list').length, server.of('resources/read').length, forgetful.sessions],
      [2, 2, 2],
    );
  });

  it('HTTP-14 (2026): a read whose connection broke is sent again, once; a call that may change something is not', async () => {
    const server = legacyServer(
      {
        'resources/read': (exchange) => exchange.cut(),
        'tools/call': (exchange) => exchange.cut(),
      },
      { sessionId, capabilities },
    );
    const { session, closes } = await openSession(server);
    await assert.rejects(session.call('resources/read', { uri: 'file:///a' }), isClosed);
    await assert.rejects(session.call('tools/call', { name: 'pay' }), isClosed);
    assert.deepEqual([server.of('resources/read').length, server.of('tools/call').length], [2, 1]);
    await assert.rejects(callX(session), isClosed);
    assert.equal(server.of('tools/call').length, 3);
    assert.deepEqual(closes, []);
  });

  it('TRAP-13: 404 without a session id is an HTTP error', async () => {
    const server = legacyServer({ 'tools/call': (exchange) => exchange.answer(404) });
    const { session, closes } = await openSession(server);
    await assert.rejects(callX(session), { code: 'http' });
    assert.equal(server.of('initialize').length, 1);
    assert.deepEqual(closes, []);
  });
});

describe('Streamable HTTP: the end', () => {
  for (const status of [200, 204, 405, 404, 500]) {
    it(`HTTP-23: closing deletes the session, and ${status} is fine`, async () => {
      const server = legacyServer({ DELETE: (exchange) => exchange.answer(status) }, { sessionId });
      const channel = await openChannel(server);
      await channel.open();
      await channel.transport.close();
      const start = performance.now();
      assert.equal(server.of('DELETE').length, 1);
      assert.equal(server.of('DELETE')[0]?.headers['mcp-session-id'], sessionId);
      assert.deepEqual(channel.closes, [{ kind: 'requested' }]);
      await waitUntil('no connection is left', () => server.open === 0);
      assert.ok(performance.now() - start < 3_000, 'not when they have idled for long enough');
    });
  }

  it('HTTP-23: a server that does not answer the DELETE holds nobody up', async () => {
    const server = legacyServer({ DELETE: () => undefined }, { sessionId });
    const channel = await openChannel(server, { limits: { deleteMs: 200 } });
    await channel.open();
    const start = performance.now();
    const closing = channel.transport.close();
    await waitUntil('the DELETE', () => server.of('DELETE').length === 1);
    await assert.rejects(channel.ask('ping'), isClosed);
    await closing;
    assert.ok(performance.now() - start < 5_000);
    assert.equal(server.of('ping').length, 0);
    assert.match(channel.texts, /could not be deleted/u);
    await waitUntil('no connection is left', () => server.open === 0);
  });

  it('closing ends everything under way, at every stage, and leaves no connection', async () => {
    const server = legacyServer(
      {
        GET: (exchange) => exchange.stream().event(notice('notifications/message')),
        silent: () => undefined,
        body: (exchange) => {
          exchange.response.writeHead(200, { 'content-type': 'application/json' });
          exchange.write('{');
        },
        stream: (exchange) => exchange.stream().event(notice('notifications/message')),
        broken: (exchange) => exchange.stream().write('retry: 60000\nid: 1\ndata:\n\n').end(),
      },
      { sessionId },
    );
    const channel = await openChannel(server);
    await channel.open();
    const asked = ['silent', 'body', 'stream', 'broken'].map((method) =>
      assert.rejects(channel.ask(method), isClosed, method),
    );
    await waitUntil(
      'all is under way',
      () => server.received.length === 7 && channel.order.length === 3,
    );
    await Promise.all([channel.transport.close(), channel.transport.close()]);
    await Promise.all(asked);
    await waitUntil('no connection is left', () => server.open === 0);
    assert.deepEqual(channel.closes, [{ kind: 'requested' }]);
    await assert.rejects(channel.ask('ping'), isClosed);
  });

  it('a listener of the close may close again', async () => {
    const channel = await openChannel(legacyServer());
    channel.transport.onDidClose(() => channel.transport.close());
    await channel.transport.close();
    assert.equal(channel.closes.length, 1);
  });

  it('a lost session is lost once, however many were under way, and is not deleted', async () => {
    const held: Exchange[] = [];
    const server = legacyServer(
      {
        x: (exchange) => {
          held.push(exchange);
          if (held.length === 2) {
            held.forEach((each) => each.answer(404));
          }
        },
      },
      { sessionId },
    );
    const channel = await openChannel(server, { limits: fastLimits });
    await channel.open();
    const asked = [channel.ask('x'), channel.ask('x')];
    for (const one of asked) {
      await assert.rejects(one, { code: 'sessionExpired' });
    }
    assert.equal(channel.losses, 1);
    await channel.transport.close();
    assert.equal(server.of('DELETE').length, 0);
  });
});
