import assert from 'node:assert/strict';
import { ListedTools } from '../../../../src/mcp/session/listedTools.ts';

describe('ListedTools', () => {
  it('reads each tool once, when it is listed, and keeps only what was read', () => {
    let reads = 0;
    const listed = new ListedTools((tool) => {
      reads++;
      return tool['title'];
    });
    const tool = { name: 'a', title: 'A' };
    listed.learn({}, { tools: [tool, 'no tool'] });
    tool.title = 'changed';
    assert.deepEqual(
      [listed.of('a'), listed.of('a'), listed.of('b'), reads],
      ['A', 'A', undefined, 1],
    );
  });

  it('says what the listing under way says, else what the last complete one said', () => {
    const listed = new ListedTools((tool) => tool['title']);
    const titles = (): readonly unknown[] => ['a', 'b'].map((name) => listed.of(name));
    listed.learn({}, { tools: [{ name: 'a', title: 'A' }], nextCursor: '2' });
    listed.learn({ cursor: '2' }, { tools: [{ name: 'b', title: 'B' }] });
    listed.learn({}, { tools: [{ name: 'a' }], nextCursor: '2' });
    assert.deepEqual(titles(), [undefined, 'B']);
    listed.learn({ cursor: '2' }, { tools: [] });
    assert.deepEqual(titles(), [undefined, undefined]);
  });
});
