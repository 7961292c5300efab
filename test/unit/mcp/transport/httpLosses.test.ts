import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Params, RpcMessage } from '../../../../src/mcp/rpc/message.ts';
import { Losses } from '../../../../src/mcp/transport/httpLosses.ts';

let id = 0;
const ask = (method: string, params: Params = {}): RpcMessage => ({
  jsonrpc: '2.0',
  id: (id += 1),
  method,
  params,
});

describe('Losses', () => {
  it('takes the first refusal for a loss, and the same in the next session for its own', () => {
    const losses = new Losses();
    assert.equal(losses.isNew(ask('tools/call', { name: 'a', arguments: { x: 1 } })), true);
    assert.equal(losses.isNew(ask('tools/call', { name: 'a', arguments: { x: 2 } })), false);
  });

  it('tells tools and resources apart', () => {
    const losses = new Losses();
    for (const message of [
      ask('tools/call', { name: 'a' }),
      ask('tools/call', { name: 'b' }),
      ask('resources/read', { uri: 'file:///a' }),
      ask('resources/read', { uri: 'file:///b' }),
      ask('tools/list'),
    ]) {
      assert.equal(losses.isNew(message), true);
    }
  });

  it('knows those that it has told apart again, whichever comes first', () => {
    const losses = new Losses();
    const names = ['a', 'b', 'c'];
    const all = (): readonly boolean[] =>
      names.map((name) => losses.isNew(ask('tools/call', { name })));
    assert.deepEqual(all(), [true, true, true]);
    names.reverse();
    assert.deepEqual(all(), [false, false, false]);
  });

  it('does not keep questions without end', () => {
    const losses = new Losses();
    for (let n = 0; n <= 100; n += 1) {
      losses.isNew(ask('tools/call', { name: String(n) }));
    }
    assert.equal(losses.isNew(ask('tools/call', { name: '100' })), false);
    assert.equal(losses.isNew(ask('tools/call', { name: '0' })), true);
  });

  it('forgets what the server has taken since', () => {
    const losses = new Losses();
    losses.isNew(ask('tools/call', { name: 'a' }));
    losses.taken(ask('tools/call', { name: 'b' }));
    assert.equal(losses.isNew(ask('tools/call', { name: 'a' })), false);
    losses.taken(ask('tools/call', { name: 'a' }));
    assert.equal(losses.isNew(ask('tools/call', { name: 'a' })), true);
  });

  it('takes replies to the server for one question', () => {
    const losses = new Losses();
    assert.equal(losses.isNew({ jsonrpc: '2.0', id: 's1', result: {} }), true);
    assert.equal(losses.isNew({ jsonrpc: '2.0', id: 's2', result: {} }), false);
    assert.equal(losses.isNew(ask('ping')), true);
  });
});
