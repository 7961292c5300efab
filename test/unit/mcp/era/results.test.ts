import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toResult } from '../../../../src/mcp/era/results.ts';

describe('toResult', () => {
  it('hands on what fits, unchanged', () => {
    const result = { tools: [{ name: 'x' }], nextCursor: 'y', more: 1 };
    assert.equal(toResult('tools/list', result), result);
  });

  it('names method and member of a result without its array', () => {
    assert.throws(() => toResult('tools/list', { tools: {} }), {
      code: 'protocol',
      message: /"tools\/list" has no array "tools"/,
    });
    assert.throws(() => toResult('resources/read', null), {
      code: 'protocol',
      message: /"resources\/read" is not an object/,
    });
  });

  it('a tool result without content has none', () => {
    const structuredContent = { a: 1 };
    assert.deepEqual(toResult('tools/call', { structuredContent }), {
      structuredContent,
      content: [],
    });
    assert.deepEqual(toResult('tools/call', { content: null, isError: true }), {
      content: [],
      isError: true,
    });
    assert.throws(() => toResult('tools/call', { content: 'text' }), { code: 'protocol' });
    assert.throws(() => toResult('tools/call', 'text'), { code: 'protocol' });
  });

  it('COMP-05: an absent completion suggests nothing', () => {
    for (const result of [undefined, null, {}, { completion: {} }, { completion: { values: 1 } }]) {
      assert.deepEqual(toResult('completion/complete', result), { completion: { values: [] } });
    }
  });

  it('takes anything for an answer to ping', () => {
    assert.equal(toResult('ping', 'pong'), 'pong');
  });
});
