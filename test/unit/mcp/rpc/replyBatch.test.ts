import assert from 'node:assert/strict';
import { RpcError } from '../../../../src/mcp/errors.ts';
import type { RequestHandler } from '../../../../src/mcp/rpc/peer.ts';
import { Peer } from '../../../../src/mcp/rpc/rpcPeer.ts';
import { deferred } from '../../../support/deferred.ts';
import { closedAfterTest } from '../../../support/closing.ts';
import { FakeTransport } from '../../../support/fakeTransport.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp(answersBatches: boolean) {
  const transport = new FakeTransport();
  const peer = closedAfterTest(new Peer(transport));
  const roots = deferred<unknown>();
  const handlers = new Map<string, RequestHandler>([
    ['roots/list', () => roots.promise],
    ['now', async () => ({ at: 1 })],
    ['never', () => Promise.reject(new RpcError(-1, 'no'))],
  ]);
  const revision = answersBatches ? '2025-03-26' : '2025-06-18';
  peer.sessionReady({ revision, sendsVersionHeader: false, answersBatches });
  peer.acceptRequests(handlers);
  return { transport, peer, roots, handlers };
}

const id = ({ id: one }: { readonly id?: unknown }): unknown => one;

describe('Batches', () => {
  it('BASE-09: one array answers the requests of one array, once all have been answered', async () => {
    const { transport, roots } = setUp(true);
    transport.pushBatch(
      { id: 'a', method: 'roots/list' },
      { method: 'notifications/message', params: {} },
      { id: 7, method: 'ping' },
      { id: 'b', method: 'now' },
      { id: 'c', method: 'never' },
      { id: 'd', method: 'unknown' },
    );
    await settled();
    assert.deepEqual([transport.sentBatches, transport.sent], [[], []]);
    roots.resolve({ roots: [] });
    await settled();
    const [batch, ...others] = transport.sentBatches;
    assert.deepEqual([others, transport.sent], [[], []]);
    assert.deepEqual(new Set(batch?.map(id)), new Set(['a', 7, 'b', 'c', 'd']));
    assert.deepEqual(
      batch?.find((one) => one.id === 'd'),
      {
        jsonrpc: '2.0',
        id: 'd',
        error: { code: -32601, message: 'Method not found: unknown' },
      },
    );
  });

  it('BASE-09: nothing is sent back for notifications, nor for replies', async () => {
    const { transport, peer } = setUp(true);
    const asked = peer.request('x', {}, { idleMs: 30_000, totalMs: 60_000 });
    transport.pushBatch({ method: 'notifications/message' }, { id: 1, result: 'here' });
    assert.equal(await asked, 'here');
    await settled();
    assert.deepEqual(transport.sentBatches, []);
    assert.deepEqual(transport.replies, []);
  });

  it('CANC-03: a request of a batch that the server cancels has no reply in it', async () => {
    const { transport } = setUp(true);
    transport.pushBatch({ id: 'a', method: 'roots/list' }, { id: 'b', method: 'now' });
    transport.push({ method: 'notifications/cancelled', params: { requestId: 'a' } });
    await settled();
    assert.deepEqual(transport.sentBatches[0]?.map(id), ['b']);
  });

  it('a batch whose every request is cancelled sends nothing', async () => {
    const { transport } = setUp(true);
    transport.pushBatch({ id: 'a', method: 'roots/list' });
    transport.push({ method: 'notifications/cancelled', params: { requestId: 'a' } });
    await settled();
    assert.deepEqual(transport.sentBatches, []);
  });

  it('a second request with the id of the first holds nothing up', async () => {
    const { transport } = setUp(true);
    transport.pushBatch({ id: 'b', method: 'roots/list' }, { id: 'b', method: 'now' });
    transport.push({ method: 'notifications/cancelled', params: { requestId: 'b' } });
    transport.pushBatch({ id: 'b', method: 'now' });
    await settled();
    assert.deepEqual(
      transport.sentBatches.map((batch) => batch.map(id)),
      [['b']],
    );
  });

  it('TRAP-07: what came in an array before the handshake is answered one by one after it', async () => {
    const { transport, peer, handlers } = setUp(true);
    peer.beginSession();
    transport.pushBatch({ id: 1, method: 'now' }, { id: 2, method: 'now' });
    peer.sessionReady({ revision: '2025-03-26', sendsVersionHeader: false, answersBatches: true });
    peer.acceptRequests(handlers);
    await settled();
    assert.deepEqual(transport.replies.map(id), [1, 2]);
    assert.deepEqual(transport.sentBatches, []);
  });

  it('a session that ends takes its batches with it', async () => {
    const { transport, peer, roots } = setUp(true);
    transport.pushBatch({ id: 'a', method: 'roots/list' }, { id: 'b', method: 'now' });
    await settled();
    peer.beginSession();
    roots.resolve({ roots: [] });
    await settled();
    assert.deepEqual(transport.sentBatches, []);
  });

  it('BASE-10, TRAP-07: where the revision has no batches, no array is ever sent', async () => {
    const { transport, roots } = setUp(false);
    roots.resolve({ roots: [] });
    transport.pushBatch({ id: 'a', method: 'roots/list' }, { id: 'b', method: 'now' });
    await settled();
    assert.deepEqual(transport.sentBatches, []);
    assert.deepEqual(new Set(transport.replies.map(id)), new Set(['a', 'b']));
  });
});
