import assert from 'node:assert/strict';
import {
  type Progress,
  type RequestOptions,
  longestRunMs,
  prolonged,
} from '../../../../src/mcp/rpc/peer.ts';
import { Peer } from '../../../../src/mcp/rpc/rpcPeer.ts';
import { closedAfterTest } from '../../../support/closing.ts';
import { FakeTransport } from '../../../support/fakeTransport.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const patient: RequestOptions = { idleMs: 30_000, totalMs: 60_000 };

function setUp() {
  const transport = new FakeTransport();
  const peer = closedAfterTest(new Peer(transport));
  return {
    transport,
    peer,
    running: () => [...peer.inFlight.running()].toSorted((a, b) => a.startedAt - b.startedAt),
  };
}

describe('RpcPeer: requests in flight', () => {
  it('shows what waits for a reply, and nothing that was answered', async () => {
    const { transport, peer, running } = setUp();
    transport.respond('quick', () => ({}));
    const origin = { kind: 'chat' };
    const calls = Promise.allSettled([
      peer.request('a', { name: 'one' }, { ...patient, origin }),
      peer.request('b', undefined, patient),
    ]);
    await peer.request('quick', {}, patient);
    const [first, second, ...others] = running();
    assert.deepEqual(others, []);
    assert.equal(first?.method, 'a');
    assert.deepEqual(first.params, { name: 'one' });
    assert.equal(first.origin, origin);
    assert.equal(first.isTask, false);
    assert.equal(second?.method, 'b');
    assert.ok(first.startedAt <= second.startedAt && second.startedAt <= performance.now());
    assert.equal(running()[0]?.key, first.key);
    await peer.close();
    assert.deepEqual(running(), []);
    await calls;
  });

  it('CANC-02: what must not be cancelled alone is not among them', async () => {
    const { peer, running } = setUp();
    const call = peer.request('initialize', {}, { ...patient, isCancellable: false });
    assert.deepEqual(running(), []);
    await peer.close();
    await assert.rejects(call);
  });

  it('keeps the last progress, and with it the time left', async () => {
    const { transport, peer, running } = setUp();
    const heard: Progress[] = [];
    const onProgress = (progress: Progress): number => heard.push(progress);
    const call = peer.request('a', {}, { ...patient, onProgress });
    assert.equal(running()[0]?.progress, undefined);
    const before = running()[0]?.dueAt ?? 0;
    await waitUntil('the clock to go on', () => performance.now() > before - 30_000 + 2);
    const params = { progressToken: 1, progress: 3, total: 10, message: 'third' };
    transport.push({ method: 'notifications/progress', params });
    const after = running()[0];
    assert.deepEqual(after?.progress, { progress: 3, total: 10, message: 'third' });
    assert.ok(after.dueAt > before);
    await peer.close();
    await assert.rejects(call);
  });

  it('CANC-01, CANC-06: cancelling one tells the server, once, and the caller who did it', async () => {
    const { transport, peer, running } = setUp();
    const call = assert.rejects(peer.request('tools/call', {}, patient), {
      code: 'cancelled',
      message: '"tools/call" was cancelled by the user',
    });
    const [request] = running();
    request?.cancel();
    request?.cancel();
    await call;
    assert.deepEqual(
      transport.sentOf('notifications/cancelled').map(({ params }) => params?.['requestId']),
      [1],
    );
    assert.deepEqual(running(), []);
  });

  it('CAN-03: where closing the exchange cancels, nothing else is sent', async () => {
    const { transport, peer, running } = setUp();
    transport.cancelsByClosing = true;
    const call = assert.rejects(peer.request('tools/call', {}, patient), { code: 'cancelled' });
    running()[0]?.cancel();
    await call;
    assert.deepEqual(transport.sentOf('notifications/cancelled'), []);
    assert.equal(transport.sendOptions[0]?.signal?.aborted, true);
  });

  it('TIME-02: who keeps waiting starts the limits afresh', async () => {
    const { transport, peer, running } = setUp();
    const call = peer.request('a', {}, { idleMs: 2_000, totalMs: 2_200 });
    const startedAt = performance.now();
    await waitUntil('most of the time to be over', () => performance.now() > startedAt + 1_000);
    const before = running()[0]?.dueAt ?? 0;
    running()[0]?.keepWaiting();
    assert.ok((running()[0]?.dueAt ?? 0) > before);
    await waitUntil('the first limit to be over', () => performance.now() > startedAt + 2_250);
    transport.push({ id: 1, result: { late: true } });
    assert.deepEqual(await call, { late: true });
  });

  it('TIME-01, TIME-03: also then a limit holds, and says how long it was', async () => {
    const { transport, peer, running } = setUp();
    const call = peer.request('a', {}, { idleMs: Infinity, totalMs: 200 });
    const startedAt = performance.now();
    await waitUntil('some time to pass', () => performance.now() > startedAt + 100);
    running()[0]?.keepWaiting();
    await assert.rejects(call, ({ code, message }: { code?: unknown; message: string }) => {
      assert.equal(code, 'timeout');
      assert.match(message, /^"a" was not answered within its limit of 0\.[3-9] s in all$/u);
      return true;
    });
    assert.equal(transport.sentOf('notifications/cancelled').length, 1);
  });

  it('TIME-03, CAN-09: nobody keeps waiting for ever', () => {
    const now = performance.now();
    const late = now - longestRunMs + 50;
    assert.equal(Math.round(prolonged(now + 10, late, 60_000) - now), 50);
    assert.equal(prolonged(now + 100, late, 60_000), now + 100, 'never less');
    assert.equal(prolonged(Infinity, now, Infinity), Infinity);
    assert.ok(prolonged(now + 10, now - 590_000, 600_000) >= now + 600_000);
  });

  it('tells of each request that begins, while somebody watches', async () => {
    const { transport, peer } = setUp();
    transport.respond('a', () => ({}));
    let begun = 0;
    await peer.request('a', {}, patient);
    const watching = peer.inFlight.watch(() => begun++);
    await peer.request('a', {}, patient);
    await peer.request('a', {}, patient);
    watching.dispose();
    await peer.request('a', {}, patient);
    assert.equal(begun, 2);
  });
});
