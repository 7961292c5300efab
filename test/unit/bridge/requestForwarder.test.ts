import assert from 'node:assert/strict';
import { toErrorObject } from '../../../src/bridge/requestForwarder.ts';
import { McpError, RpcError } from '../../../src/mcp/errors.ts';

function codeOf(error: unknown): number {
  return toErrorObject(error).code;
}

describe('toErrorObject', () => {
  it('passes the error of a server as it is', () => {
    assert.deepEqual(toErrorObject(new RpcError(-31999, 'No', { why: [null] })), {
      code: -31999,
      message: 'No',
      data: { why: [null] },
    });
    assert.deepEqual(toErrorObject(new RpcError(-32602, 'No')), { code: -32602, message: 'No' });
  });

  it('says in words what went wrong on this side, with the code that fits', () => {
    assert.equal(codeOf(new McpError('unsupported', 'x')), -32601);
    assert.equal(codeOf(new McpError('invalidInput', 'x')), -32602);
    assert.equal(codeOf(new McpError('closed', 'x')), -32603);
    assert.equal(toErrorObject(new McpError('timeout', 'Too slow')).message, 'Too slow');
  });

  it('keeps the text of what was not foreseen to itself', () => {
    const error = new TypeError('/home/me/secret is not a function');
    assert.deepEqual(toErrorObject(error), { code: -32603, message: 'Internal error' });
  });
});
