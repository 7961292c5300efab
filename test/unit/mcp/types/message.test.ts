import assert from 'node:assert/strict';
import { envelopeProblem, isFailure } from '../../../../src/mcp/types/message.ts';

describe('envelopeProblem', () => {
  const good: Readonly<Record<string, object>> = {
    'a request': { jsonrpc: '2.0', id: 1, method: 'ping' },
    'a request with a string id': { jsonrpc: '2.0', id: 'a', method: 'ping', params: {} },
    'a notification': { jsonrpc: '2.0', method: 'notifications/x' },
    'params of null': { jsonrpc: '2.0', method: 'notifications/x', params: null },
    'a result': { jsonrpc: '2.0', id: 1, result: {} },
    'a result of null': { jsonrpc: '2.0', id: 1, result: null },
    'a result beside an error of null': { jsonrpc: '2.0', id: 1, result: {}, error: null },
    'an error': { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } },
    'an error beside a result of null': {
      jsonrpc: '2.0',
      id: 1,
      result: null,
      error: { code: -1, message: 'no' },
    },
    'BASE-07: an error without an id': { jsonrpc: '2.0', error: { code: -1, message: 'no' } },
    'BASE-07: an error with id null': {
      jsonrpc: '2.0',
      id: null,
      error: { code: -1, message: 'no' },
    },
  };
  for (const [name, message] of Object.entries(good)) {
    it(`accepts ${name}`, () => {
      assert.equal(envelopeProblem(message), undefined);
    });
  }

  const bad: Readonly<Record<string, unknown>> = {
    'a text': 'hello',
    null: null,
    'an array': [],
    'another version': { jsonrpc: '1.0', id: 1, result: {} },
    'a method that is no text': { jsonrpc: '2.0', id: 1, method: 1 },
    'BASE-02: a request with id null': { jsonrpc: '2.0', id: null, method: 'ping' },
    'params that are an array': { jsonrpc: '2.0', id: 1, method: 'ping', params: [] },
    'a result without an id': { jsonrpc: '2.0', result: null },
    'BASE-04: a result and an error': {
      jsonrpc: '2.0',
      id: 1,
      result: {},
      error: { code: -1, message: 'no' },
    },
    'BASE-05: an error without a code': { jsonrpc: '2.0', id: 1, error: { message: 'no' } },
    'BASE-05: an error without a message': { jsonrpc: '2.0', id: 1, error: { code: -1 } },
    'neither kind': { jsonrpc: '2.0', id: 1 },
  };
  for (const [name, message] of Object.entries(bad)) {
    it(`refuses ${name}`, () => {
      assert.equal(typeof envelopeProblem(message), 'string');
    });
  }

  it('takes `"error": null` for no failure', () => {
    assert.equal(isFailure(JSON.parse('{"jsonrpc":"2.0","id":1,"result":{},"error":null}')), false);
  });
});
