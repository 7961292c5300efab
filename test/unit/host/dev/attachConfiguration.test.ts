import assert from 'node:assert/strict';
import { attachConfiguration } from '../../../../src/host/dev/attachConfiguration.ts';

describe('attachConfiguration', () => {
  it('is what the debugger of Node takes', () => {
    assert.deepEqual(attachConfiguration('notes', { type: 'node', port: 5000 }), {
      type: 'node',
      name: 'MCP: notes',
      request: 'attach',
      internalConsoleOptions: 'neverOpen',
      address: '127.0.0.1',
      port: 5000,
      continueOnAttach: true,
    });
  });

  it('is what the debugger of Python takes', () => {
    assert.deepEqual(attachConfiguration('notes', { type: 'debugpy', port: 5000 }), {
      type: 'debugpy',
      name: 'MCP: notes',
      request: 'attach',
      internalConsoleOptions: 'neverOpen',
      connect: { host: '127.0.0.1', port: 5000 },
    });
  });
});
