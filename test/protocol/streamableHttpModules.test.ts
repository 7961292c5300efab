/** What the transport makes of Node's modules: TLS, and functions of theirs that an editor has replaced. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isMcpError } from '../../src/mcp/errors.ts';
import { Channel, openChannel } from '../servers/httpChannel.ts';
import { legacyServer } from '../servers/httpScripted.ts';
import { certificate, withTls } from '../servers/tlsFront.ts';
import { closedAfterTest } from '../support/closing.ts';
import { countingRequests, trusting } from '../support/patchedModules.ts';
import { waitUntil } from '../support/waitUntil.ts';

/** Runs `use` on a channel over TLS to a server with a session and a push stream. */
async function overTls(use: (channel: Channel) => Promise<void>): Promise<void> {
  const server = closedAfterTest(
    await legacyServer(
      { GET: (exchange) => exchange.stream() },
      { sessionId: 'session-1234' },
    ).start(),
  );
  await withTls(server.port, async (port) => {
    const url = new URL(`https://127.0.0.1:${port}/mcp?key=secret`);
    const channel = new Channel({ url, headers: {} });
    try {
      await use(channel);
    } finally {
      await channel.transport.close();
    }
  });
}

describe('Streamable HTTP: over TLS', function () {
  this.timeout(30_000);
  it('says when the certificate is not accepted, and sends nothing', async () => {
    await overTls(async (channel) => {
      await assert.rejects(channel.ask('initialize'), (error) => {
        assert.ok(isMcpError(error));
        assert.equal(error.code, 'unreachable');
        assert.match(error.message, /its certificate is not accepted \(self-signed/u);
        assert.ok(!error.message.includes('secret'));
        return true;
      });
      assert.deepEqual(channel.inbound, []);
    });
  });

  it('talks to a server whose certificate is trusted: POST, GET and DELETE', async () => {
    await trusting(certificate, () =>
      overTls(async (channel) => {
        await channel.open();
        await waitUntil('the push stream', () => channel.pushStreams === 1);
        await channel.ask('tools/call');
        assert.deepEqual(channel.order, [1, 2]);
      }),
    );
  });

  it('asks `request` of node:https for every message, also when it was replaced after loading', async () => {
    const calls = await countingRequests('https', () =>
      overTls((channel) => assert.rejects(channel.ask('initialize'))),
    );
    assert.equal(calls, 1);
  });
});

describe('Streamable HTTP: modules that an editor has patched', function () {
  this.timeout(30_000);
  it('asks `request` of node:http for every message, also when it was replaced after loading', async () => {
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
