/** The channel of revision 2026-07-28 over Streamable HTTP, against a server that does what each test says. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ServerMemory } from '../../src/host/servers/serverMemory.ts';
import type { ErrorCode } from '../../src/mcp/errors.ts';
import { isHttpError, isMcpError, isRpcError } from '../../src/mcp/errors.ts';
import { createModernHttpTransport } from '../../src/mcp/transport/http/modernHttp.ts';
import type { HttpTransportOptions } from '../../src/mcp/transport/http/httpExchange.ts';
import { type Channel, openChannel } from '../servers/httpChannel.ts';
import { eventOf, type Exchange, HttpScripted, notice } from '../servers/httpScripted.ts';
import { waitUntil } from '../support/waitUntil.ts';

const failsWith =
  (code: ErrorCode, text: RegExp = /./u) =>
  (error: unknown): boolean => {
    assert.ok(isMcpError(error), String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, text);
    return true;
  };

async function opened(
  answer: (exchange: Exchange) => unknown,
  options: Partial<HttpTransportOptions> = {},
): Promise<{ readonly channel: Channel; readonly server: HttpScripted }> {
  const server = new HttpScripted(answer);
  return { channel: await openChannel(server, options, createModernHttpTransport), server };
}

const result = (exchange: Exchange): unknown =>
  exchange.resultOf({ resultType: 'complete', content: [] });
const refuse =
  (status: number, body = '', type = 'text/html') =>
  (exchange: Exchange): void =>
    exchange.answer(status, body, { 'content-type': type });

describe('Streamable HTTP of 2026-07-28', function () {
  this.timeout(30_000);
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
    channel.transport.sessionReady({ revision: '2026-07-28', sendsVersionHeader: true });
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
    assert.equal(sent.authorization, 'Bearer abc');
    assert.equal(sent['mcp-protocol-version'], '2026-07-28');
    assert.equal(sent['mcp-method'], 'tools/list');
    assert.equal(sent['mcp-name'], undefined);
    assert.equal(sent['mcp-param-region'], undefined);
    assert.equal(sent.accept, 'application/json, text/event-stream');
  });

  it('BASE-04: a reply is not sent', async () => {
    const {
      channel: { transport },
      server,
    } = await opened(refuse(500));
    const sent = transport.send({ jsonrpc: '2.0', id: 'theirs', result: {} });
    await assert.rejects(sent ?? Promise.resolve(), failsWith('protocol'));
    assert.equal(server.received.length, 0);
  });

  it('HTTP-03, HTTP-11: what precedes the reply on its stream belongs to the request, what follows to nobody', async () => {
    const { channel, server } = await opened((exchange) => {
      const id = exchange.received.message.id;
      exchange
        .stream()
        .write(
          [
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
    assert.match(channel.texts, /A reply to 7 on the stream of 1 was discarded/u);
    await waitUntil('the stream is let go', () => server.open === 0);
    assert.equal(channel.inbound.length, 2);
  });

  it('HTTP-12: comments, events of other names and events without data are skipped in silence', async () => {
    const { channel } = await opened((exchange) => {
      exchange.stream().write(':\r\n\r\n: keep-alive\n\nevent: ping\ndata: x\n\nid: 1\ndata:\n\n');
      exchange.event(result(exchange)).end();
    });
    await channel.ask('tools/call');
    assert.deepEqual(channel.order, [1]);
    assert.deepEqual(channel.diagnostics, []);
  });

  it('HTTP-13: a stream that ends before the reply fails its request, and is not resumed', async () => {
    const { channel, server } = await opened((exchange) => {
      exchange
        .stream()
        .write('retry: 1\n\n')
        .event(notice('notifications/message'), 'event-1')
        .end();
    });
    await assert.rejects(
      channel.ask('tools/call'),
      failsWith('closed', /answer to "tools\/call" ended before the reply; whether .* is unknown/u),
    );
    assert.equal(server.received.length, 1);
  });

  it('CAN-03: giving up closes the stream and posts nothing', async () => {
    let isClosed = false;
    const answer = (exchange: Exchange): void => {
      exchange.response.on('close', () => (isClosed = true));
      exchange.stream().event(notice('notifications/message'));
    };
    const { channel, server } = await opened(answer);
    assert.equal(channel.transport.cancelsByClosing, true);
    const giveUp = new AbortController();
    const asked = channel.ask('tools/call', {}, { signal: giveUp.signal });
    await waitUntil('the notice', () => channel.inbound.length === 1);
    giveUp.abort();
    await assert.rejects(asked, failsWith('cancelled'));
    await waitUntil('the server has noticed', () => isClosed);
    assert.equal(server.received.length, 1);
  });

  it('CAN-03: also before the answer has begun, and within a JSON answer', async () => {
    for (const isBegun of [false, true]) {
      let isClosed = false;
      const answer = (exchange: Exchange): void => {
        exchange.response.on('close', () => (isClosed = true));
        if (isBegun) {
          exchange.response.writeHead(200, { 'content-type': 'application/json' });
          exchange.write('{"jsonrpc"');
        }
      };
      const { channel, server } = await opened(answer);
      const giveUp = new AbortController();
      const asked = channel.ask('tools/call', {}, { signal: giveUp.signal });
      await waitUntil('the request', () => server.received.length === 1);
      giveUp.abort();
      await assert.rejects(asked, failsWith('cancelled'));
      await waitUntil('the server has noticed', () => isClosed);
    }
  });

  for (const [status, code, rule] of [
    [400, -32_020, 'BASE-12'],
    [400, -32_021, 'BASE-12'],
    [400, -32_022, 'BASE-12'],
    [400, -32_602, 'META-05'],
    [404, -32_601, 'HTTP-10'],
    [400, -32_000, 'HTTP-20'],
  ] as const) {
    for (const id of [1, null, undefined]) {
      it(`HTTP-09, ${rule}: ${status} with ${code} and the id ${String(id)} is the error reply`, async () => {
        const data = { supported: ['2026-07-28'], requested: '2099-01-01' };
        const error = { code, message: 'In the words of the server', data };
        const { channel } = await opened((exchange) =>
          exchange.json({ jsonrpc: '2.0', id, error }, {}, status),
        );
        await assert.rejects(channel.ask('tools/call'), (thrown) => {
          assert.ok(isRpcError(thrown));
          assert.equal(thrown.rpcCode, code);
          assert.equal(thrown.message, 'In the words of the server');
          assert.deepEqual(thrown.data, data);
          return true;
        });
      });
    }
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
    for (const body of ['', '<p>No such page</p>', '{"error":"not_found"}']) {
      it(`HTTP-10, HTTP-20: ${status} with "${body}" is an HTTP error, so that the era can be chosen by it`, async () => {
        const { channel } = await opened(refuse(status, body));
        await assert.rejects(channel.ask('server/discover'), (thrown) => {
          assert.ok(isHttpError(thrown));
          assert.equal(thrown.code, 'http');
          assert.equal(thrown.status, status);
          assert.equal(thrown.bodyExcerpt, body);
          return true;
        });
        assert.deepEqual(channel.inbound, []);
      });
    }
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
      await assert.rejects(channel.ask('server/discover'), failsWith(code, text));
    });
  }

  for (const [what, status, type, body] of [
    ['a page', 200, 'text/html', '<p>Welcome</p>'],
    ['nothing', 202, 'application/json', ''],
    ['another reply', 200, 'application/json', '{"jsonrpc":"2.0","id":9,"result":{}}'],
    ['an array', 200, 'application/json', '[{"jsonrpc":"2.0","id":1,"result":{}}]'],
    ['a notification', 200, 'application/json', '{"jsonrpc":"2.0","method":"x"}'],
  ] as const) {
    it(`HTTP-01, HTTP-03: ${what} in place of the reply fails the request`, async () => {
      const { channel } = await opened(refuse(status, body, type));
      await assert.rejects(
        channel.ask('tools/list'),
        failsWith('protocol', /"tools\/list" .*contains no reply/u),
      );
    });
  }

  it('a body or an event that there is no memory for fails its call, and nothing of it is held', async () => {
    const memory = new ServerMemory().open(100_000);
    const huge = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(200_000) } };
    const noMemory = /would take more memory than the/u;
    const { channel } = await opened((exchange) => exchange.json(huge), { limits: { memory } });
    await assert.rejects(channel.ask('tools/call'), failsWith('protocol', noMemory));
    const stream = await opened((exchange) => exchange.stream().event(huge), {
      limits: { memory },
    });
    await assert.rejects(stream.channel.ask('tools/call'), failsWith('closed', noMemory));
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
    await assert.rejects(
      channel.ask('subscriptions/listen'),
      failsWith('closed', /an event is larger than 100000 bytes/u),
    );
    assert.equal(channel.inbound.length, 1);
  });

  it('closing fails what is under way, is told once, and leaves no connection', async () => {
    const { channel, server } = await opened((exchange) => {
      if (exchange.received.message.method === 'subscriptions/listen') {
        exchange.stream().event(notice('notifications/subscriptions/acknowledged'));
      }
    });
    const asked = [channel.ask('subscriptions/listen'), channel.ask('tools/call')];
    const failed = Promise.all(asked.map((each) => assert.rejects(each, failsWith('closed'))));
    await waitUntil('both', () => server.received.length === 2 && channel.inbound.length === 1);
    await Promise.all([channel.transport.close(), channel.transport.close()]);
    await failed;
    assert.deepEqual(channel.closes, [{ kind: 'requested' }]);
    await assert.rejects(channel.ask('tools/call'), failsWith('closed'));
    await waitUntil('no connection is left', () => server.open === 0);
    assert.equal(server.received.length, 2);
  });
});
