import assert from 'node:assert/strict';
import { describeServer } from '../../../../src/mcp/era/serverDescription.ts';
import type { ServerCapabilities } from '../../../../src/mcp/types/methods.ts';

function readCapabilities(capabilities: unknown): ServerCapabilities {
  return describeServer({ capabilities }, {}, '2025-11-25', 'stdio').capabilities;
}

describe('describeServer', () => {
  const cases: readonly [string, unknown, object][] = [
    ['CAP-04: an empty object is support', { tools: {} }, { tools: {} }],
    ['CAP-04: false and null are none', { tools: false, prompts: null }, {}],
    ['`true` is support without flags', { resources: true }, { resources: {} }],
    [
      'CAP-04: a flag that is not true is not set',
      { resources: { subscribe: 'yes', listChanged: true } },
      { resources: { listChanged: true } },
    ],
    [
      'unknown members stay',
      { logging: { level: 'info' }, x: { y: 1 } },
      { logging: { level: 'info' }, x: { y: 1 } },
    ],
    ['CAP-07: experimental entries stay', { experimental: { a: {} } }, { experimental: { a: {} } }],
    ['no object, no capability', 'all', {}],
  ];
  for (const [name, declared, read] of cases) {
    it(name, () => {
      assert.deepEqual(readCapabilities(declared), read);
    });
  }

  it('nothing is declared through a prototype', () => {
    const capabilities = readCapabilities(JSON.parse('{"__proto__":{"tools":{}}}'));
    assert.equal(capabilities.tools, undefined);
  });
});
