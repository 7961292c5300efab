/**
 * Own authorities and an own proxy of one server, over every channel of HTTP, mostly at 127.0.0.2: an editor treats
 * 127.0.0.1 otherwise than other hosts.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as https from 'node:https';
import { Socket } from 'node:net';
import { mock } from 'node:test';
import { toBindings } from '../../src/host/servers/bindings.ts';
import { connect } from '../../src/mcp/client/connect.ts';
import { isMcpError, type McpError } from '../../src/mcp/errors.ts';
import type { HttpAuthorizer } from '../../src/mcp/httpAuthorizer.ts';
import { type ConnectionSettings, tlsOptions } from '../../src/mcp/network/connectionSettings.ts';
import { openTunnel, reachProxy } from '../../src/mcp/network/proxyTunnel.ts';
import { Route } from '../../src/mcp/network/route.ts';
import { WebSocketTransport } from '../../src/mcp/transport/webSocket/webSocket.ts';
import { Authority } from '../servers/authority.ts';
import { type ChannelName, channels, serving, servingTls } from '../servers/channelServers.ts';
import { type ConnectProxy, type ProxyOptions, withProxy } from '../servers/connectProxy.ts';
import { HttpScripted } from '../servers/httpScripted.ts';
import type { FrontOptions } from '../servers/tlsFront.ts';
import { WebSocketScripted } from '../servers/webSocketScripted.ts';
import { closedAfterTest } from '../support/closing.ts';
import { hello } from '../support/hello.ts';
import { countingRequests, resolving } from '../support/patchedModules.ts';
import { TransportTap } from '../support/transportTap.ts';
import { waitUntil } from '../support/waitUntil.ts';

const { signal: never } = new AbortController();
const otherLoopback = '127.0.0.2';

const authority = new Authority();
const issued = authority.issue('notes.test', {
  hosts: ['127.0.0.1', otherLoopback, 'localhost', 'notes.test'],
});
const at = (host: string): FrontOptions => ({ host, ...issued });
const trusting: ConnectionSettings = { tls: { ca: [authority.pem] } };

/** Opens a conversation, and says over which channel it goes. */
async function open(
  channel: ChannelName,
  authorityOfUrl: string,
  connection: ConnectionSettings | undefined,
  isSecure = true,
): Promise<string> {
  const scheme = `${channel === 'WebSocket' ? 'ws' : 'http'}${isSecure ? 's' : ''}`;
  const path = { 'Streamable HTTP': '/mcp?a:b=c:d', 'HTTP+SSE': '/sse', WebSocket: '/mcp:x?a:b' };
  const reached = {
    url: `${scheme}://${authorityOfUrl}${path[channel]}`,
    headers: { 'x-team': 'blue' },
  };
  const bindings = toBindings(
    channel === 'WebSocket'
      ? { kind: 'webSocket', ...reached }
      : { kind: 'http', ...reached, ...(channel === 'HTTP+SSE' && { transport: 'sse' }) },
    { route: connection && new Route(connection) },
  );
  const session = await connect(bindings, hello({ protocol: 'legacy' }), never);
  const { transport } = session.server;
  await session.close();
  return transport;
}

async function failure(opening: Promise<string>): Promise<string> {
  try {
    await opening;
  } catch (error) {
    assert.ok(isMcpError(error), String(error));
    assert.equal(error.code, 'unreachable', error.message);
    return error.message;
  }
  return assert.fail('it was reached');
}

describe('own proxy: the request that opens a WebSocket', () => {
  it('has the path and the host of the URL, colons included', async () => {
    const server = closedAfterTest(await new WebSocketScripted().start());
    const { host } = server.url;
    const transport = new WebSocketTransport({
      url: new URL(`ws://${host}/mcp:x?a:b=c`),
      headers: { 'x-team': 'blue', host: 'elsewhere.test' },
      route: new Route({ proxy: false }),
    });
    await new TransportTap(closedAfterTest(transport)).start();
    const { url, headers } = server.handshakes[0] ?? {};
    assert.deepEqual([url, headers?.host, headers?.['x-team']], ['/mcp:x?a:b=c', host, 'blue']);
    assert.equal(server.sockets[0]?.protocol, 'mcp');
  });

  it('leaves no connection to the proxy where the request cannot be made', async () => {
    const server = closedAfterTest(await new HttpScripted(() => undefined).start());
    const authorizer: HttpAuthorizer = {
      headersFor: () => ({ authorization: 'Bearer two\nlines' }),
      onRefused: async () => false,
    };
    const transport = new WebSocketTransport({
      url: new URL(server.origin.replace('http:', 'ws:')),
      headers: {},
      authorizer,
      route: new Route({ proxy: false }),
    });
    const tap = new TransportTap(closedAfterTest(transport));
    await assert.rejects(tap.start(), (error: McpError) => {
      assert.equal(error.code, 'invalidConfig');
      assert.match(error.message, /the header "authorization" holds a line break/iu);
      assert.doesNotMatch(error.message, /two|lines/u);
      return true;
    });
    await waitUntil('its end', () => server.accepted === 1 && server.open === 0);
  });

  it('is given up while the proxy does not answer, as any other request; closing leaves nothing', async () => {
    await withProxy(
      async (proxy) => {
        const route = new Route({ proxy: { origin: proxy.url } });
        const socket = new TransportTap(
          new WebSocketTransport({ url: new URL('ws://127.0.0.1:1/'), headers: {}, route }),
        );
        const launch = { kind: 'http', url: 'https://127.0.0.1:1/mcp', headers: {} } as const;
        const bindings = toBindings(launch, { route });
        const controller = new AbortController();
        const { signal } = controller;
        const openings = [socket.start(signal), connect(bindings, hello(), signal)];
        await waitUntil('the proxy to be asked', () => proxy.seen.length === openings.length);
        controller.abort();
        await Promise.all(openings.map((each) => assert.rejects(each, { code: 'cancelled' })));
        await socket.transport.close();
        const target = { host: '127.0.0.1', port: 1 };
        const tunnel = openTunnel({ origin: proxy.url }, target, {}, signal);
        await assert.rejects(tunnel, { code: 'unreachable', message: /was given up/u });
      },
      { isSilent: true },
    );
  });

  it('a tunnel is closed again where TLS cannot begin', async () => {
    const server = closedAfterTest(await new HttpScripted(() => undefined).start());
    await withProxy(async (proxy) => {
      const tls = { client: { cert: 'no certificate', key: 'no key' } };
      const route = new Route({ proxy: { origin: proxy.url }, tls });
      const url = new URL(server.origin.replace('http:', 'https:'));
      const agent = route.createAgent(url, { keepAlive: true });
      await assert.rejects(once(https.get(url, { agent }), 'response'), /PEM/u);
      await waitUntil('its end', () => server.accepted === 1 && server.open === 0);
      agent.destroy();
    });
  });
});

describe('own proxy: a connection to it', () => {
  for (const scheme of ['http', 'https']) {
    it(`over ${scheme} is kept alive, though nothing is sent for hours`, async () => {
      const keepingAlive = mock.method(Socket.prototype, 'setKeepAlive');
      const reach = async (origin: string): Promise<void> => {
        const socket = await reachProxy({ origin }, tlsOptions(trusting.tls ?? {}), never);
        socket.destroy();
        const calls = keepingAlive.mock.calls.filter((call) => call.this === socket);
        assert.deepEqual(
          calls.map((call) => call.arguments),
          [[true, 1_000]],
        );
      };
      try {
        await withProxy((proxy) =>
          scheme === 'https' ? proxy.overTls(issued, reach) : reach(proxy.url),
        );
      } finally {
        keepingAlive.mock.restore();
      }
    });
  }
});

describe('own proxy: none, to a host with several addresses', () => {
  for (const channel of channels) {
    it(`${channel} goes to the one where something listens`, async () => {
      await servingTls(channel, at('127.0.0.1'), (origin) =>
        resolving({ 'notes.test': ['127.0.0.2', '127.0.0.1'] }, async () => {
          const there = origin.replace('127.0.0.1', 'notes.test');
          assert.equal(await open(channel, there, { ...trusting, proxy: false }), channel);
        }),
      );
    });
  }
});

for (const channel of channels) {
  describe(`own authority and proxy: ${channel}`, () => {
    it("an own authority is accepted, and nothing without it; the editor's function is asked", async () => {
      await servingTls(channel, at(otherLoopback), async (origin) => {
        const asked = await countingRequests('https', async () => {
          assert.equal(await open(channel, origin, trusting), channel);
        });
        assert.ok(asked > 0, 'past the editor');
        const message = await failure(open(channel, origin, undefined));
        assert.match(message, /its certificate is not accepted/u);
        assert.match(message, /name the certificate of its authority in "tls\.ca"/u);
      });
    });

    it('what is encrypted goes through the proxy by CONNECT, past the functions of the editor', async () => {
      await servingTls(channel, at(otherLoopback), (origin) =>
        withProxy(async (proxy) => {
          const settings = { ...trusting, proxy: { origin: proxy.url } };
          const asked = await countingRequests('https', async () => {
            assert.equal(await open(channel, origin, settings), channel);
          });
          assert.equal(asked, 0);
          assert.ok(proxy.seen.length > 0);
          assert.deepEqual([...new Set(proxy.seen)], [`CONNECT ${origin}`]);
        }),
      );
    });

    it('what is not encrypted goes through the proxy, too', async () => {
      await serving(channel, (port) =>
        withProxy(async (proxy) => {
          const origin = `127.0.0.1:${port}`;
          await open(channel, origin, { proxy: { origin: proxy.url } }, false);
          const [first = ''] = proxy.seen;
          assert.equal(
            first.replace(/^\S+ /u, ''),
            channel === 'WebSocket'
              ? origin
              : `http://${origin}/${channel === 'HTTP+SSE' ? 'sse' : 'mcp?a:b=c:d'}`,
          );
        }),
      );
    });

    it('a proxy of false goes straight to the server, past the functions of the editor', async () => {
      await servingTls(channel, issued, async (origin) => {
        const asked = await countingRequests('https', async () => {
          await open(channel, origin, { ...trusting, proxy: false });
        });
        assert.equal(asked, 0);
        const message = await failure(open(channel, origin, { proxy: false }));
        assert.match(message, /its certificate is not accepted/u);
      });
    });

    it('speaks TLS with a proxy whose certificate the own authority issued', async () => {
      await servingTls(channel, issued, (origin) =>
        withProxy((proxy) =>
          proxy.overTls(issued, async (url) => {
            await open(channel, origin, { ...trusting, proxy: { origin: url } });
            assert.ok(proxy.seen.length > 0);
            const message = await failure(open(channel, origin, { proxy: { origin: url } }));
            assert.match(message, /^The proxy https:\S+ cannot be reached: its certificate/u);
          }),
        ),
      );
    });

    it('sends user and password to the proxy, and says who asks for them', async () => {
      const credentials = 'ann:p@ss/w:rd#1';
      const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
      const through = (proxy: ConnectProxy, more: object, origin: string): Promise<string> =>
        open(channel, origin, { ...trusting, proxy: { origin: proxy.url, ...more } });
      await servingTls(channel, issued, (origin) =>
        withProxy(
          async (proxy) => {
            await through(proxy, { authorization }, origin);
            const without = await failure(through(proxy, {}, origin));
            assert.match(without, /^The proxy http:\S+ asks for user and password \(HTTP 407/u);
            const wrong = await failure(through(proxy, { authorization: 'Basic eDp5' }, origin));
            assert.match(wrong, /does not accept user and password of "proxy" \(HTTP 407/u);
            assert.ok(!wrong.includes('eDp5'));
          },
          { credentials },
        ),
      );
    });

    it('says what a proxy says that does not want to, and that one is not there', async () => {
      await serving(channel, async (port) => {
        const origin = `127.0.0.1:${port}`;
        const refusal = async (options: ProxyOptions): Promise<string> => {
          let message = '';
          await withProxy(async (proxy) => {
            const settings = { proxy: { origin: proxy.url } };
            message = await failure(open(channel, origin, settings, true));
          }, options);
          return message;
        };
        const refused = await refusal({ refuses: 403 });
        assert.match(refused, /does not connect to 127\.0\.0\.1:\d+ \(HTTP 403/u);
        const asking = await refusal({ credentials: 'a:b', scheme: 'Negotiate' });
        assert.match(asking, /asks for Negotiate \(HTTP 407/u);
        for (const isSecure of [true, false]) {
          const proxy = { origin: 'http://127.0.0.1:1' };
          const gone = await failure(open(channel, origin, { proxy }, isSecure));
          assert.match(gone, /^The proxy http:\S+ cannot be reached: nothing listens/u);
        }
      });
    });

    it('shows a certificate of its own to a server that asks for one', async () => {
      const client = authority.issue('ann');
      const front = { ...issued, clientCa: authority.pem };
      await servingTls(channel, { host: '127.0.0.2', ...front }, async (origin) => {
        const tls = { ca: [authority.pem], client };
        assert.equal(await open(channel, origin, { tls }), channel);
        assert.equal(await open(channel, origin, { tls, proxy: false }), channel);
      });
    });

    it('a certificate that has expired, or is for another host, is refused with its own authority, too', async () => {
      const old = authority.issue('old', { hosts: ['127.0.0.1'], isExpired: true });
      await servingTls(channel, old, async (origin) => {
        for (const settings of [trusting, { ...trusting, proxy: false } as const]) {
          assert.match(await failure(open(channel, origin, settings)), /certificate has expired/u);
        }
        await open(channel, origin, { tls: { isInsecure: true } });
      });
      const other = authority.issue('other', { hosts: ['other.test'] });
      await servingTls(channel, other, async (origin) => {
        const message = await failure(open(channel, origin, trusting));
        assert.match(message, /is not accepted/u);
        await withProxy(async (proxy) => {
          const settings = { ...trusting, proxy: { origin: proxy.url } };
          assert.match(await failure(open(channel, origin, settings)), /is not accepted/u);
        });
      });
    });
  });
}
