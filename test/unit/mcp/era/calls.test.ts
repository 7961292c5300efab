import assert from 'node:assert/strict';
import { missingCapability, toResult } from '../../../../src/mcp/era/calls.ts';
import { describeServer } from '../../../../src/mcp/era/serverDescription.ts';
import type { Revision } from '../../../../src/mcp/revisions.ts';
import type { ServerDescription } from '../../../../src/mcp/session/session.ts';

function server(revision: Revision, capabilities: object): ServerDescription {
  return describeServer({ capabilities }, { name: 'weather' }, revision, 'stdio');
}

function missing(method: Parameters<typeof missingCapability>[0], settings?: object) {
  const extensions = settings && { 'io.modelcontextprotocol/skills': settings };
  return missingCapability(method, server('2025-11-25', { extensions }))?.code;
}

describe('missingCapability', () => {
  it('CAP-01: only what was declared may be called', () => {
    const tools = server('2025-11-25', { tools: {} });
    assert.equal(missingCapability('tools/call', tools), undefined);
    assert.equal(missingCapability('ping', tools), undefined);
    assert.equal(missingCapability('resources/templates/list', tools)?.code, 'unsupported');
    assert.match(missingCapability('prompts/get', tools)?.message ?? '', /weather.*prompts\/get/);
  });

  it('SKL-01, SKL-02, SKL-05: skills need their extension, folders its setting, and files no more', () => {
    assert.deepEqual(
      [missing('skills/list'), missing('skills/get'), missing('resources/read')],
      ['unsupported', 'unsupported', 'unsupported'],
    );
    assert.deepEqual(
      [missing('skills/list', {}), missing('skills/get', {}), missing('resources/read', {})],
      [undefined, undefined, undefined],
    );
    assert.equal(missing('resources/directory/read', {}), 'unsupported');
    assert.equal(missing('resources/directory/read', { directoryRead: true }), undefined);
  });

  it('COMP-01: completion needs its flag only where the revision has one', () => {
    assert.equal(missingCapability('completion/complete', server('2024-11-05', {})), undefined);
    const later = server('2025-03-26', {});
    assert.equal(missingCapability('completion/complete', later)?.code, 'unsupported');
    const declared = server('2025-03-26', { completions: {} });
    assert.equal(missingCapability('completion/complete', declared), undefined);
  });
});

describe('toResult', () => {
  it('hands on what fits, unchanged', () => {
    const result = { tools: [{ name: 'x' }], nextCursor: 'y', more: 1 };
    assert.equal(toResult('tools/list', result), result);
  });

  it('ERR-03: names method and member of a result without its array', () => {
    assert.throws(() => toResult('tools/list', { tools: {} }), {
      code: 'protocol',
      message: /"tools\/list" has no array "tools"/,
    });
    for (const method of ['prompts/get', 'resources/templates/list', 'resources/read'] as const) {
      assert.throws(() => toResult(method, {}), { code: 'protocol' });
    }
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
