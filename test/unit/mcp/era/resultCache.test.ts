import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event.ts';
import { ResultCache } from '../../../../src/mcp/era/resultCache.ts';
import { ServerMemory } from '../../../../src/host/servers/serverMemory.ts';
import { RpcError } from '../../../../src/mcp/errors.ts';
import { listAll } from '../../../../src/mcp/client/listing.ts';
import { http, openedModern } from '../../../support/modernSession.ts';

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

const read = (meta: object): object => ({ uri: 'a:1', _meta: meta });

function setUp() {
  const time = { ms: 1_000 };
  const cache = new ResultCache(new ServerMemory().open(), () => time.ms);
  const put = (method: string, params: object, hints: object = { ttlMs: 100 }): object => {
    const result = { ...hints, of: params };
    cache.expect(method, params)(result);
    return result;
  };
  return { time, cache, put };
}

describe('ResultCache', () => {
  it('CACHE-03: an answer holds from its receipt on for as long as it says', () => {
    const { time, cache, put } = setUp();
    const result = put('tools/list', {});
    time.ms += 99;
    assert.equal(cache.get('tools/list', {}), result);
    time.ms += 1;
    assert.equal(cache.get('tools/list', {}), undefined);
  });

  for (const ttlMs of [0, -1, undefined, '100', Number.NaN]) {
    it(`CACHE-03: a ttlMs of ${String(ttlMs)} keeps nothing`, () => {
      const { cache, put } = setUp();
      put('tools/list', {}, { ttlMs });
      assert.equal(cache.get('tools/list', {}), undefined);
    });
  }

  it('keeps no more than the server may have of memory, the oldest answer goes first', () => {
    const { cache, put } = setUp();
    const hints = { ttlMs: 100, text: 'x'.repeat(50_000_000) };
    for (const uri of ['a:1', 'a:2', 'a:2', 'a:3']) {
      put('resources/read', { uri }, hints);
    }
    const kept = (): unknown[] =>
      ['a:1', 'a:2', 'a:3'].filter((uri) => cache.get('resources/read', { uri }) !== undefined);
    assert.deepEqual(kept(), ['a:2', 'a:3']);
    put('resources/read', { uri: 'a:1' }, { ttlMs: 100, text: 'x'.repeat(140_000_000) });
    assert.deepEqual(kept(), ['a:2', 'a:3']);
    cache.clear();
    put('resources/read', { uri: 'a:1' }, hints);
    put('resources/read', { uri: 'a:2' }, hints);
    assert.deepEqual(kept(), ['a:1', 'a:2']);
  });

  it('CACHE-02: only the same request with the same parameters is answered', () => {
    const { cache, put } = setUp();
    const result = put('resources/read', { uri: 'a:1' });
    assert.equal(cache.get('resources/read', { uri: 'a:1' }), result);
    assert.equal(cache.get('resources/read', { uri: 'a:2' }), undefined);
    assert.equal(cache.get('resources/list', { uri: 'a:1' }), undefined);
    assert.equal(cache.get('resources/list', {}), undefined);
  });

  it('CACHE-02: the trace that a request belongs to makes it no other request', () => {
    const { cache, put } = setUp();
    const result = put('resources/read', read({ traceparent: '1', tracestate: '2', baggage: '3' }));
    assert.equal(cache.get('resources/read', read({ traceparent: '4' })), result);
    assert.equal(cache.get('resources/read', { uri: 'a:1' }), result);
    assert.equal(cache.get('resources/read', read({ 'example.com/who': 1 })), undefined);
  });

  it('CACHE-01: keeps nothing of other methods', () => {
    const { cache, put } = setUp();
    put('tools/call', { name: 'x' });
    put('prompts/get', { name: 'x' });
    assert.equal(cache.get('tools/call', { name: 'x' }), undefined);
    assert.equal(cache.get('prompts/get', { name: 'x' }), undefined);
  });

  it('CACHE-13: caps what the server says at a day', () => {
    const { time, cache, put } = setUp();
    put('tools/list', {}, { ttlMs: 1e12 });
    time.ms += 24 * 60 * 60 * 1_000;
    assert.equal(cache.get('tools/list', {}), undefined);
  });

  it('CACHE-11, RES-08: a change makes every answer stale', () => {
    const { cache, put } = setUp();
    put('tools/list', {});
    put('resources/read', { uri: 'a:1' });
    cache.clear();
    assert.equal(cache.get('tools/list', {}), undefined);
    assert.equal(cache.get('resources/read', { uri: 'a:1' }), undefined);
  });

  it('CACHE-11: an answer that was under way when a change was announced is not kept', () => {
    const { cache } = setUp();
    const store = cache.expect('tools/list', {});
    cache.clear();
    store({ ttlMs: 100 });
    assert.equal(cache.get('tools/list', {}), undefined);
  });
});

describe('a modern session and its cache', () => {
  it('CACHE-04: asks once while the answer holds, and again when told to', async () => {
    const { transport, session } = await openedModern();
    transport.respond('tools/list', () => ({ tools: [], ttlMs: 60_000 }));
    await session.call('tools/list', {});
    await session.call('tools/list', {});
    assert.equal(transport.sentOf('tools/list').length, 1);
    await listAll(session, 'tools', { isFresh: true });
    assert.equal(transport.sentOf('tools/list').length, 2);
  });

  it('CACHE-08: nothing is served across a change of the token', async () => {
    const changed = new Emitter<void>();
    const channel = { ...http, onDidChangeAuthorization: changed.event };
    const { transport, session } = await openedModern({}, {}, channel);
    transport.respond('tools/list', () => ({ tools: [], ttlMs: 60_000, cacheScope: 'public' }));
    await session.call('tools/list', {});
    changed.fire();
    await session.call('tools/list', {});
    assert.equal(transport.sentOf('tools/list').length, 2);
    await session.close();
    assert.equal(changed.hasListeners, false);
  });

  it('MRTR-18: keeps nothing that took several round trips', async () => {
    const { transport, session } = await openedModern();
    transport.respond('resources/read', ({ requestState }) =>
      requestState === undefined
        ? { resultType: 'input_required', requestState: 's' }
        : { contents: [], ttlMs: 60_000 },
    );
    await session.call('resources/read', { uri: 'a:1' });
    await session.call('resources/read', { uri: 'a:1' });
    assert.equal(transport.sentOf('resources/read').length, 4);
  });

  it('CACHE-12, PAG-04: a refused cursor makes every page stale', async () => {
    const { transport, session } = await openedModern();
    transport.respond('tools/list', ({ cursor }) => {
      if (cursor !== undefined) {
        throw new RpcError(-32602, 'no such cursor');
      }
      return { tools: [], nextCursor: 'x', ttlMs: 60_000 };
    });
    await session.call('tools/list', {});
    await assert.rejects(session.call('tools/list', { cursor: 'x' }), { rpcCode: -32602 });
    await session.call('tools/list', {});
    assert.equal(transport.sentOf('tools/list').length, 3);
  });

  it('PAG-01, PAG-05: the empty string is a cursor, and one that leads back ends the list', async () => {
    const { transport, session } = await openedModern();
    transport.respond('tools/list', ({ cursor }) =>
      cursor === undefined ? { tools: [tool('a')], nextCursor: '' } : { tools: [tool('b')] },
    );
    const { items, truncated } = await listAll(session, 'tools');
    assert.deepEqual([items.map(({ name }) => name), truncated], [['a', 'b'], undefined]);
    transport.respond('tools/list', () => ({ tools: [tool('a')], nextCursor: '' }));
    assert.match((await listAll(session, 'tools')).truncated ?? '', /points back/u);
  });

  it('CACHE-03: a list holds as long as its shortest page', async () => {
    const { transport, session } = await openedModern();
    transport.respond('tools/list', ({ cursor }) =>
      cursor === undefined
        ? { tools: [], nextCursor: 'x', ttlMs: 9_000 }
        : { tools: [], ttlMs: 50 },
    );
    transport.respond('prompts/list', () => ({ prompts: [], ttlMs: -5 }));
    transport.respond('resources/list', () => ({ resources: [], ttlMs: 'long' }));
    assert.equal((await listAll(session, 'tools')).holdsForMs, 50);
    assert.equal((await listAll(session, 'prompts')).holdsForMs, 0);
    assert.equal((await listAll(session, 'resources')).holdsForMs, undefined);
  });
});
