/** The WebSocket transport, against servers that do it well and badly. */
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { delay } from '../../src/base/async.ts';
import {
  WebSocketTransport,
  type WebSocketOptions,
} from '../../src/mcp/transport/webSocket/webSocket.ts';
import { ServerMemory } from '../../src/host/servers/serverMemory.ts';
import { maxFragments } from '../../src/mcp/transport/limits.ts';
import { certificate, withTls } from '../servers/tlsFront.ts';
import { WebSocketScripted } from '../servers/webSocketScripted.ts';
import { closedAfterTest } from '../support/closing.ts';
import { listen } from '../support/listening.ts';
import { countingRequests, trusting } from '../support/patchedModules.ts';
import { TransportTap } from '../support/transportTap.ts';
import { waitUntil } from '../support/waitUntil.ts';

async function openSocket(
  server: WebSocketScripted,
  options: Partial<WebSocketOptions> = {},
): Promise<TransportTap> {
  closedAfterTest(await server.start());
  return tapOn(server.url, options);
}

const startSocket = async (...to: Parameters<typeof openSocket>): Promise<TransportTap> =>
  (await openSocket(...to)).start();

function tapOn(url: URL, options: Partial<WebSocketOptions> = {}): TransportTap {
  const tap = new TransportTap(new WebSocketTransport({ url, headers: {}, ...options }));
  closedAfterTest(tap.transport);
  return tap;
}

/** A server that does this with each connection, and nothing else. */
async function serveSockets(
  onConnection: (socket: Socket) => unknown,
): Promise<{ url: URL; close: () => Promise<void> }> {
  const server = createServer(onConnection);
  const port = await listen(server);
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  return closedAfterTest({ url: new URL(`ws://127.0.0.1:${port}/`), close });
}

const received = (tap: TransportTap, count = 1): Promise<void> =>
  waitUntil('the messages', () => tap.inbound.length >= count, 30_000);
const ended = (tap: TransportTap): Promise<void> =>
  waitUntil('the end', () => tap.closes.length > 0, 30_000);
const note = (n: number): string => JSON.stringify({ jsonrpc: '2.0', method: 'n', params: { n } });

describe('WebSocket: opening', () => {
  it('WS-02, HTTP-28: offers the subprotocol mcp, sends the headers of the settings and no origin', async () => {
    const headers = {
      Authorization: 'Bearer abc',
      'X-Team': 'blue',
      'Sec-WebSocket-Protocol': 'evil',
      'Sec-WebSocket-Key': 'x',
      Upgrade: 'h2c',
      Connection: 'close',
    };
    const server = new WebSocketScripted();
    const tap = await startSocket(server, { headers });
    assert.equal(server.handshakes.length, 1);
    const [handshake] = server.handshakes;
    assert.ok(handshake);
    const { headers: sent, url } = handshake;
    assert.equal(url, '/mcp');
    assert.deepEqual(
      [sent.authorization, sent['x-team'], sent.origin],
      ['Bearer abc', 'blue', undefined],
    );
    assert.equal(sent['sec-websocket-protocol'], 'mcp');
    assert.equal(sent['sec-websocket-extensions'], undefined);
    assert.equal(server.sockets[0]?.protocol, 'mcp');
    await tap.ask('x');
    await received(tap);
  });

  it('does without the subprotocol where the server chooses none', async () => {
    const server = new WebSocketScripted({ options: { handleProtocols: () => false } });
    const tap = await startSocket(server);
    await tap.ask('x');
    await received(tap);
    assert.deepEqual(tap.closes, []);
    assert.match(tap.texts, /does not choose the subprotocol "mcp"/u);
    await waitUntil('one connection is left', () => server.open === 1);
  });

  it('refuses a server that chooses another subprotocol', async () => {
    const tap = await openSocket(
      new WebSocketScripted({ options: { handleProtocols: () => 'graphql-ws' } }),
    );
    await assert.rejects(tap.start(), { code: 'unreachable', message: /subprotocol/u });
  });

  it('a fragment is no part of the URL', async () => {
    const server = closedAfterTest(await new WebSocketScripted().start());
    const { url } = server;
    url.hash = 'x';
    await tapOn(url).start();
    assert.equal(server.handshakes[0]?.url, '/mcp');
  });

  for (const url of ['http://127.0.0.1/', 'wss://u:p@127.0.0.1/']) {
    it(`refuses ${url}`, () => {
      assert.throws(() => new WebSocketTransport({ url: new URL(url), headers: {} }), {
        code: 'invalidConfig',
      });
    });
  }

  for (const [status, name, expected] of [
    [401, 'Unauthorized', { code: 'unauthorized', status: 401, bodyExcerpt: 'no' }],
    [
      404,
      'Not Found',
      { code: 'http', message: /^ws:\/\/127\.0\.0\.1:\d+ answered with HTTP 404/u },
    ],
  ] as const) {
    it(`WS-06: HTTP ${status} instead of the upgrade is told`, async () => {
      const text = `HTTP/1.1 ${status} ${name}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno`;
      const server = new WebSocketScripted({ onUpgrade: (socket) => socket.end(text) });
      const tap = await openSocket(server);
      await assert.rejects(tap.start(), expected);
      assert.equal(server.handshakes.length, 1);
    });
  }

  it('nothing that listens, and what cuts the connection, are told apart', async () => {
    const { url, close } = await serveSockets((socket) => socket.resetAndDestroy());
    await assert.rejects(tapOn(url).start(), {
      code: 'unreachable',
      message: /cut the connection instead of opening a WebSocket/u,
    });
    await close();
    await assert.rejects(tapOn(url).start(), {
      code: 'unreachable',
      message: /nothing listens there/u,
    });
  });

  it('WS-06: a certificate that is not accepted, and a missing TLS, are told as such', async () => {
    const server = new WebSocketScripted();
    await openSocket(server);
    await withTls(server.port, async (port) => {
      await assert.rejects(tapOn(new URL(`wss://127.0.0.1:${port}/`)).start(), {
        code: 'unreachable',
        message: /^wss:.*its certificate is not accepted/u,
      });
      await assert.rejects(tapOn(new URL(`ws://127.0.0.1:${port}/`)).start(), {
        code: 'unreachable',
      });
    });
    await assert.rejects(tapOn(new URL(`wss://127.0.0.1:${server.port}/`)).start(), {
      code: 'unreachable',
      message: /are ws and wss mixed up/u,
    });
    assert.deepEqual(server.handshakes, []);
  });

  it('WS-06: speaks TLS with a server whose certificate the editor trusts', async () => {
    const server = new WebSocketScripted();
    await openSocket(server);
    await withTls(server.port, (port) =>
      trusting(certificate, async () => {
        const tap = tapOn(new URL(`wss://127.0.0.1:${port}/mcp`));
        assert.equal(await countingRequests('https', async () => void (await tap.start())), 1);
        await tap.ask('x');
        await received(tap);
        await tap.transport.close();
        assert.deepEqual(tap.endings, ['requested']);
      }),
    );
  });

  it('is cancelled while the server does not answer', async () => {
    const server = new WebSocketScripted({ onUpgrade: () => undefined });
    const tap = await openSocket(server);
    const controller = new AbortController();
    const starting = tap.start(controller.signal);
    await waitUntil('the handshake', () => server.handshakes.length === 1);
    controller.abort();
    await assert.rejects(starting, { code: 'cancelled' });
  });

  it('is given up by close while the server does not answer', async () => {
    const server = new WebSocketScripted({ onUpgrade: () => undefined });
    const tap = await openSocket(server);
    const starting = tap.start();
    await waitUntil('the handshake', () => server.handshakes.length === 1);
    const [outcome] = await Promise.allSettled([starting, tap.transport.close()]);
    assert.equal(outcome.status, 'rejected');
    assert.deepEqual(tap.endings, ['requested']);
  });
});

describe('WebSocket: messages', () => {
  it('WS-02: one message a text frame, without a newline, in the order of sending', async () => {
    const server = new WebSocketScripted();
    const tap = await startSocket(server);
    await tap.ask('a', { text: 'line\nline' });
    await tap.tell('b');
    await tap.ask('c');
    await received(tap, 2);
    assert.deepEqual(
      server.received.map((text) => JSON.parse(text).method),
      ['a', 'b', 'c'],
    );
    assert.ok(server.received.every((text) => !text.includes('\n')));
  });

  it('takes what comes with the upgrade, and a burst of 10,000 in order', async () => {
    const tap = await startSocket(
      new WebSocketScripted({
        onConnection: (socket) => {
          for (let n = 0; n < 10_000; n += 1) {
            socket.send(note(n));
          }
        },
      }),
    );
    await received(tap, 10_000);
    assert.deepEqual(
      tap.inbound.map(({ message }) => ('method' in message ? message.params?.['n'] : -1)),
      Array.from({ length: 10_000 }, (_, n) => n),
    );
  });

  it('BASE-08: members of an array are delivered one by one, as one batch', async () => {
    const batch = `[${note(1)},7,{"jsonrpc":"2.0","id":1,"method":"x"}]`;
    const tap = await startSocket(
      new WebSocketScripted({ onConnection: (socket) => socket.send(batch) }),
    );
    await received(tap, 2);
    assert.deepEqual(tap.order, ['n', 'x']);
    assert.deepEqual(tap.inbound[1]?.batch, { requests: 1 });
    assert.match(tap.texts, /not a JSON-RPC message/u);
  });

  it('junk in a frame, and a stray binary frame, are noted and cost nothing else', async () => {
    const tap = await startSocket(
      new WebSocketScripted({
        onConnection: (socket) => {
          for (const frame of [note(1), 'hello', '', '42', Buffer.from(note(2)), note(3)]) {
            socket.send(frame);
          }
        },
      }),
    );
    await received(tap, 2);
    assert.deepEqual(tap.order, ['n', 'n']);
    assert.match(
      tap.texts,
      /not JSON: hello\n.*not a JSON object\): 42\nSkipped a binary frame of \d+ bytes: MCP messages are text frames/u,
    );
  });

  it('a server that begins with a binary frame speaks something else', async () => {
    const server = new WebSocketScripted({
      onConnection: (socket) => socket.send(Buffer.from([1, 2, 3])),
    });
    const tap = await startSocket(server);
    await ended(tap);
    assert.deepEqual(tap.endings, [
      'failed: the server sends binary frames: MCP messages are text frames',
    ]);
    await waitUntil('the close', () => server.closes.length > 0);
    assert.deepEqual(server.closes, [1003]);
  });

  it('ends a connection whose server does not read, naming the bytes that wait', async () => {
    const server = new WebSocketScripted({
      onConnection: (socket: WebSocket) => socket.pause(),
    });
    const tap = await startSocket(server, { limits: { maxUnsentBytes: 10_000_000 } });
    const big = 'x'.repeat(4_000_000);
    await assert.rejects(
      async () => {
        for (let count = 0; count < 20; count += 1) {
          await tap.tell('n', { big });
        }
      },
      { code: 'closed', message: /does not read its messages: \d+ bytes/u },
    );
    assert.match(tap.endings.join(), /^failed: The server does not read/u);
  });
});

describe('WebSocket: keep-alive', () => {
  const impatient = { limits: { pingAfterMs: 100, pongMs: 400 } };

  it('WS-08: a silent server is pinged, and stays while it answers', async () => {
    let pings = 0;
    const tap = await startSocket(
      new WebSocketScripted({
        onConnection: (socket) => socket.on('ping', () => (pings += 1)),
      }),
      impatient,
    );
    await waitUntil('three pings', () => pings >= 3);
    assert.deepEqual(tap.closes, []);
    await tap.ask('x');
    await received(tap);
  });

  it('PING-03: a server that answers nothing is given up', async () => {
    const server = new WebSocketScripted({ options: { autoPong: false } });
    const tap = await startSocket(server, impatient);
    await ended(tap);
    assert.deepEqual(tap.endings, [
      'failed: the server did not answer a ping within 0.4 s: it hangs, or the network is gone',
    ]);
    await waitUntil('the socket is gone', () => server.open === 0);
  });

  it('PING-03: a pong that is missing is no death while messages come', async () => {
    let timer: NodeJS.Timeout | undefined;
    let sent = 0;
    const tap = await startSocket(
      new WebSocketScripted({
        options: { autoPong: false },
        onConnection: (socket) => {
          timer = setInterval(() => socket.send(note((sent += 1))), 50);
        },
      }),
      impatient,
    );
    await received(tap, 30);
    assert.deepEqual(tap.closes, []);
    clearInterval(timer);
  });

  it('PING-03: nor while one large message comes, byte by byte', async () => {
    const server = new WebSocketScripted({ options: { autoPong: false } });
    const tap = await startSocket(server, impatient);
    const text = Buffer.from(note(1).padEnd(20_000));
    const head = Buffer.of(0x81, 126, text.length >> 8, text.length & 0xff);
    const raw = server.handshakes[0]?.socket;
    raw?.write(head);
    for (let sent = 0; sent < text.length; sent += 500) {
      raw?.write(text.subarray(sent, sent + 500));
      await delay(50);
    }
    await received(tap);
    assert.deepEqual(tap.closes, []);
  });
});

describe('WebSocket: the end', () => {
  for (const [code, words, ending] of [
    [1000, '', 'ended: closed the connection (1000)'],
    [1001, 'bye', 'ended: is going away: it shuts down or restarts (1001: bye)'],
    [1012, '', 'ended: restarts (1012)'],
    [undefined, '', 'ended: closed the connection without a reason (1005)'],
    [
      1008,
      'token expired',
      'failed: the server refuses it by its rules: is a header for authorization missing or wrong? (1008: token expired)',
    ],
    [1011, '', 'failed: the server had an internal error (1011)'],
    [1013, '', 'failed: the server is overloaded and wants us to try again later (1013)'],
    [3000, '', 'failed: the server asks for authorization (3000)'],
    [4242, 'quota', 'failed: the server closed it with a code of its own (4242: quota)'],
  ] as const) {
    it(`WS-05: close code ${code ?? 'none'} becomes a reason`, async () => {
      const tap = await startSocket(
        new WebSocketScripted({
          onText: (_text, socket) => socket.close(code, words),
        }),
      );
      await tap.ask('x');
      await ended(tap);
      assert.deepEqual(tap.endings, [ending]);
      await assert.rejects(tap.ask('y'), { code: 'closed' });
    });
  }

  it('WS-04, WS-05: a socket that breaks off is told so', async () => {
    const tap = await startSocket(
      new WebSocketScripted({ onText: (_text, socket) => socket.terminate() }),
    );
    await tap.ask('x');
    await ended(tap);
    assert.match(tap.endings.join(), /^failed: it broke off without a close.*\(1006\)$/u);
  });

  it('a message beyond the limit ends it, the limit named, and the server is told', async () => {
    const server = new WebSocketScripted({
      onConnection: (socket) => socket.send('x'.repeat(100_001)),
    });
    const tap = await startSocket(server, { limits: { maxMessageBytes: 100_000 } });
    await ended(tap);
    assert.deepEqual(tap.endings, ['failed: the server sent a message larger than 100000 bytes']);
    await waitUntil('the close', () => server.closes.length > 0);
    assert.deepEqual(server.closes, [1009]);
  });

  it('a message that there is no memory for ends it, before it is whole', async () => {
    const memory = new ServerMemory().open(1e6);
    const tap = await startSocket(
      new WebSocketScripted({
        onConnection: (socket) => {
          socket.send('x'.repeat(500_000));
          socket.send('x'.repeat(1_200_000), { fin: false });
        },
      }),
      { limits: { memory } },
    );
    await ended(tap);
    assert.match(tap.endings.join(), /failed: a message would take more memory than the/u);
    await waitUntil('nothing is held', () => memory.used === 0);
  });

  it('a message in more fragments than a good server makes ends it', async () => {
    const tap = await startSocket(
      new WebSocketScripted({
        onConnection: (socket) => {
          for (let sent = 0; sent <= maxFragments; sent += 1) {
            socket.send(' ', { fin: false });
          }
        },
      }),
    );
    await ended(tap);
    assert.deepEqual(tap.endings, ['failed: Too many message fragments']);
  });

  for (const [what, bytes, code] of [
    ['is not UTF-8', Buffer.from([0x81, 0x02, 0xc3, 0x28]), 1007],
    ['breaks the protocol', Buffer.from([0xff, 0x00]), 1002],
  ] as const) {
    it(`a frame that ${what} ends it`, async () => {
      let raw: { write(data: Buffer): unknown } | undefined;
      const server = new WebSocketScripted({ onText: () => raw?.write(bytes) });
      const tap = await startSocket(server);
      raw = server.handshakes[0]?.socket;
      await tap.tell('x');
      await ended(tap);
      assert.match(tap.endings.join(), /^failed: /u);
      await waitUntil('the close', () => server.closes.length > 0);
      assert.deepEqual(server.closes, [code]);
    });
  }

  it('LIFE-13, WS-05: closing is a closing handshake, told once', async () => {
    const server = new WebSocketScripted();
    const tap = await startSocket(server);
    await tap.tell('last words');
    await tap.transport.close();
    await tap.transport.close();
    assert.deepEqual(tap.endings, ['requested']);
    assert.equal(server.received.length, 1);
    assert.deepEqual(server.closes, [1000]);
    await assert.rejects(tap.ask('y'), { code: 'closed' });
  });

  it('a server that does not take part in the closing is left after a while', async () => {
    const tap = await startSocket(
      new WebSocketScripted({ onConnection: (socket) => socket.pause() }),
      { limits: { closeMs: 200 } },
    );
    await tap.transport.close();
    assert.deepEqual(tap.endings, ['requested']);
  });
});
