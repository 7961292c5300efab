/** Servers that put a request off: 429 and 503 with `Retry-After`, in answer to calls. */
import assert from 'node:assert/strict';
import { delay } from '../../src/base/async.ts';
import { Peer } from '../../src/mcp/rpc/rpcPeer.ts';
import { ModernHttpTransport } from '../../src/mcp/transport/http/modernHttp.ts';
import { StreamableHttpTransport } from '../../src/mcp/transport/http/streamableHttp.ts';
import { openChannel } from '../servers/httpChannel.ts';
import { HttpScripted } from '../servers/httpScripted.ts';
import { withTimeJumps } from '../support/timeJump.ts';
import { waitUntil } from '../support/waitUntil.ts';

const never = new AbortController().signal;
const patient = { idleMs: 30_000, totalMs: 60_000 };

type Refusal = readonly [status: number, retryAfter?: string];

/** A server that answers with these, then with a result, and what is noted of it. */
async function openPeer(Http: typeof StreamableHttpTransport, ...refusals: readonly Refusal[]) {
  const left = [...refusals];
  const server = new HttpScripted((exchange) => {
    const [status, retryAfter] = left.shift() ?? [];
    if (status === undefined) {
      exchange.json(exchange.resultOf({ done: true }));
    } else {
      exchange.answer(
        status,
        'busy',
        retryAfter === undefined ? {} : { 'retry-after': retryAfter },
      );
    }
  });
  const { transport } = await openChannel(server, {}, Http);
  const peer = new Peer(transport);
  const log: string[] = [];
  peer.onDidDiagnose(({ text }) => log.push(text));
  const call = (signal = never): Promise<unknown> =>
    peer.request('tools/call', { name: 'x' }, { ...patient, signal });
  const waits = (count: number): Promise<void> =>
    waitUntil('the wait', () => log.filter((text) => /busy/.test(text)).length === count);
  return { peer, server, log, call, waits };
}

for (const [name, Http] of [
  ['Streamable HTTP of the handshake', StreamableHttpTransport],
  ['Streamable HTTP of 2026-07-28', ModernHttpTransport],
] as const) {
  describe(`a server that is busy: ${name}`, () => {
    for (const [what, retryAfter] of [
      ['after the time', () => '10'],
      ['at the date', () => new Date(Date.now() + 10_000).toUTCString()],
    ] as const) {
      it(`is asked again ${what} that it named, twice at most, and not sooner`, () =>
        withTimeJumps(async (pass) => {
          const wish = retryAfter();
          const { server, log, call, waits } = await openPeer(Http, [429, wish], [503, wish]);
          const done = call();
          for (const asked of [1, 2]) {
            await waits(asked);
            pass(5_000);
            await delay(50); // for what would be sent too soon
            assert.equal(server.received.length, asked);
            pass(5_000);
          }
          assert.deepEqual(await done, { done: true });
          assert.match(log.join(), /busy: it asks us to wait \d+ s/);
        }));
    }

    it('that stays busy fails the call, with the time in words, and no other call', () =>
      withTimeJumps(async (pass) => {
        const { server, call, waits } = await openPeer(Http, [429, '5'], [429, '5'], [429, '5']);
        const failed = assert.rejects(call(), {
          status: 429,
          message: /HTTP 429.*tried again in 5 s/,
        });
        for (const asked of [1, 2]) {
          await waits(asked);
          pass(5_000);
        }
        await failed;
        assert.equal(server.received.length, 3);
        assert.deepEqual(await call(), { done: true });
      }));

    it('without a time, or with one that is too long for anybody to wait, fails the call at once', async () => {
      const { server, call } = await openPeer(Http, [500, '1'], [503], [429, '3600']);
      await assert.rejects(call(), { status: 500 }); // it may have taken effect
      await assert.rejects(call(), { status: 503 });
      await assert.rejects(call(), { status: 429, message: /tried again in 3600 s/ });
      assert.equal(server.received.length, 3);
    });

    it('is not asked again by a call that was given up, or after the end', async () => {
      // A cancellation that is sent is put off, too.
      const { peer, call, waits } = await openPeer(Http, [429, '20'], [429, '20'], [429, '20']);
      const giveUp = new AbortController();
      const given = assert.rejects(call(giveUp.signal), { code: 'cancelled' });
      await waits(1);
      giveUp.abort();
      await given;
      const closed = assert.rejects(call(), { code: 'closed' });
      await waits(Http === ModernHttpTransport ? 2 : 3);
      await peer.close();
      await closed;
    });
  });
}
