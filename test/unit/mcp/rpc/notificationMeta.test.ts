import assert from 'node:assert/strict';
import { metaOf } from '../../../../src/mcp/rpc/peer.ts';

describe('metaOf', () => {
  it('has what the server added, without what ties a notification to this connection', () => {
    const task = { 'io.modelcontextprotocol/related-task': { taskId: '1' } };
    const stream = { 'io.modelcontextprotocol/subscriptionId': 's' };
    const own = { 'example.com/note': [1, null], plain: 'x' };
    assert.deepEqual(metaOf({ _meta: { ...task, ...own, ...stream } }), { _meta: own });
    assert.deepEqual(metaOf({ _meta: { ...task, ...stream } }), {});
  });

  it('is nothing where there is none', () => {
    for (const params of [{}, { _meta: {} }, { _meta: null }, { _meta: ['x'] }, { _meta: 'x' }]) {
      assert.deepEqual(metaOf(params), {});
    }
  });
});
