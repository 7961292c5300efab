import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { delay } from '../../src/base/async.ts';
import { receivedBy, textOf, withTools } from '../support/stdioSession.ts';

const root = { uri: 'file:///work', name: 'work' };

/** Longer than the idle limit of the call that waits for it. */
async function slowRoots() {
  await delay(1_500);
  return [root];
}

describe('Calls over stdio', function () {
  this.timeout(60_000);
  it('BASE-02, BASE-03: every request has an integer id of its own', async () => {
    await withTools(async ({ session }) => {
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => textOf(session, 'echo', { value: `${index}` })),
      );
      const ids = (await receivedBy(session)).flatMap(({ id }) => (id === undefined ? [] : [id]));
      assert.ok(ids.every((id) => Number.isInteger(id)));
      assert.equal(new Set(ids).size, 102);
    });
  });

  it('BASE-12: replies in any order reach their calls', async () => {
    await withTools(async ({ session }) => {
      const texts = await Promise.all(
        Array.from({ length: 10 }, () => textOf(session, 'reversed', { of: 10 })),
      );
      const ids = texts.map(Number);
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
      );
    });
  });

  it('STDIO-03: newlines and any characters survive the way', async () => {
    const value = 'line\nline\r\n\u2028 𝒳 "quoted" \\ tab\t';
    await withTools(async ({ session }) => {
      assert.equal(await textOf(session, 'echo', { value }), value);
    });
  });

  it('STDIO-05: garbage in the middle of a call is noted and nothing more', async () => {
    await withTools(async ({ session, diagnostics }) => {
      assert.equal(await textOf(session, 'garbage'), 'done');
      assert.equal(await textOf(session, 'echo', { value: 'alive' }), 'alive');
      assert.ok(diagnostics.some(({ text }) => text.includes('listening on port 3000')));
    });
  });

  it('a second reply with the same id is discarded', async () => {
    await withTools(async ({ session, diagnostics }) => {
      assert.equal(await textOf(session, 'duplicate'), 'first');
      assert.equal(await textOf(session, 'echo', { value: 'alive' }), 'alive');
      assert.ok(diagnostics.some(({ text }) => /late or second reply/.test(text)));
    });
  });

  it('replies to unknown ids, or to an id as text, are discarded', async () => {
    await withTools(async ({ session, diagnostics }) => {
      assert.equal(await textOf(session, 'stranger'), 'done');
      const texts = diagnostics.map(({ text }) => text);
      assert.ok(texts.some((text) => text.includes('9999, a request that was never sent')));
      assert.ok(texts.some((text) => /"\d+", a request that was never sent/.test(text)));
    });
  });

  it('PING-01: answers pings of the server', async () => {
    await withTools(async ({ session }) => {
      assert.equal(await textOf(session, 'ping'), '{}');
    });
  });

  it('PING-01: and pings the server', async () => {
    await withTools(async ({ session }) => {
      assert.deepEqual(await session.call('ping', {}), {});
    });
  });

  it('ROOT-02: gives roots to a server that asks during a call', async () => {
    await withTools(
      async ({ session }) => {
        assert.equal(await textOf(session, 'roots'), JSON.stringify({ roots: [root] }));
        const [initialize] = await receivedBy(session);
        assert.deepEqual(initialize?.params?.['capabilities'], { roots: { listChanged: true } });
      },
      { features: { listRoots: async () => [root] } },
    );
  });

  it('CAP-05: -32601 for roots that were not declared', async () => {
    await withTools(async ({ session }) => {
      assert.match(await textOf(session, 'roots'), /"code":-32601/);
    });
  });

  it('TIME-04: while we answer the server, its call does not time out', async () => {
    await withTools(
      async ({ session }) => {
        const times = { idleMs: 700, totalMs: 30_000 };
        assert.match(await textOf(session, 'roots', {}, { times }), /file:/);
      },
      { features: { listRoots: slowRoots } },
    );
  });

  it('ROOT-04: announces changed roots', async () => {
    await withTools(
      async ({ session }) => {
        session.rootsChanged?.();
        const methods = (await receivedBy(session)).map(({ method }) => method);
        assert.ok(methods.includes('notifications/roots/list_changed'));
      },
      { features: { listRoots: async () => [root] } },
    );
  });

  it('LOG-01, RES-07: level and subscriptions arrive', async () => {
    await withTools(async ({ session }) => {
      await session.setLogLevel('notice');
      await session.watch(['a:1']);
      await session.watch([]);
      const sent = (await receivedBy(session)).slice(2, 5);
      assert.deepEqual(
        sent.map(({ method, params }) => [method, params]),
        [
          ['logging/setLevel', { level: 'notice' }],
          ['resources/subscribe', { uri: 'a:1' }],
          ['resources/unsubscribe', { uri: 'a:1' }],
        ],
      );
    });
  });
});
