import assert from 'node:assert/strict';
import { delay } from '../../src/base/async.ts';
import { type Channel, fastLimits, openChannel, openSession } from '../servers/httpChannel.ts';
import {
  eventOf,
  type Exchange,
  type Handler,
  type HttpScripted,
  legacyServer,
  notice,
} from '../servers/httpScripted.ts';
import { waitUntil } from '../support/waitUntil.ts';

const changed = notice('notifications/tools/list_changed');

const isClosedInDoubt = {
  code: 'closed',
  message: /whether the request took effect is unknown/u,
};

/** The text of the reply to the first request, in an event. */
const reply = eventOf({ jsonrpc: '2.0', id: 1, result: { text: 'größer 🌦' } });
const isReply = (channel: Channel): void => {
  assert.deepEqual(
    channel.inbound.map(({ message }) => message),
    [{ jsonrpc: '2.0', id: 1, result: { text: 'größer 🌦' } }],
  );
};

describe('Streamable HTTP: event streams', () => {
  it('what an answered stream still sends does not reach the next session', async () => {
    let stream: Exchange | undefined;
    const channel = await openChannel(
      legacyServer({
        x: (exchange) => {
          stream = exchange.stream().write(reply);
        },
      }),
    );
    await channel.ask('x');
    const seen = channel.inbound.length;
    channel.transport.beginSession();
    stream?.write(eventOf(changed));
    await waitUntil('the end of the stream', () => stream?.response.destroyed === true);
    assert.equal(channel.inbound.length, seen);
  });

  it('HTTP-06: an event that is not JSON is noted, and the stream goes on', async () => {
    const channel = await openChannel(
      legacyServer({
        x: (exchange) => exchange.stream().write(`data: [DONE\n\ndata: 7\n\n${reply}`).end(),
      }),
    );
    await channel.ask('x');
    isReply(channel);
    assert.match(
      channel.texts,
      /not JSON: \[DONE\n.*not a JSON-RPC message \(not a JSON object\)/u,
    );
  });

  it('a stream that the server leaves open after the reply is closed by us', async () => {
    const server = legacyServer({ x: (exchange) => exchange.stream().write(reply) });
    const channel = await openChannel(server);
    await channel.ask('x');
    await waitUntil('no connection is left', () => server.open === 0);
    assert.deepEqual(channel.diagnostics, []);
  });
});

/** Refuses an event id as servers built on the official SDK do. */
const refuseEvent: Handler = (exchange) =>
  exchange.json(exchange.errorOf(-32_000, 'Invalid event ID format', null), {}, 400);

/** A server whose reply streams are cut after one event with the id 1, and the GETs that follow. */
function cutting(GET: Handler, head = ''): HttpScripted {
  const x: Handler = (exchange) => exchange.stream().write(`${head}id: 1\ndata:\n\n`).end();
  return legacyServer({ x, GET });
}

describe('Streamable HTTP: resumption of replies', () => {
  it('HTTP-15, HTTP-19, TRAP-16, TRAP-18: goes on with GET and the last event id', async () => {
    const server = cutting((exchange) =>
      exchange.stream().event(notice('notifications/progress'), '2').write(reply).end(),
    );
    const channel = await openChannel(server);
    await channel.ask('x');
    assert.deepEqual(channel.order, ['notifications/progress', 1]);
    assert.ok(channel.inbound.every(({ during }) => during === 1));
    const [get] = server.of('GET');
    assert.equal(get?.headers['last-event-id'], '1');
    assert.equal(get.headers.accept, 'text/event-stream');
  });

  it('HTTP-16: every stream has a position of its own', async () => {
    const server = legacyServer({
      x: (exchange) =>
        exchange.stream().write(`id: of-${exchange.received.message.id}\ndata:\n\n`).end(),
      GET: (exchange) => {
        const id = Number(String(exchange.received.headers['last-event-id']).slice(3));
        exchange.stream().event({ jsonrpc: '2.0', id, result: {} }).end();
      },
    });
    const channel = await openChannel(server);
    await Promise.all([channel.ask('x'), channel.ask('x'), channel.ask('x')]);
    assert.deepEqual(
      server
        .of('GET')
        .map(({ headers }) => String(headers['last-event-id']))
        .toSorted(),
      ['of-1', 'of-2', 'of-3'],
    );
  });

  it('HTTP-15: an event id may hold any letters, and one that is taken back counts no more', async () => {
    const server = cutting((exchange) => {
      const last = exchange.received.headers['last-event-id'];
      exchange.stream();
      if (last === '1') {
        exchange.write('id: größe\ndata:\n\n').end();
      } else if (last !== undefined) {
        exchange.write('id\ndata: {}\n\n').end();
      }
    });
    const channel = await openChannel(server);
    await assert.rejects(channel.ask('x'), isClosedInDoubt);
    const [, second] = server.of('GET');
    assert.equal(
      Buffer.from(String(second?.headers['last-event-id']), 'latin1').toString(),
      'größe',
    );
    assert.equal(server.of('GET').length, 2);
  });

  it('HTTP-17, HTTP-19: a call may be polled over many connections, which `retry: 0` makes no busy loop', async () => {
    const server = cutting((exchange) => {
      const polls = server.of('GET').length;
      exchange
        .stream()
        .write(polls < 10 ? `id: ${polls}\ndata:\n\n` : reply)
        .end();
    }, 'retry: 0\n');
    const channel = await openChannel(server);
    const start = performance.now();
    await channel.ask('x');
    isReply(channel);
    assert.ok(performance.now() - start >= 400);
  });

  it('HTTP-07: without an event id the call fails, its outcome being unknown', async () => {
    const server = legacyServer({
      x: (exchange) => exchange.stream().event(notice('notifications/progress')).end(),
      y: (exchange) => {
        exchange.stream().event(notice('notifications/progress'));
        setTimeout(() => exchange.cut(), 50);
      },
    });
    const channel = await openChannel(server);
    await assert.rejects(channel.ask('x'), isClosedInDoubt);
    await assert.rejects(channel.ask('y'), isClosedInDoubt);
    assert.equal(server.of('GET').length, 0);
    await channel.ask('tools/call');
  });

  for (const [what, attempts, answer] of [
    ['is refused with 405', 1, (exchange) => exchange.answer(405)],
    [
      'is redirected to elsewhere',
      1,
      (exchange) => exchange.answer(307, '', { location: 'http://example.invalid/' }),
    ],
    [
      'is put off for longer than anybody waits',
      1,
      (exchange) => exchange.answer(503, 'busy', { 'retry-after': '3600' }),
    ],
    ['keeps failing', 5, (exchange) => exchange.answer(500)],
  ] satisfies readonly (readonly [string, number, Handler])[]) {
    it(`a resumption that ${what} is given up after ${attempts}, and the call fails`, async () => {
      const server = cutting(answer);
      const channel = await openChannel(server);
      await assert.rejects(channel.ask('x'), isClosedInDoubt);
      assert.equal(server.of('GET').length, attempts);
    });
  }

  for (const [what, refuse] of [
    ['404 in HTML', (exchange) => exchange.answer(404, '<h1>Nope</h1>')],
    ['an unknown event', refuseEvent],
  ] satisfies readonly (readonly [string, Handler])[]) {
    it(`HTTP-22: a resumption refused with ${what} in a session that lives leaves the other requests alone`, async () => {
      const server = legacyServer(
        {
          x: (exchange) => exchange.stream().write('id: 1\ndata:\n\n').end(),
          GET: (exchange) =>
            exchange.received.headers['last-event-id'] === undefined
              ? exchange.answer(405)
              : refuse(exchange),
        },
        { sessionId: 'session-1234' },
      );
      const channel = await openChannel(server);
      await channel.open();
      await assert.rejects(channel.ask('x'), isClosedInDoubt);
      assert.equal(channel.losses, 0);
      assert.equal(server.of('ping').length, 1);
    });
  }

  it('a resumption that fails for a while is tried again', async () => {
    const server = cutting((exchange) => {
      const attempt = server.of('GET').length;
      if (attempt === 1) {
        exchange.answer(503);
      } else if (attempt === 2) {
        exchange.answer(409); // the server has not noticed yet that the stream broke
      } else if (attempt === 3) {
        exchange.cut();
      } else if (attempt === 4) {
        exchange.stream().write('id: 2\ndata:\n\n').end();
      } else if (attempt <= 6) {
        exchange.answer(503); // only failures in a row count
      } else {
        exchange.stream().write(reply).end();
      }
    });
    const channel = await openChannel(server);
    await channel.ask('x');
    isReply(channel);
  });

  it('HTTP-14: a reply that comes over another stream ends the wait for it', async () => {
    let push: Exchange | undefined;
    const channel = await openChannel(
      legacyServer({
        x: (exchange) => exchange.stream().write('retry: 20\nid: of-x\ndata:\n\n').end(),
        GET: (exchange) => {
          if (exchange.received.headers['last-event-id'] === undefined) {
            push = exchange.stream();
          } else {
            exchange.stream();
            push?.event({ jsonrpc: '2.0', id: 2, result: {} });
          }
        },
      }),
    );
    await channel.open();
    await waitUntil('the push stream', () => channel.pushStreams === 1);
    await channel.ask('x');
    assert.deepEqual(channel.order, [1, 2]);
  });

  for (const [what, x] of [
    ['before the answer', () => undefined],
    [
      'within a JSON body',
      (exchange) => {
        exchange.response.writeHead(200, { 'content-type': 'application/json' });
        exchange.write('{"jsonrpc"');
      },
    ],
    ['within a stream', (exchange) => exchange.stream().write('id: 1\ndata:\n\n')],
    [
      'while waiting to resume',
      (exchange) => exchange.stream().write('retry: 60000\nid: 1\ndata:\n\n').end(),
    ],
    ['within a refusal', (exchange) => exchange.response.writeHead(500).write('half')],
    ['within a resumed stream', (exchange) => exchange.stream().write('id: 1\ndata:\n\n').end()],
  ] satisfies readonly (readonly [string, Handler])[]) {
    it(`HTTP-08: an abortion ${what} rejects with \`cancelled\` or the refusal, and leaves no connection`, async () => {
      const server = legacyServer({ x, GET: (exchange) => exchange.stream() });
      const channel = await openChannel(server);
      const controller = new AbortController();
      const asked = channel.ask('x', {}, { signal: controller.signal });
      const asserted = assert.rejects(asked, { code: /^(?:cancelled|http)$/u });
      const resumes = what === 'within a resumed stream';
      await waitUntil('it arrived', () => server.of(resumes ? 'GET' : 'x').length === 1);
      await delay(100); // for what was sent to arrive
      controller.abort();
      await asserted;
      await waitUntil('no stream is left', () => server.open <= (what.endsWith('resume') ? 1 : 0));
    });
  }

  it('nothing is sent for a signal that has aborted already', async () => {
    const server = legacyServer();
    const channel = await openChannel(server);
    const asked = channel.ask('x', {}, { signal: AbortSignal.abort() });
    await assert.rejects(asked, { code: 'cancelled' });
    assert.equal(server.accepted, 0);
  });
});

describe('Streamable HTTP: the push stream', () => {
  it('HTTP-09, HTTP-10, HTTP-12: opened once after "initialized" was taken, brings notifications and requests, which are answered', async () => {
    const server = legacyServer({
      GET: (exchange) =>
        exchange.stream().event(changed).event({ jsonrpc: '2.0', id: 'p1', method: 'ping' }),
    });
    const { session, changes } = await openSession(server);
    await waitUntil('the change', () => changes.some(({ kind }) => kind === 'tools'));
    await waitUntil('the answer', () =>
      server.of('POST').some(({ message }) => message.id === 'p1'),
    );
    session.rootsChanged?.();
    await session.call('ping', {});
    assert.deepEqual(
      server.received.slice(0, 2).map(({ message }) => message.method),
      ['initialize', 'notifications/initialized'],
    );
    const [get, ...more] = server.of('GET');
    assert.equal(get?.headers.accept, 'text/event-stream');
    assert.equal(get.headers['last-event-id'], undefined);
    assert.deepEqual(more, []);
  });

  it('HTTP-09: what is sent before "initialized", such as the answer to a ping, does not open it', async () => {
    const server = legacyServer({ GET: (exchange) => exchange.stream() });
    const channel = await openChannel(server);
    await channel.ask('initialize');
    channel.transport.sessionReady({ revision: '2025-11-25', sendsVersionHeader: true });
    await channel.transport.send({ jsonrpc: '2.0', id: 'nobody asked', result: {} });
    await delay(50); // for a GET that would follow
    assert.equal(server.of('GET').length, 0);
    await channel.tell('notifications/initialized');
    await waitUntil('the stream', () => channel.pushStreams === 1);
  });

  for (const [what, answer] of [
    ['405', (exchange) => exchange.answer(405)],
    [
      '404 in HTML',
      (exchange) => exchange.answer(404, '<h1>Nope</h1>', { 'content-type': 'text/html' }),
    ],
    [
      '404 with the type of a stream',
      (exchange) => exchange.answer(404, '', { 'content-type': 'text/event-stream' }),
    ],
    ['200 in HTML', (exchange) => exchange.answer(200, '<p>', { 'content-type': 'text/html' })],
    [
      'a redirect to elsewhere',
      (exchange) => exchange.answer(308, '', { location: 'http://example.invalid/' }),
    ],
  ] satisfies readonly (readonly [string, Handler])[]) {
    it(`HTTP-11: ${what} means that there is none`, async () => {
      const server = legacyServer({ GET: answer }, { sessionId: 'session-1234' });
      const channel = await openChannel(server);
      await channel.open();
      await waitUntil('it is noted', () => /offers no push stream/u.test(channel.texts));
      await channel.ask('tools/call');
      await delay(50); // for a GET that would follow
      assert.equal(server.of('GET').length, 1);
      assert.equal(channel.losses, 0);
      assert.equal(channel.pushStreams, 0);
    });
  }

  it('warns of an event beyond the limit', async () => {
    const server = legacyServer({
      GET: (exchange) => exchange.stream().event(notice('x', { much: 'x'.repeat(200_000) })),
    });
    const channel = await openChannel(server, { limits: { maxMessageBytes: 100_000 } });
    await channel.open();
    const warned = () => channel.diagnostics.find(({ level }) => level === 'warn')?.text;
    await waitUntil('the warning', () => warned() !== undefined);
    assert.match(String(warned()), /ended early: an event is larger than 100000 bytes/u);
  });

  for (const status of [408, 425, 429, 502]) {
    it(`HTTP-11: ${status} may pass: it is asked for again`, async () => {
      let asked = 0;
      const channel = await openChannel(
        legacyServer({
          GET: (exchange) => {
            asked += 1;
            return asked === 1 ? exchange.answer(status) : exchange.stream();
          },
        }),
      );
      await channel.open();
      await waitUntil('the stream', () => channel.pushStreams === 1);
      assert.equal(asked, 2);
    });
  }

  it('HTTP-11: a stream that always fails is given up', async () => {
    const server = legacyServer({ GET: (exchange) => exchange.answer(500) });
    const limits = { ...fastLimits, firstDelayMs: 5 };
    const channel = await openChannel(server, { limits });
    await channel.open();
    await waitUntil('it is given up', () => /works without it/u.test(channel.texts));
    assert.equal(server.of('GET').length, 5);
  });

  it('HTTP-13: a stream that has worked is opened again however often it ends or fails, at once after events', async () => {
    const start = performance.now();
    const server = legacyServer({
      GET: (exchange) => {
        const attempt = server.of('GET').length;
        if (attempt <= 9) {
          exchange.stream().write(eventOf(changed)).end();
        } else if (attempt <= 15) {
          exchange.answer(500);
        } else {
          exchange.stream();
        }
      },
    });
    const channel = await openChannel(server);
    await channel.open();
    await waitUntil('it is open again', () => channel.pushStreams === 10);
    assert.ok(performance.now() - start < 8_000);
  });

  it('HTTP-13, HTTP-15, HTTP-18: is opened again with the last event id, after `retry`', async () => {
    const endedAt: number[] = [];
    const askedAt: number[] = [];
    const server = legacyServer({
      GET: (exchange) => {
        askedAt.push(performance.now());
        exchange.stream();
        if (askedAt.length <= 2) {
          exchange.write(`retry: 300\n${eventOf(changed, `e${askedAt.length}`)}`).end();
          endedAt.push(performance.now());
        } else {
          exchange.event(changed, 'e3');
        }
      },
    });
    const channel = await openChannel(server);
    await channel.open();
    await waitUntil('three notifications', () => channel.order.length === 4);
    assert.deepEqual(
      server.of('GET').map(({ headers }) => headers['last-event-id']),
      [undefined, 'e1', 'e2'],
    );
    assert.ok((askedAt[1] ?? 0) - (endedAt[0] ?? 0) >= 290);
    assert.ok((askedAt[2] ?? 0) - (endedAt[1] ?? 0) >= 290);
    // Nothing can have been missed: the server replays it.
    assert.equal(channel.pushStreams, 1);
  });

  it('HTTP-13: without event ids, a stream that is opened again says that something may have been missed', async () => {
    const server = legacyServer({
      GET: (exchange) => {
        exchange.stream();
        if (server.of('GET').length === 1) {
          setTimeout(() => exchange.cut(), 30);
        }
      },
    });
    const channel = await openChannel(server);
    await channel.open();
    await waitUntil('it is open again', () => channel.pushStreams === 2);
    assert.equal(channel.losses, 0);
  });

  for (const [what, traits, losses] of [
    ['the loss of the session', { sessionId: 'session-1234' }, 1],
    ['the end of the stream alone, where there is no session', {}, 0],
  ] as const) {
    it(`TRAP-13: 404 after it had been open is ${what}`, async () => {
      const server = legacyServer(
        {
          GET: (exchange) =>
            server.of('GET').length === 1 ? exchange.stream().end() : exchange.answer(404),
        },
        traits,
      );
      const channel = await openChannel(server);
      await channel.open();
      await waitUntil('the end', () =>
        losses === 1 ? channel.losses === 1 : /offers no push stream/u.test(channel.texts),
      );
      assert.equal(channel.losses, losses);
      assert.equal(server.of('GET').length, 2);
    });
  }

  for (const [what, traits] of [
    ['in a session', { sessionId: 'session-1234' }],
    ['without sessions', {}],
  ] as const) {
    it(`HTTP-15: an event id that the server no longer knows is left out of the next GET, ${what}`, async () => {
      const server = legacyServer(
        {
          GET: (exchange) => {
            if (exchange.received.headers['last-event-id'] !== undefined) {
              refuseEvent(exchange);
              return;
            }
            exchange.stream();
            if (server.of('GET').length === 1) {
              exchange.event(changed, 'e1').end();
            }
          },
        },
        traits,
      );
      const channel = await openChannel(server);
      await channel.open();
      await waitUntil('it is open again', () => channel.pushStreams === 2);
      assert.equal(server.of('GET').length, 3);
      assert.equal(channel.losses, 0);
    });
  }

  it('a conflict with the stream before, which the server still believes in, is waited out', async () => {
    const server = legacyServer({
      GET: (exchange) => {
        const attempt = server.of('GET').length;
        if (attempt === 2) {
          exchange.answer(409);
          return;
        }
        exchange.stream().event(changed);
        if (attempt === 1) {
          exchange.end();
        }
      },
    });
    const channel = await openChannel(server);
    await channel.open();
    await waitUntil('it is open again', () => channel.pushStreams === 2);
    assert.equal(server.of('GET').length, 3);
  });
});
