import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { classify } from '../../../../src/mcp/era/classify.ts';
import { HttpError, McpError, RpcError } from '../../../../src/mcp/errors.ts';

describe('classify', () => {
  for (const status of [400, 404, 405]) {
    it(`HTTP ${status}: another binding may fit`, () => {
      assert.equal(classify(new HttpError('http', status, 'no')), 'nextBinding');
    });
  }
  const others: readonly [string, McpError][] = [
    ['HTTP 401', new HttpError('unauthorized', 401, 'no')],
    ['HTTP 403', new HttpError('http', 403, 'no')],
    ['HTTP 500', new HttpError('http', 500, 'no')],
    ['no connection', new McpError('unreachable', 'no')],
    ['no answer', new McpError('timeout', 'no')],
    ['no common revision', new McpError('unsupported', 'no')],
    ['an error reply', new RpcError(-32603, 'no')],
  ];
  for (const [name, error] of others) {
    it(`${name}: another would fail alike`, () => {
      assert.equal(classify(error), 'stop');
    });
  }
});
