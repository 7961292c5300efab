import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { classify, noCommonRevision } from '../../../../src/mcp/era/classify.ts';
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

describe('noCommonRevision', () => {
  it('names what either side speaks, and no more of it than anybody reads', () => {
    const { message } = noCommonRevision(['1999-01-01'], ['2025-11-25']);
    assert.match(message, /speaks 1999-01-01; this client offered 2025-11-25$/u);
    assert.match(noCommonRevision([], ['2025-11-25']).message, /speaks none that it names/u);
    const hostile = Array.from({ length: 1_000 }, () => 'x'.repeat(100_000));
    assert.ok(noCommonRevision(hostile, ['2025-11-25']).message.length < 400);
  });
});
