import assert from 'node:assert/strict';
import { isLoopback } from '../../../../src/mcp/network/loopback.ts';

describe('isLoopback', () => {
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9:81', '0x7f.1', '[::1]']) {
    it(`${host} is this machine`, () => assert.equal(isLoopback(new URL(`http://${host}/`)), true));
  }

  for (const host of [
    'example.com',
    'localhost.example.com',
    '127.0.0.1.example.com',
    '10.0.0.1',
    '[fe80::1]',
    '0.0.0.0',
  ]) {
    it(`${host} may be another`, () => assert.equal(isLoopback(new URL(`ws://${host}/`)), false));
  }
});
