/** The channel of revision 2026-07-28 over Streamable HTTP, against a server that does what each test says. */
import assert from 'node:assert/strict';
import { ServerMemory } from '../../src/host/servers/serverMemory.ts';
import { ModernHttpTransport } from '../../src/mcp/transport/http/modernHttp.ts';
import type { HttpTransportOptions } from '../../src/mcp/transport/http/httpExchange.ts';
import { type Channel, openChannel } from '../servers/httpChannel.ts';
import {
  eventOf,
  type Exchange,
  type Handler,
  HttpScripted,
  notice,
} from '../servers/httpScripted.ts';
import { waitUntil } from '../support/waitUntil.ts';

async function opened(
  answer: Handler,
  options: Partial<HttpTransportOptions> = {},
): Promise<{ readonly channel: Channel; readonly server: HttpScripted }> {
  const server = new HttpScripted(answer);
  return { channel: await openChannel(server, options, ModernHttpTransport), server };
}

const result = (exchange: Exchange): unknown =>
  exchange.resultOf({ resultType: 'complete', content: [] });
const refuse =
  (status: number, body = '', type = 'text/html'): Handler =>
  (exchange) =>
    exchange.answer(status, body, { 'content-type': type });

describe('Streamable HTTP of 2026-07-28', () => {
  it('HTTP-01, HTTP-02, HTTP-15: every message is a POST, and nothing else is ever sent', async () => {
    const { channel, server } = await opened((exchange) => {
      const { id } = exchange.received.message;
      // A session id in an answer is ignored, and so are ids of events.
      const headers = { 'mcp-session-id': 'from-the-past' };
      if (id === undefined) {
        exchange.answer(202, '', headers);
      } else if (id === 1) {
        exchange.json(result(exchange), headers);
      } else {
        exchange.stream(headers).event(result(exchange), 'event-1').end();
      }
    });
    await channel.ask('tools/list', {}, { headers: { 'mcp-method': 'tools/list' } });
    await channel.ask('tools/call');
    await channel.tell('notifications/com.example/x');
    await channel.ask('tools/call');
    assert.deepEqual(channel.order, [1, 2, 3]);
    assert.deepEqual(channel.diagnostics, []);
    assert.deepEqual(
      server.received.map(({ verb, path }) => `${verb} ${path}`),
      ['POST /mcp', 'POST /mcp', 'POST /mcp', 'POST /mcp'],
    );
    for (const { headers } of server.received) {
      assert.equal(headers.accept, 'application/json, text/event-stream');
      assert.equal(headers['content-type'], 'application/json');
      assert.equal(headers['mcp-session-id'], undefined);
      assert.equal(headers['last-event-id'], undefined);
      assert.equal(headers.origin, undefined);
    }
    assert.equal(server.received[0]?.headers['mcp-method'], 'tools/list');
    assert.equal(server.received[1]?.headers['mcp-method'], undefined);
  });

  it('HTTP-04, HTTP-05: headers of a message win over the settings, which speak for none of them', async () => {
    const headers = {
      Authorization: 'Bearer abc',
      'MCP-Protocol-Version': '1999-01-01',
      'Mcp-Method': 'ping',
      'Mcp-Name': 'from-settings',
      'Mcp-Param-Region': 'from-settings',
      Accept: 'text/html',
    };
    const { channel, server } = await opened((exchange) => exchange.json(result(exchange)), {
      headers,
    });
    const ofMessage = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    await channel.ask('tools/list', {}, { headers: ofMessage });
    const sent = server.received[0]?.headers ?? {};
    const names = ['authorization', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'accept'];
    assert.deepEqual(
      [...names, 'mcp-param-region'].map((name) => sent[name]),
      [
        'Bearer abc',
        '2026-07-28',
        'tools/list',
        undefined,
        'application/json, text/event-stream',
        undefined,
      ],
    );
  });

  it('HTTP-03, HTTP-11, HTTP-12: what precedes the reply on its stream belongs to the request, what follows to nobody', async () => {
    const { channel, server } = await opened((exchange) => {
      const id = exchange.received.message.id;
      exchange
        .stream()
        .write(
          [
            ':\r\n\r\n: keep-alive\n\nevent: ping\ndata: x\n\nid: 1\ndata:\n\n',
            eventOf(notice('notifications/progress', { progress: 1 })),
            eventOf({ jsonrpc: '2.0', id: 7, result: { ofAnother: true } }),
            eventOf(result(exchange)),
            eventOf({ jsonrpc: '2.0', id, result: { second: true } }),
            eventOf(notice('notifications/message')),
          ].join(''),
        );
    });
    await channel.ask('tools/call');
    assert.deepEqual(channel.order, ['notifications/progress', 1]);
    assert.deepEqual(
      channel.inbound.map(({ during }) => during),
      [1, 1],
    );
    assert.match(channel.texts, /^A reply to 7 on the stream of 1 was discarded[^\n]*$/u);
    await waitUntil('the stream is let go', () => server.open === 0);
    assert.equal(channel.inbound.length, 2);
  });

  it('HTTP-13: a stream that ends before the reply fails its request, and is not resumed', async () => {
    const { channel, server } = await opened((exchange) => {
      exchange
        .stream()
        .write('retry: 1\n\n')
        .event(notice('notifications/message'), 'event-1')
        .end();
    });
    await assert.rejects(channel.ask('tools/call'), {
      code: 'closed',
      message: /answer to "tools\/call" ended before the reply; whether .* is unknown/u,
    });
    assert.equal(server.received.length, 1);
  });

  for (const [stage, begin] of [
    ['before the answer', () => undefined],
    [
      'within a JSON answer',
      (exchange) => {
        exchange.response.writeHead(200, { 'content-type': 'application/json' });
        exchange.write('{"jsonrpc"');
      },
    ],
    ['within a stream', (exchange) => exchange.stream().event(notice('notifications/message'))],
  ] satisfies readonly (readonly [string, Handler])[]) {
    it(`CAN-03: giving up ${stage} closes it and posts nothing`, async () => {
      let isClosed = false;
      const { channel, server } = await opened((exchange) => {
        exchange.response.on('close', () => (isClosed = true));
        begin(exchange);
      });
      assert.equal(channel.transport.cancelsByClosing, true);
      const giveUp = new AbortController();
      const asked = channel.ask('tools/call', {}, { signal: giveUp.signal });
      const isStreaming = stage === 'within a stream';
      await waitUntil('its beginning', () =>
        isStreaming ? channel.inbound.length === 1 : server.received.length === 1,
      );
      giveUp.abort();
      await assert.rejects(asked, { code: 'cancelled' });
      await waitUntil('the server has noticed', () => isClosed);
      assert.equal(server.received.length, 1);
    });
  }

  for (const [status, code, rule] of [
    [400, -32_020, 'BASE-12'],
    [400, -32_021, 'BASE-12'],
    [400, -32_022, 'BASE-12'],
    [400, -32_602, 'META-05'],
    [404, -32_601, 'HTTP-10'],
    [400, -32_000, 'HTTP-20'],
  ] as const) {
    it(`HTTP-09, ${rule}: ${status} with ${code} is the error reply, whatever its id`, async () => {
      const data = { supported: ['2026-07-28'], requested: '2099-01-01' };
      const message = 'In the words of the server';
      for (const id of [1, null, undefined]) {
        const error = { code, message, data };
        const { channel } = await opened((exchange) =>
          exchange.json({ jsonrpc: '2.0', id, error }, {}, status),
        );
        const expected = { code: 'rpc', rpcCode: code, message, data };
        await assert.rejects(channel.ask('tools/call'), expected);
      }
    });
  }

  it('BASE-10: an error reply without an id belongs to the request whose stream carries it', async () => {
    const { channel } = await opened((exchange) =>
      exchange
        .stream()
        .event(exchange.errorOf(-32_603, 'lost', null))
        .end(),
    );
    await channel.ask('tools/call');
    assert.equal(channel.inbound[0]?.during, 1);
  });

  for (const status of [400, 404, 405, 406, 410, 415, 501]) {
    it(`HTTP-10, HTTP-20: ${status} is an HTTP error, so that the era can be chosen by it`, async () => {
      for (const body of ['', '<p>No such page</p>', '{"error":"not_found"}']) {
        const { channel } = await opened(refuse(status, body));
        const expected = { code: 'http', status, bodyExcerpt: body };
        await assert.rejects(channel.ask('server/discover'), expected);
        assert.deepEqual(channel.inbound, []);
      }
    });
  }

  for (const [status, code, text] of [
    [401, 'unauthorized', /asks for authorization/u],
    [403, 'http', /HTTP 403/u],
    [413, 'http', /too large for the server, send less/u],
    [431, 'http', /headers are too large/u],
    [429, 'http', /HTTP 429/u],
    [500, 'http', /HTTP 500/u],
    [503, 'http', /HTTP 503/u],
    [302, 'http', /Set the server's URL to its target/u],
  ] as const) {
    it(`HTTP-17, HTTP-18, ERA-05: ${status} fails the request with ${code}`, async () => {
      const { channel } = await opened(refuse(status));
      await assert.rejects(channel.ask('server/discover'), { code, message: text });
    });
  }

  it('ERA-05: the question for the era is not put off: whoever asks it has a limit of its own', async () => {
    const { channel, server } = await opened((exchange) =>
      exchange.answer(503, 'busy', { 'retry-after': '1' }),
    );
    const headers = { 'mcp-method': 'server/discover' };
    await assert.rejects(channel.ask('server/discover', {}, { headers }), { status: 503 });
    assert.equal(server.received.length, 1);
  });

  for (const [what, status, type, body] of [
    ['a page', 200, 'text/html', '<p>Welcome</p>'],
    ['nothing', 202, 'application/json', ''],
    ['another reply', 200, 'application/json', '{"jsonrpc":"2.0","id":9,"result":{}}'],
    ['an array', 200, 'application/json', '[{"jsonrpc":"2.0","id":1,"result":{}}]'],
    ['a notification', 200, 'application/json', '{"jsonrpc":"2.0","method":"x"}'],
  ] as const) {
    it(`HTTP-01, HTTP-03: ${what} in place of the reply fails the request`, async () => {
      const { channel } = await opened(refuse(status, body, type));
      await assert.rejects(channel.ask('tools/list'), {
        code: 'protocol',
        message: /"tools\/list" .*contains no reply/u,
      });
    });
  }

  it('a body or an event that there is no memory for fails its call, and nothing of it is held', async () => {
    const memory = new ServerMemory().open(100_000);
    const huge = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(200_000) } };
    const noMemory = /would take more memory than the/u;
    const { channel } = await opened((exchange) => exchange.json(huge), { limits: { memory } });
    await assert.rejects(channel.ask('tools/call'), { code: 'protocol', message: noMemory });
    const stream = await opened((exchange) => exchange.stream().event(huge), {
      limits: { memory },
    });
    await assert.rejects(stream.channel.ask('tools/call'), { code: 'closed', message: noMemory });
    assert.equal(memory.used, 0);
  });

  it('an event beyond the limit ends its stream, and nothing else', async () => {
    const changed = notice('notifications/tools/list_changed');
    const { channel } = await opened(
      (exchange) =>
        exchange
          .stream()
          .write(`: listening\n${eventOf(changed)}`)
          .event(notice('x', { much: 'x'.repeat(200_000) })),
      { limits: { maxMessageBytes: 100_000 } },
    );
    await assert.rejects(channel.ask('subscriptions/listen'), {
      code: 'closed',
      message: /an event is larger than 100000 bytes/u,
    });
    assert.equal(channel.inbound.length, 1);
  });

  it('closing fails what is under way, is told once, and leaves no connection', async () => {
    const { channel, server } = await opened((exchange) => {
      if (exchange.received.message.method === 'subscriptions/listen') {
        exchange.stream().event(notice('notifications/subscriptions/acknowledged'));
      }
    });
    const asked = [channel.ask('subscriptions/listen'), channel.ask('tools/call')];
    const failed = Promise.all(asked.map((each) => assert.rejects(each, { code: 'closed' })));
    await waitUntil('both', () => server.received.length === 2 && channel.inbound.length === 1);
    await Promise.all([channel.transport.close(), channel.transport.close()]);
    await failed;
    assert.deepEqual(channel.closes, [{ kind: 'requested' }]);
    await assert.rejects(channel.ask('tools/call'), { code: 'closed' });
    await waitUntil('no connection is left', () => server.open === 0);
    assert.equal(server.received.length, 2);
  });
});
