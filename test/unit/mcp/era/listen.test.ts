import assert from 'node:assert/strict';
import type { Channel, ClientOptions, ServerChange } from '../../../../src/mcp/session/session.ts';
import { RpcError } from '../../../../src/mcp/errors.ts';
import type { RequestId } from '../../../../src/mcp/types/message.ts';
import { type FakeTransport, noReply } from '../../../support/fakeTransport.ts';
import { hello, pipe } from '../../../support/hello.ts';
import { expectNoListeners } from '../../../support/leaks.ts';
import { http, openedModern, subscriptionKey } from '../../../support/modernSession.ts';
import { withTimeJumps } from '../../../support/timeJump.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

const everything = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
};

class Listened {
  readonly transport: FakeTransport;
  readonly changes: ServerChange[] = [];
  readonly notes: string[] = [];
  readonly #tags: boolean;

  constructor(transport: FakeTransport, tags: boolean) {
    this.transport = transport;
    this.#tags = tags;
  }

  get listens() {
    return this.transport.sentOf('subscriptions/listen');
  }

  get id(): RequestId {
    return this.listens.at(-1)?.id ?? 'none';
  }

  filter(index = -1): unknown {
    return this.listens.at(index)?.params?.['notifications'];
  }

  say(method: string, params: object = {}, id = this.id): void {
    const meta = { [subscriptionKey]: id };
    this.transport.push(
      { method, params: this.#tags ? { ...params, _meta: meta } : params },
      this.#tags ? undefined : id,
    );
  }

  acknowledge(notifications: unknown = this.filter(), id = this.id): void {
    this.say('notifications/subscriptions/acknowledged', { notifications }, id);
  }

  /** Ends it as a server does that goes down in good order. */
  end(id = this.id): void {
    this.transport.push({
      id,
      result: { resultType: 'complete', _meta: { [subscriptionKey]: id } },
    });
  }
}

async function opened(
  capabilities: object = everything,
  channel: Channel = pipe,
  greeting: Partial<ClientOptions> = {},
) {
  const { transport, session } = await openedModern({ capabilities }, greeting, channel);
  const feed = new Listened(transport, channel === pipe);
  session.onDidChange((change) => feed.changes.push(change));
  session.onDidDiagnose(({ text }) => feed.notes.push(text));
  return { transport, session, feed };
}

const pause = { what: 'the next subscription', limitMs: 10_000 };
const relisted = (feed: Listened, count: number): Promise<void> =>
  waitUntil(pause.what, () => feed.listens.length === count, pause.limitMs);

describe('subscriptions/listen', () => {
  for (const channel of [pipe, http]) {
    it(`SUB-01, SUB-05: asks for what is declared and hands on what comes (${channel.label})`, async () => {
      const { session, feed } = await opened(everything, channel);
      assert.deepEqual(feed.filter(), {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
      });
      feed.acknowledge();
      feed.say('notifications/tools/list_changed');
      feed.say('notifications/prompts/list_changed');
      feed.say('notifications/resources/list_changed');
      assert.deepEqual(feed.changes, [
        { kind: 'tools' },
        { kind: 'prompts' },
        { kind: 'resources' },
      ]);
      await session.close();
      expectNoListeners(feed.transport);
    });
  }

  it('SUB-01: asks for nothing where nothing is declared', async () => {
    const { session, feed } = await opened({ tools: {}, resources: {} });
    await session.watch(['a:1']);
    assert.deepEqual(feed.listens, []);
  });

  it('SUB-02: what was not subscribed to, and what belongs to no subscription, is dropped', async () => {
    const { feed } = await opened({ tools: { listChanged: true } });
    feed.acknowledge();
    feed.say('notifications/prompts/list_changed');
    feed.say('notifications/tools/list_changed', {}, 99);
    feed.transport.push({ method: 'notifications/tools/list_changed' });
    feed.say('notifications/resources/updated', { uri: 'a:1' });
    assert.deepEqual(feed.changes, []);
    assert.equal(feed.notes.length, 3);
  });

  it('SUB-03, SUB-12: lists that were read before the acknowledgement are announced with it', async () => {
    const { transport, session, feed } = await opened();
    transport.respond('tools/list', () => ({ tools: [] }));
    await session.call('tools/list', {});
    feed.acknowledge();
    feed.acknowledge();
    assert.deepEqual(feed.changes, [{ kind: 'tools' }]);
  });

  it('SUB-04: says what the server does not grant', async () => {
    const { feed } = await opened();
    feed.acknowledge({ toolsListChanged: true });
    assert.deepEqual(feed.notes, [
      'The server does not report changes of promptsListChanged, resourcesListChanged',
    ]);
  });

  it('SUB-08, SUB-07: another set of resources is a new subscription, then the end of the old one', async () => {
    const { transport, session, feed } = await opened();
    feed.acknowledge();
    const old = feed.id;
    const watching = session.watch(['a:1', 'a:2']);
    await turns();
    assert.deepEqual(feed.filter(), {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ['a:1', 'a:2'],
    });
    assert.deepEqual(transport.sentOf('notifications/cancelled'), []);
    feed.say('notifications/tools/list_changed', {}, old);
    feed.acknowledge();
    await watching;
    assert.equal(transport.sentOf('notifications/cancelled')[0]?.params?.['requestId'], old);
    feed.say('notifications/tools/list_changed', {}, old);
    feed.say('notifications/resources/updated', { uri: 'a:1/part' });
    assert.deepEqual(feed.changes, [{ kind: 'tools' }, { kind: 'resource', uri: 'a:1/part' }]);
    await session.watch(['a:1', 'a:2']);
    assert.equal(feed.listens.length, 2);
  });

  it('SUB-07, SUB-08: over HTTP the old one ends by closing its stream, once what was on its way has come', async () => {
    await withTimeJumps(async (pass) => {
      const { transport, session, feed } = await opened(everything, http);
      transport.cancelsByClosing = true;
      feed.acknowledge();
      const old = feed.id;
      const areClosed = () =>
        [1, 2, 3].map((index) => transport.sendOptions[index]?.signal?.aborted);
      const watch = async (uri: string): Promise<void> => {
        const watching = session.watch([uri]);
        await turns();
        feed.acknowledge();
        await watching;
      };
      await watch('a:1');
      feed.say('notifications/tools/list_changed', {}, old);
      assert.deepEqual(feed.changes, [{ kind: 'tools' }]);
      assert.deepEqual(areClosed(), [false, false, undefined]);
      await watch('a:2');
      assert.deepEqual(areClosed(), [true, false, false], 'no more than one is waited for');
      pass(1_000);
      assert.deepEqual(areClosed(), [true, true, false]);
      assert.deepEqual(transport.sentOf('notifications/cancelled'), []);
      await session.close();
    });
  });

  it('SUB-09: over HTTP one that ends is opened again, though the one before it is still heard', async () => {
    const { session, feed } = await opened(everything, http);
    feed.acknowledge();
    const watching = session.watch(['a:1']);
    await turns();
    feed.acknowledge();
    await watching;
    feed.end();
    await relisted(feed, 3);
    await session.close();
  });

  it('SUB-08: over HTTP one that ends while the next is opened, or heard, is followed by no other', async () => {
    await withTimeJumps(async (pass) => {
      const { session, feed } = await opened(everything, http);
      for (const isAcknowledged of [true, false]) {
        const { length } = feed.listens;
        feed.acknowledge();
        const old = feed.id;
        const watching = session.watch([`a:${length}`]);
        await turns();
        if (isAcknowledged) {
          feed.acknowledge();
          await watching;
        }
        feed.end(old);
        await turns();
        pass(2_000);
        await turns();
        feed.acknowledge();
        await watching;
        await turns();
        assert.equal(feed.listens.length, length + 1);
      }
      await session.close();
    });
  });

  it('SUB-10: an error in place of the acknowledgement is no last word', async () => {
    await withTimeJumps(async (pass) => {
      const { feed } = await opened();
      feed.transport.push({ id: feed.id, error: { code: -32603, message: 'not yet' } });
      await turns();
      pass(1_250);
      await turns();
      assert.equal(feed.listens.length, 2);
    });
  });

  it('watching nothing any more ends a subscription to resources alone', async () => {
    const { transport, session, feed } = await opened({ resources: { subscribe: true } });
    assert.deepEqual(feed.listens, []);
    const watching = session.watch(['a:1']);
    await turns();
    feed.acknowledge();
    await watching;
    await session.watch([]);
    assert.equal(feed.listens.length, 1);
    assert.equal(transport.sentOf('notifications/cancelled').length, 1);
  });

  for (const [how, end] of [
    ['a result', (feed: Listened) => feed.end()],
    [
      'a cancellation',
      (feed: Listened) =>
        feed.transport.push({
          method: 'notifications/cancelled',
          params: { requestId: feed.id },
        }),
    ],
    [
      'an error',
      (feed: Listened) =>
        feed.transport.push({ id: feed.id, error: { code: -32603, message: 'going down' } }),
    ],
    [
      'both a cancellation and a result',
      (feed: Listened) => {
        const { id } = feed;
        feed.transport.push({ method: 'notifications/cancelled', params: { requestId: id } });
        feed.end(id);
      },
    ],
  ] as const) {
    it(`SUB-09, SUB-10, SUB-12: ended by ${how}, it is opened again, and everything is announced`, async () => {
      const { transport, session, feed } = await opened();
      const watching = session.watch(['a:1']);
      feed.acknowledge();
      await turns();
      feed.acknowledge();
      await watching;
      feed.changes.length = 0;
      const { id } = feed;
      end(feed);
      await relisted(feed, 3);
      const cancelled = transport.sentOf('notifications/cancelled');
      assert.ok(
        cancelled.every(({ params }) => params?.['requestId'] !== id),
        'CAN-04: what has ended is not cancelled',
      );
      assert.deepEqual(feed.filter(), feed.filter(-2));
      assert.deepEqual(feed.changes, []);
      feed.acknowledge();
      assert.deepEqual(feed.changes, [
        { kind: 'tools' },
        { kind: 'prompts' },
        { kind: 'resources' },
        { kind: 'resource', uri: 'a:1' },
      ]);
      assert.equal(transport.isClosed, false);
    });
  }

  it('SUB-10: the pauses between subscriptions double up to a minute while none lasts', async () => {
    await withTimeJumps(async (pass) => {
      const { feed } = await opened();
      for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
        const { length } = feed.listens;
        feed.acknowledge();
        feed.end();
        await turns();
        pass(seconds * 750 - 50);
        await turns();
        assert.equal(feed.listens.length, length, `before ${seconds} s`);
        pass(seconds * 500 + 100);
        await turns();
        assert.equal(feed.listens.length, length + 1, `after ${seconds} s`);
      }
      feed.acknowledge();
      await turns();
      pass(61_000);
      feed.end();
      await turns();
      pass(1_250);
      await turns();
      assert.equal(feed.listens.length, 10, 'one that lasted begins anew');
    });
  });

  it('CAN-11: a cancellation that names no subscription is ignored', async () => {
    const { feed } = await opened();
    feed.acknowledge();
    feed.transport.push({ method: 'notifications/cancelled', params: { requestId: 77 } });
    feed.transport.push({ method: 'notifications/cancelled' });
    feed.say('notifications/tools/list_changed');
    assert.deepEqual(feed.changes, [{ kind: 'tools' }]);
  });

  it('SUB-13: the limit of time guards the acknowledgement, and nothing after it', async () => {
    const times = { idleMs: 50, totalMs: 50 };
    const { transport, session, feed } = await opened(everything, pipe, { times });
    feed.acknowledge();
    transport.respond('tools/list', () => noReply);
    await assert.rejects(session.call('tools/list', {}), { code: 'timeout' });
    feed.say('notifications/tools/list_changed');
    assert.deepEqual(feed.changes.at(-1), { kind: 'tools' });
    assert.equal(feed.listens.length, 1);
  });

  it('SUB-11: a server that was started again is listened to anew', async () => {
    for (const start of ['first', 'second']) {
      const { transport, session } = await openedModern({ capabilities: everything });
      assert.equal(transport.sentOf('subscriptions/listen').length, 1, start);
      await session.close();
    }
  });

  it('SUB-13, SUB-10: without an acknowledgement it is given up, and tried again later', async () => {
    const times = { ...hello().times, idleMs: 50 };
    const { transport, feed } = await opened(everything, pipe, { times });
    await relisted(feed, 2);
    assert.equal(transport.sentOf('notifications/cancelled').length, 1);
  });

  it('a server that does not know the method is not asked again', async () => {
    const { transport, session } = await openedModern();
    await session.close();
    const other = await opened({ tools: { listChanged: true } });
    other.transport.push({
      id: other.feed.id,
      error: { code: -32601, message: 'Method not found' },
    });
    await turns();
    assert.deepEqual(other.feed.notes, ['The server does not report changes: Method not found']);
    await other.session.watch(['a:1']);
    assert.equal(other.feed.listens.length, 1);
    await other.session.close();
    assert.equal(transport.isClosed, true);
  });

  it('a subscription to resources that is refused is told to who watches', async () => {
    const { transport, session } = await opened({ resources: { subscribe: true } });
    transport.respond('subscriptions/listen', () => {
      throw new RpcError(-32603, 'limit reached');
    });
    await assert.rejects(session.watch(['a:1']), { rpcCode: -32603 });
  });

  it('CACHE-11: a change makes what is kept stale', async () => {
    const { transport, session, feed } = await opened();
    feed.acknowledge();
    transport.respond('tools/list', () => ({ tools: [], ttlMs: 60_000 }));
    await session.call('tools/list', {});
    feed.say('notifications/tools/list_changed');
    await session.call('tools/list', {});
    assert.equal(transport.sentOf('tools/list').length, 2);
  });
});
