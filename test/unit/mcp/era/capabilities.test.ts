import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { missingCapability, readCapabilities } from '../../../../src/mcp/era/capabilities.ts';
import type { ServerDescription } from '../../../../src/mcp/session/session.ts';
import type { Revision } from '../../../../src/mcp/revisions.ts';

function server(revision: Revision, capabilities: unknown): ServerDescription {
  return {
    revision,
    era: 'legacy',
    transport: 'stdio',
    info: { name: 'weather', version: '1' },
    capabilities: readCapabilities(capabilities),
  };
}

describe('capabilities', () => {
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

  it('CAP-01: only what was declared may be called', () => {
    const tools = server('2025-11-25', { tools: {} });
    assert.equal(missingCapability('tools/call', tools), undefined);
    assert.equal(missingCapability('ping', tools), undefined);
    assert.equal(missingCapability('resources/templates/list', tools)?.code, 'unsupported');
    assert.match(missingCapability('prompts/get', tools)?.message ?? '', /weather.*prompts\/get/);
  });

  it('COMP-01: completion needs its flag only where the revision has one', () => {
    assert.equal(missingCapability('completion/complete', server('2024-11-05', {})), undefined);
    const later = server('2025-03-26', {});
    assert.equal(missingCapability('completion/complete', later)?.code, 'unsupported');
    const declared = server('2025-03-26', { completions: {} });
    assert.equal(missingCapability('completion/complete', declared), undefined);
  });
});
