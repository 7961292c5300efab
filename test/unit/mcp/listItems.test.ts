import assert from 'node:assert/strict';
import { checkItem, type ListName, maxNameChars, maxUriChars } from '../../../src/mcp/listItems.ts';

const items: readonly (readonly [ListName, string, number, object])[] = [
  ['tools', 'name', maxNameChars, { inputSchema: {} }],
  ['prompts', 'name', maxNameChars, {}],
  ['resources', 'name', maxNameChars, { uri: 'a:b' }],
  ['resources', 'uri', maxUriChars, { name: 'a' }],
  ['resourceTemplates', 'name', maxNameChars, { uriTemplate: 'a:{b}' }],
  ['resourceTemplates', 'uriTemplate', maxUriChars, { name: 'a' }],
];

const prompt = (name: string): object => ({ name: 'a', arguments: [{ name }] });

describe('checkItem', () => {
  for (const [list, member, limit, rest] of items) {
    it(`bounds "${member}" of ${list}, and says so`, () => {
      assert.equal(checkItem(list, { ...rest, [member]: 'x'.repeat(limit) }).kind, 'item');
      assert.deepEqual(checkItem(list, { ...rest, [member]: 'x'.repeat(limit + 1) }), {
        kind: 'malformed',
        reason: `its "${member}" is longer than ${limit} characters`,
      });
    });
  }

  it('bounds the names of arguments', () => {
    assert.equal(checkItem('prompts', prompt('x'.repeat(maxNameChars))).kind, 'item');
    assert.deepEqual(checkItem('prompts', prompt('x'.repeat(maxNameChars + 1))), {
      kind: 'malformed',
      reason: 'its "arguments" is malformed',
    });
  });
});
