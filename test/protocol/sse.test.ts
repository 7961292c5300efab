/** The HTTP+SSE transport of 2024-11-05, against servers that do it well and badly. */
import assert from 'node:assert/strict';
import { toBindings } from '../../src/host/servers/bindings.ts';
import { connect } from '../../src/mcp/client/connect.ts';
import type { HttpTransportOptions } from '../../src/mcp/transport/http/httpExchange.ts';
import { SseTransport } from '../../src/mcp/transport/http/sse.ts';
import { fastLimits } from '../servers/httpChannel.ts';
import {
  eventOf,
  type Exchange,
  type Handler,
  HttpScripted,
  initialize,
  notice,
} from '../servers/httpScripted.ts';
import { endpoint, oldServer } from '../servers/sseScripted.ts';
import { closedAfterTest } from '../support/closing.ts';
import { hello } from '../support/hello.ts';
import { TransportTap } from '../support/transportTap.ts';
import { waitUntil } from '../support/waitUntil.ts';

const { signal: never } = new AbortController();

interface SseServer {
  /** Answers the GET. By default: an event stream that names the endpoint and stays open. */
  readonly GET?: Handler;
  /** Answers each POST. By default 202, and a result as an event. */
  readonly POST?: (exchange: Exchange, stream: Exchange) => unknown;
}

function sseServer({ GET, POST }: SseServer = {}): HttpScripted {
  let stream: Exchange;
  return new HttpScripted((exchange) => {
    if (exchange.received.verb === 'GET') {
      stream = exchange;
      (GET ?? ((one) => one.stream().write(endpoint)))(exchange);
    } else if (POST === undefined) {
      exchange.answer(202, 'Accepted');
      if (exchange.received.message.id !== undefined) {
        stream.event(exchange.resultOf({ ok: true }));
      }
    } else {
      POST(exchange, stream);
    }
  });
}

/** Its event stream begins with this, and stays open. */
function sseStreaming(text: string): HttpScripted {
  return sseServer({ GET: (exchange) => exchange.stream().write(text) });
}

async function openSse(
  server: HttpScripted,
  options: Partial<HttpTransportOptions> = {},
): Promise<TransportTap> {
  closedAfterTest(await server.start());
  const url = server.url('/sse');
  const tap = new TransportTap(
    new SseTransport({ url, headers: {}, limits: fastLimits, ...options }),
  );
  closedAfterTest(tap.transport);
  return tap;
}

const startSse = async (...to: Parameters<typeof openSse>): Promise<TransportTap> =>
  (await openSse(...to)).start();

const received = (tap: TransportTap, count = 1): Promise<void> =>
  waitUntil('the reply', () => tap.inbound.length >= count);

describe('HTTP+SSE: opening', () => {
  it('SSE-01: nothing is sent before the endpoint is named', async () => {
    let stream: Exchange | undefined;
    const server = sseServer({
      GET: (exchange) => {
        stream = exchange.stream().write(': hello\n\n');
      },
    });
    const tap = await openSse(server);
    let isStarted = false;
    const starting = tap.start().then(() => (isStarted = true));
    await waitUntil('the GET', () => server.of('GET').length === 1);
    await assert.rejects(tap.ask('x'), { code: 'closed' });
    assert.equal(isStarted, false);
    stream?.write(endpoint);
    await starting;
    await tap.ask('x');
    assert.deepEqual(
      server.received.map(({ verb, path }) => `${verb} ${path}`),
      ['GET /sse', 'POST /messages?session=1'],
    );
    assert.equal(server.received[0]?.headers.accept, 'text/event-stream');
  });

  for (const [named, path] of [
    ['messages?a=1', '/messages?a=1'],
    ['/deep/er', '/deep/er'],
    ['?sessionId=x', '/sse?sessionId=x'],
    [' /messages ', '/messages'],
    ['http://HOST/m', '/m'],
  ] as const) {
    it(`SSE-02, SSE-03: posts to "${named}" as it is resolved against the URL`, async () => {
      const server = sseServer({
        GET: (one) => {
          const there = named.replace('HOST', one.received.headers.host ?? '');
          one.stream().write(`event: endpoint\ndata: ${there}\n\n`);
        },
      });
      const tap = await startSse(server);
      await tap.ask('x');
      assert.equal(server.of('POST')[0]?.path, path);
    });
  }

  for (const named of [
    'http://evil.example/messages',
    'https://127.0.0.1/messages',
    '//evil.example/messages',
    'http://127.0.0.1:1/messages',
    'file:///etc/passwd',
  ]) {
    it(`SSE-03: refuses ${named}, which is another origin`, async () => {
      const server = sseStreaming(`event: endpoint\ndata: ${named}\n\n`);
      const tap = await openSse(server);
      await assert.rejects(tap.start(), {
        code: 'protocol',
        message: /^http:\/\/127\.0\.0\.1:\d+ wants messages to be sent to another origin/u,
      });
      assert.deepEqual(server.of('POST'), []);
      await waitUntil('the stream is closed', () => server.open === 0);
    });
  }

  it('a second endpoint is not followed', async () => {
    const server = sseStreaming(
      `${endpoint}event: endpoint\ndata: /other\n\n${eventOf(notice('n'))}`,
    );
    const tap = await startSse(server);
    await received(tap);
    await tap.ask('x');
    assert.equal(server.of('POST')[0]?.path, '/messages?session=1');
    assert.match(tap.texts, /second endpoint: ignored/u);
  });

  for (const [what, GET, expected] of [
    ['401', (one) => one.answer(401, 'who?'), { code: 'unauthorized', status: 401 }],
    ['404', (one) => one.answer(404, '<html>'), { code: 'http', status: 404 }],
    [
      'a page',
      (one) => one.answer(200, '<html>', { 'content-type': 'text/html' }),
      { code: 'protocol', message: /answered with text\/html \(HTTP 200\) instead of an event/u },
    ],
    [
      'a stream that ends',
      (one) => one.stream().end(),
      { code: 'closed', message: /before it named an endpoint/u },
    ],
    [
      'no HTTP',
      (one) => one.response.socket?.end('SSH-2.0-x\r\n'),
      { code: 'unreachable', message: /does not speak HTTP/u },
    ],
  ] satisfies readonly (readonly [string, Handler, object])[]) {
    it(`SSE-01: is told of ${what} instead of a stream`, async () => {
      const tap = await openSse(sseServer({ GET }));
      await assert.rejects(tap.start(), expected);
      assert.equal(tap.closes.length, 1);
    });
  }

  it('gives up the wait for the endpoint when it is cancelled', async () => {
    const server = sseServer({ GET: (one) => one.stream() });
    const tap = await openSse(server);
    const controller = new AbortController();
    const starting = tap.start(controller.signal);
    await waitUntil('the GET', () => server.of('GET').length === 1);
    controller.abort();
    await assert.rejects(starting, { code: 'cancelled' });
    await waitUntil('the stream is closed', () => server.open === 0);
  });

  it('the signal of the opening ends nothing later', async () => {
    const tap = await openSse(sseServer());
    const controller = new AbortController();
    await tap.start(controller.signal);
    controller.abort();
    await tap.ask('x');
    await received(tap);
    assert.deepEqual(tap.closes, []);
  });
});

describe('HTTP+SSE: messages', () => {
  it('a request that is answered over the stream, and by nothing else, leaves no connection', async () => {
    const server = sseServer({
      POST: (exchange, stream) => void stream.event(exchange.resultOf({ ok: true })),
    });
    const tap = await startSse(server);
    const sent = Array.from({ length: 5 }, (_, id) =>
      Promise.resolve(tap.transport.send({ jsonrpc: '2.0', id, method: 'ping' })).catch(
        () => undefined,
      ),
    );
    await received(tap, 5);
    await waitUntil('the stream alone', () => server.open === 1);
    await Promise.all(sent);
    assert.deepEqual(tap.closes, []);
  });

  it('a request that is given up, or under way at the end, leaves no connection', async () => {
    const server = sseServer({ POST: () => undefined });
    const tap = await startSse(server);
    const controller = new AbortController();
    const outcomes = Promise.allSettled([
      tap.ask('ping', {}, { signal: controller.signal }),
      tap.ask('ping'),
    ]);
    await waitUntil('both', () => server.of('POST').length === 2);
    controller.abort();
    await waitUntil('one and the stream', () => server.open === 2);
    await tap.transport.close();
    await waitUntil('no connection is left', () => server.open === 0);
    assert.ok((await outcomes).every(({ status }) => status === 'rejected'));
  });

  it('a request whose own answer comes a little after the reply is not cut off', async () => {
    let isFinished: boolean | undefined;
    const tap = await startSse(
      sseServer({
        POST: (exchange, stream) => {
          const { response } = exchange;
          response.on('close', () => {
            isFinished = response.writableFinished;
          });
          stream.event(exchange.resultOf({ ok: true }));
          setTimeout(() => exchange.answer(202), 50);
        },
      }),
    );
    await tap.ask('ping');
    await waitUntil('the end', () => isFinished !== undefined);
    assert.deepEqual([isFinished, tap.inbound.length], [true, 1]);
  });

  it('SSE-04: takes replies from events alone, whatever the POST is answered with', async () => {
    const tap = await startSse(
      sseServer({
        POST: (exchange, stream) => {
          exchange.json(exchange.resultOf('from the POST'));
          stream.event(exchange.resultOf('from the stream'));
        },
      }),
    );
    await tap.ask('x');
    await received(tap);
    assert.deepEqual(tap.inbound, [
      { message: { jsonrpc: '2.0', id: 1, result: 'from the stream' } },
    ]);
  });

  it('HTTP-24, HTTP-28: sends the headers of the settings, and the revision once it is agreed', async () => {
    const headers = { Authorization: 'Bearer abc', Accept: 'text/html', 'X-Team': 'blue' };
    const server = sseServer();
    const tap = await startSse(server, { headers });
    await tap.ask('hello');
    tap.transport.sessionReady({ revision: '2025-06-18', sendsVersionHeader: true });
    await tap.tell('notifications/initialized');
    for (const { headers: sent } of server.received) {
      assert.deepEqual([sent.authorization, sent['x-team']], ['Bearer abc', 'blue']);
    }
    assert.equal(server.received[0]?.headers.accept, 'text/event-stream');
    assert.equal(server.received[1]?.headers['content-type'], 'application/json');
    assert.deepEqual(
      server.received.map((one) => one.headers['mcp-protocol-version']),
      [undefined, undefined, '2025-06-18'],
    );
  });

  it('HTTP-03, ERR-03: a status, an error and a cut fail one message each, and only that', async () => {
    const answers: Handler[] = [
      (one) => one.answer(503, 'busy'),
      (one) => one.json(one.errorOf(-32_000, 'no session', null), {}, 400),
      (one) => one.cut(),
    ];
    const tap = await startSse(
      sseServer({
        POST: (exchange, stream) => {
          const answer = answers.shift();
          answer?.(exchange);
          if (answer === undefined) {
            exchange.answer(200);
            stream.event(exchange.resultOf('fine'));
          }
        },
      }),
    );
    const busy = { code: 'http', status: 503, bodyExcerpt: 'busy' };
    await assert.rejects(tap.ask('x'), busy);
    const refused = { code: 'rpc', rpcCode: -32_000, message: 'no session' };
    await assert.rejects(tap.ask('x'), refused);
    await assert.rejects(tap.ask('x'), { code: 'closed' });
    await tap.ask('y');
    await received(tap);
    assert.deepEqual([tap.order, tap.closes], [[4], []]);
  });

  it('a server that does not take a notification is given up, not so one that takes a request slowly', async () => {
    const tap = await startSse(
      sseServer({
        POST: (exchange, stream) => {
          if (exchange.received.message.id !== undefined) {
            stream.event(exchange.resultOf('early'));
            setTimeout(() => exchange.answer(200), 600);
          }
        },
      }),
      { limits: { ...fastLimits, messageMs: 300 } },
    );
    await assert.rejects(tap.tell('n'), { code: 'timeout' });
    await tap.ask('x');
    assert.deepEqual(tap.order, [1]);
  });
});

describe('HTTP+SSE: the end', () => {
  for (const [what, end, expected] of [
    ['ends', (one) => one.end(), /^ended: closed its event stream$/u],
    ['cuts', (one) => one.cut(), /^failed: the event stream broke off/u],
  ] satisfies readonly (readonly [string, Handler, RegExp])[]) {
    it(`SSE-05: the session is over when the server ${what} the stream`, async () => {
      const server = sseServer({
        POST: (exchange, stream) => {
          exchange.answer(202);
          end(stream);
        },
      });
      const tap = await startSse(server);
      await tap.ask('x');
      await waitUntil('the end', () => tap.closes.length > 0);
      assert.match(tap.endings.join(), expected);
      await assert.rejects(tap.ask('y'), { code: 'closed' });
      assert.equal(server.of('GET').length, 1);
    });
  }

  it('an event beyond the limit ends the session, and the limit is told', async () => {
    const server = sseServer({
      POST: (exchange, stream) => {
        exchange.answer(202);
        stream.event({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(200_000) });
      },
    });
    const tap = await startSse(server, { limits: { ...fastLimits, maxMessageBytes: 100_000 } });
    await tap.ask('x');
    await waitUntil('the end', () => tap.closes.length > 0);
    assert.match(tap.endings.join(), /an event is larger than 100000 bytes/u);
  });

  it('LIFE-13: closing leaves no connection, and is told once', async () => {
    const server = sseServer();
    const tap = await startSse(server);
    await tap.ask('x');
    await tap.transport.close();
    await tap.transport.close();
    assert.deepEqual(tap.endings, ['requested']);
    await waitUntil('no connection is left', () => server.open === 0);
    await assert.rejects(tap.ask('y'), { code: 'closed' });
  });
});

async function opened(server: HttpScripted, transport?: 'sse'): Promise<string> {
  closedAfterTest(await server.start());
  const url = server.url('/sse').href;
  const bindings = toBindings({ kind: 'http', url, headers: {}, ...(transport && { transport }) });
  const session = await connect(bindings, hello(), never);
  const { transport: label, revision } = session.server;
  await session.close();
  return `${label}, ${revision}`;
}

describe('HTTP+SSE: which transport is spoken', () => {
  for (const status of [400, 404, 405]) {
    it(`SSE-06, SSE-07: ${status} to the first POST leads to HTTP+SSE`, async () => {
      const server = oldServer((exchange) => exchange.answer(status, 'Cannot POST /sse'));
      assert.equal(await opened(server), 'HTTP+SSE, 2024-11-05');
      assert.equal(server.received[0]?.verb, 'POST');
      assert.equal(server.of('GET').length, 1);
    });
  }

  for (const [status, code] of [
    [401, 'unauthorized'],
    [403, 'http'],
    [500, 'http'],
    [503, 'http'],
  ] as const) {
    it(`SSE-08, TRAP-20: ${status} to the first POST does not`, async () => {
      const server = oldServer((exchange) => exchange.answer(status));
      await assert.rejects(opened(server), { code, status });
      assert.deepEqual(server.of('GET'), []);
    });
  }

  it('SSE-06: a server of Streamable HTTP is not asked for the old transport', async () => {
    const server = new HttpScripted((exchange) => {
      if (exchange.received.message.method === 'initialize') {
        initialize(exchange);
      } else {
        exchange.answer(exchange.received.verb === 'POST' ? 202 : 405);
      }
    });
    assert.equal(await opened(server), 'Streamable HTTP, 2025-11-25');
  });

  it('SSE-09: type "sse" asks for nothing else', async () => {
    const server = oldServer((exchange) => exchange.answer(405));
    assert.equal(await opened(server, 'sse'), 'HTTP+SSE, 2024-11-05');
    assert.deepEqual(
      server.received.map(({ verb }) => verb),
      ['GET', 'POST', 'POST'],
    );
  });
});
