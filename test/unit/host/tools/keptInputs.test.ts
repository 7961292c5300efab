/** Inputs of tools that are offered again: how many, and nothing that is secret. */
import assert from 'node:assert/strict';
import { KeptInputs, keptInputLimits } from '../../../../src/host/tools/keptInputs.ts';
import type { Tool } from '../../../../src/mcp/types/lists.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';

const tool = (name: string, inputSchema: Tool['inputSchema'] = { type: 'object' }): Tool => ({
  name,
  inputSchema,
});

describe('Inputs that are offered again', () => {
  it('are the last few of each tool, the newest first, each once', async () => {
    const kept = new KeptInputs(new FakeMemory());
    const echo = tool('echo');
    for (const n of [1, 2, 3, 4, 5, 6, 7, 5]) {
      await kept.keep('s', echo, { n, m: 0 });
    }
    await kept.keep('s', echo, { m: 0, n: 4 });
    await kept.keep('s', tool('other'), { x: 1 });
    await kept.keep('t', echo, { y: 1 });
    await kept.keep('s', echo, {});
    assert.deepEqual(
      kept.of('s', echo).map(({ input }) => input['n']),
      [4, 5, 7, 6, 3],
    );
    assert.deepEqual(kept.of('t', echo), [{ input: { y: 1 }, isWhole: true }]);
    await kept.forget('s', echo);
    assert.deepEqual(kept.of('s', echo), []);
    assert.equal(kept.of('s', tool('other')).length, 1);
  });

  it('are bounded in all, and none is long', async () => {
    const memory = new FakeMemory();
    const kept = new KeptInputs(memory);
    for (let n = 0; n < keptInputLimits.inAll + 5; n += 1) {
      await kept.keep('s', tool(`tool-${n}`), { n });
    }
    await kept.keep('s', tool('long'), { text: 'x'.repeat(keptInputLimits.chars) });
    assert.deepEqual(kept.of('s', tool('long')), []);
    assert.deepEqual(kept.of('s', tool('tool-4')), []);
    assert.equal(kept.of('s', tool('tool-5')).length, 1);
  });

  it('never have a value that the schema marks as secret or that seems to be one, at any depth', async () => {
    const memory = new FakeMemory();
    const kept = new KeptInputs(memory);
    const login = tool('login', {
      type: 'object',
      properties: {
        user: { type: 'string' },
        phrase: { type: 'string', format: 'password' },
        note: { anyOf: [{ type: 'string', writeOnly: true }, { type: 'null' }] },
        hosts: { type: 'array', items: { $ref: '#/$defs/Host' } },
      },
      $defs: {
        Host: {
          type: 'object',
          properties: { name: { type: 'string' }, word: { writeOnly: true } },
        },
      },
    });
    await kept.keep('s', login, {
      user: 'ada',
      phrase: 'S3CRET',
      note: 'S3CRET',
      apiKey: 'S3CRET',
      hosts: [{ name: 'a', word: 'S3CRET', access_token: 'S3CRET' }],
    });
    const input = { user: 'ada', hosts: [{ name: 'a' }] };
    assert.deepEqual(kept.of('s', login), [{ input, isWhole: false }]);
    assert.doesNotMatch(JSON.stringify(memory.get('mcpHost.toolInputs')), /S3CRET/);
  });

  it('are dropped where what was stored is none', () => {
    const memory = new FakeMemory();
    void memory.set('mcpHost.toolInputs', [1, { server: 's' }, null]);
    const kept = new KeptInputs(memory);
    assert.deepEqual(kept.of('s', tool('echo')), []);
  });
});
