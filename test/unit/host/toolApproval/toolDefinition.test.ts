import assert from 'node:assert/strict';
import { definitionText } from '../../../../src/host/toolApproval/toolDefinition.ts';
import { lineDifference } from '../../../../src/vscode/text/lineDifference.ts';

describe('lineDifference', () => {
  for (const [before, now, difference] of [
    ['a\nb', 'a\nb', []],
    ['a\nb\nc', 'a\nx\nc', ['- b', '+ x']],
    ['a', 'a\nb', ['+ b']],
    ['a\nb', 'a', ['- b']],
    ['a\nb', 'b\na', ['- a', '+ a']],
    ['', 'a', ['- ', '+ a']],
    ['a\nb\nc\nd', 'b\nc\ne\nd', ['- a', '+ e']],
  ] as const) {
    it(`${JSON.stringify(before)} to ${JSON.stringify(now)}`, () => {
      assert.deepEqual(lineDifference(before, now), difference);
    });
  }

  it('ends soon for texts of many lines', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `line ${index}`);
    const other = many.map((line, index) => (index === 40 ? 'other' : line));
    assert.deepEqual(lineDifference(many.join('\n'), other.join('\n')), ['- line 40', '+ other']);
    const none = lineDifference(many.join('\n'), many.toReversed().join('\n'));
    assert.deepEqual([none.length, none[0], none.at(-1)], [10_000, '- line 0', '+ line 0']);
  });
});

describe('definitionText', () => {
  const inputSchema = { type: 'object', properties: { b: {}, a: {} } };

  it('a changed sentence stands out, keys in another order do not', () => {
    const before = definitionText({ name: 't', description: 'Adds. Keeps it. Ends.', inputSchema });
    const now = definitionText({
      name: 't',
      description: 'Adds. Sends it. Ends.',
      inputSchema: { properties: { a: {}, b: {} }, type: 'object' },
    });
    assert.deepEqual(lineDifference(before ?? '', now ?? ''), ['- Keeps it.', '+ Sends it.']);
  });

  it('one that is too long is not kept', () => {
    assert.equal(
      definitionText({ name: 't', description: 'x'.repeat(30_000), inputSchema }),
      undefined,
    );
  });
});
