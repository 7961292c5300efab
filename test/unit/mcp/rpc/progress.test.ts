import assert from 'node:assert/strict';
import { Peer } from '../../../../src/mcp/rpc/rpcPeer.ts';
import { closedAfterTest } from '../../../support/closing.ts';
import { FakeTransport } from '../../../support/fakeTransport.ts';
import { withTimeJumps } from '../../../support/timeJump.ts';
import { turns } from '../../../support/waitUntil.ts';

const progress = (value: number, progressToken: string | number = 't'): object => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress: value },
});

describe('progress of what a server asks', () => {
  it('PROG-05: what is answered at once has no progress', async () => {
    const transport = new FakeTransport();
    const peer = closedAfterTest(new Peer(transport));
    peer.acceptRequests(new Map([['ask', async () => ({})]]));
    transport.push({ id: 'q', method: 'ask', params: { _meta: { progressToken: 1 } } });
    await turns();
    assert.deepEqual(transport.sent, [{ jsonrpc: '2.0', id: 'q', result: {} }]);
  });

  it('PROG-05: a server that wants to know is told that its request is worked on, until it is not', async () => {
    const transport = new FakeTransport();
    const peer = closedAfterTest(new Peer(transport));
    const answer = Promise.withResolvers<object>();
    await withTimeJumps(async (pass) => {
      peer.acceptRequests(new Map([['ask', () => answer.promise]]));
      transport.push({ id: 'q', method: 'ask', params: { _meta: { progressToken: 't' } } });
      transport.push({ id: 'r', method: 'ask', params: {} });
      transport.push({ id: 's', method: 'ask', params: { _meta: { progressToken: {} } } });
      pass(1_000);
      transport.push({ id: 'n', method: 'ask', params: { _meta: { progressToken: 7 } } });
      pass(10_000);
      answer.resolve({});
      await turns();
      pass(10_000);
    });
    assert.deepEqual(
      transport.sent.map((message) => ('method' in message ? message : message.id)),
      [progress(1), progress(2), progress(1, 7), 'q', 'r', 's', 'n'],
    );
  });

  it('PROG-05: a server that takes its request back is told no more, even if the work on it goes on', async () => {
    const transport = new FakeTransport();
    const peer = closedAfterTest(new Peer(transport));
    await withTimeJumps(async (pass) => {
      peer.acceptRequests(new Map([['ask', () => new Promise<never>(() => undefined)]]));
      transport.push({ id: 'q', method: 'ask', params: { _meta: { progressToken: 't' } } });
      await turns();
      transport.push({ method: 'notifications/cancelled', params: { requestId: 'q' } });
      pass(10_000);
    });
    assert.deepEqual(transport.sent, []);
  });
});
