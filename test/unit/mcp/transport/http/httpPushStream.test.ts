import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { HttpEndpoint } from '../../../../../src/mcp/transport/http/httpExchange.ts';
import { defaultHttpLimits } from '../../../../../src/mcp/transport/limits.ts';
import { PushStream } from '../../../../../src/mcp/transport/http/httpPushStream.ts';
import { HttpSession } from '../../../../../src/mcp/transport/http/httpSession.ts';
import { delayBefore, StreamPosition } from '../../../../../src/mcp/transport/http/sseStream.ts';
import { HttpScripted } from '../../../../servers/httpScripted.ts';
import { turns } from '../../../../support/waitUntil.ts';

/** Without timers, which the tests turn by hand. */
async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 8_000;
  while (!isTrue() && performance.now() < end) {
    await turns();
  }
}

const after = (failures: number, position: { retryMs?: number; putOffMs?: number } = {}): number =>
  delayBefore(Object.assign(new StreamPosition(), position), failures, defaultHttpLimits);

describe('delayBefore', () => {
  it('HTTP-13: grows from failure to failure, up to 30 s', () => {
    const first = after(0);
    assert.deepEqual([after(1), after(2), after(3)], [2 * first, 4 * first, 8 * first]);
    assert.equal(after(20), 30_000);
  });

  it('HTTP-18: is what the server names, which makes fruitless attempts no more frequent', () => {
    assert.equal(after(0, { retryMs: 100 }), 100);
    assert.equal(after(0, { retryMs: 0 }), 50);
    assert.equal(after(3, { retryMs: 100 }), after(3));
    assert.equal(after(3, { retryMs: 60_000 }), 60_000);
    assert.equal(after(0, { putOffMs: 90_000 }), 90_000);
  });
});

describe('PushStream', () => {
  for (const [what, wish, afterMs] of [
    ['as late as the server wishes', '599', 599_000],
    ['after 10 minutes, where the server wishes for a later time', '86400', 600_000],
  ] as const) {
    it(`is opened again ${what}`, async () => {
      const server = await new HttpScripted((exchange) => {
        if (exchange.received.verb === 'DELETE') {
          exchange.answer(204);
        } else if (server.of('GET').length === 1) {
          exchange.answer(503, 'busy', { 'retry-after': wish });
        } else {
          exchange.stream();
        }
      }).start();
      const endpoint = new HttpEndpoint(server.url(), 1_000);
      const session = new HttpSession({});
      const notes: string[] = [];
      let openings = 0;
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        const stream = new PushStream(
          {
            endpoint,
            session,
            limits: defaultHttpLimits,
            endIfLost: async () => false,
            diagnose: (_level, text) => notes.push(text),
          },
          {
            onData: () => undefined,
            onOpen: () => {
              openings += 1;
            },
          },
        );
        const ended = stream.run();
        await until(() => notes.length === 1);
        assert.match(notes[0] ?? '', /asks us to wait \d+ s/u);
        await turns();
        mock.timers.tick(afterMs - 1);
        // What would have been sent before this has arrived before its answer.
        (await endpoint.exchange({ method: 'DELETE', headers: {} })).resume();
        assert.equal(server.of('GET').length, 1);
        mock.timers.tick(1);
        await until(() => openings === 1);
        assert.equal(server.of('GET').length, 2);
        session.end();
        endpoint.close();
        await ended;
      } finally {
        mock.timers.reset();
        endpoint.close();
        await server.close();
      }
    });
  }

  it('HTTP-13: one that ends without an event is opened at growing intervals', async () => {
    const openedAt: number[] = [];
    const server = await new HttpScripted((exchange) => {
      openedAt.push(performance.now());
      exchange.stream().end();
    }).start();
    const endpoint = new HttpEndpoint(server.url(), 1_000);
    const session = new HttpSession({});
    const limits = { ...defaultHttpLimits, firstDelayMs: 20 };
    const ended = new PushStream(
      { endpoint, session, limits, endIfLost: async () => false, diagnose: () => undefined },
      { onData: () => undefined, onOpen: () => undefined },
    ).run();
    try {
      await until(() => openedAt.length === 5);
      const [first = 0, , , , last = 0] = openedAt;
      assert.ok(last - first >= 290, openedAt.join()); // 20 + 40 + 80 + 160
    } finally {
      session.end();
      endpoint.close();
      await ended;
      await server.close();
    }
  });
});
