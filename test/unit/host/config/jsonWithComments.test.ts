import assert from 'node:assert/strict';
import { readJsonWithComments } from '../../../../src/host/config/jsonWithComments.ts';

describe('readJsonWithComments', () => {
  it('reads what the editor reads: comments, commas at ends, a byte order mark, nothing', () => {
    assert.deepEqual(readJsonWithComments('// mine\n{ "a": [1,], }', 'wrong'), {
      value: { a: [1] },
    });
    assert.deepEqual(readJsonWithComments('// mine', 'allowed'), { value: undefined });
    assert.deepEqual(readJsonWithComments('\uFEFF{}', 'wrong'), { value: {} });
  });

  it('VSC-18: says in which line of a half written file the mistake is, and reads what it can', () => {
    assert.deepEqual(readJsonWithComments('{\n  "mcpHost.servers": {', 'allowed'), {
      problem: 'is not JSON: line 2: close brace expected',
      partial: { 'mcpHost.servers': {} },
    });
    assert.deepEqual(readJsonWithComments('['.repeat(100_000), 'wrong'), {
      problem: 'cannot be read: it is nested too deeply',
    });
  });
});
