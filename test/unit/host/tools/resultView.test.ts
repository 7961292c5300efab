/** Which structures are shown as a table, and how sizes and times are written. */
import assert from 'node:assert/strict';
import {
  durationText,
  bytesText,
  repeatsStructure,
  tableLimits,
  tableOf,
  progressText,
} from '../../../../src/host/tools/resultView.ts';

describe('Results to look at', () => {
  it('are a table where they are a list of flat objects, or have one', () => {
    const rows = [
      { a: 1, b: 'x' },
      { b: null, c: true },
    ];
    const table = {
      columns: ['a', 'b', 'c'],
      rows: [
        [1, 'x', undefined],
        [undefined, null, true],
      ],
      moreRows: 0,
      moreColumns: 0,
    };
    assert.deepEqual(tableOf(rows), table);
    assert.deepEqual(tableOf({ total: 2, items: rows, tags: ['x'] }), { name: 'items', ...table });
  });

  it('are no table where something is nested, two lists compete, or there is no row', () => {
    for (const value of [
      [],
      [{}],
      [1, 2],
      [{ a: { b: 1 } }],
      [{ a: 1 }, 'x'],
      { a: [{ x: 1 }], b: [{ y: 1 }] },
      { a: { b: [{ x: 1 }] } },
      'x',
      null,
      undefined,
    ]) {
      assert.equal(tableOf(value), undefined, JSON.stringify(value));
    }
  });

  it('have a table of bounded size, and say how much is left', () => {
    const row = Object.fromEntries(Array.from({ length: 35 }, (_, n) => [`c${n}`, n]));
    const table = tableOf(Array.from({ length: tableLimits.rows + 7 }, () => row));
    assert.equal(table?.rows.length, tableLimits.rows);
    assert.equal(table?.columns.length, tableLimits.columns);
    assert.deepEqual([table?.moreRows, table?.moreColumns], [7, 5]);
  });

  it('do not take a member of every object for a value of a row', () => {
    const table = tableOf([{ a: 1 }, JSON.parse('{"constructor": "x", "__proto__": "y"}')]);
    assert.deepEqual(table?.columns, ['a', 'constructor', '__proto__']);
    assert.deepEqual(table?.rows[0], [1, undefined, undefined]);
  });

  it('TOOL-12: tell a text that only repeats the structure', () => {
    const result = { content: [], structuredContent: { a: 1, b: [2] } };
    assert.equal(repeatsStructure('{ "b": [2], "a": 1 }', result), true);
    assert.equal(repeatsStructure('{ "b": [2] }', result), false);
    assert.equal(repeatsStructure('{ "b"', result), false);
    assert.equal(repeatsStructure('1', { content: [] }), false);
    const large = { content: [], structuredContent: { list: Array(500_000).fill(1) } };
    for (let n = 0; n < 5_000; n += 1) {
      assert.equal(repeatsStructure(String(n), large), false);
    }
  });

  it('have sizes and times that can be read', () => {
    assert.deepEqual([999, 12_345, 3_100_000].map(bytesText), ['999 bytes', '12.3 kB', '3.1 MB']);
    assert.deepEqual([340, 12_340, 45_000, 125_900].map(durationText), [
      '340 ms',
      '12.3 s',
      '45 s',
      '2 min 5 s',
    ]);
  });
});

const shown = (message: string): string => message.slice(0, 7);

describe('progressText', () => {
  it('PROG-03: shows the position with or without a total, and the message where there is one', () => {
    assert.equal(progressText({ progress: 1.5 }, shown), '1.5');
    assert.equal(progressText({ progress: 1, total: 4 }, shown), '1/4');
    assert.equal(progressText({ progress: 2, message: 'Reading files' }, shown), 'Reading (2)');
    assert.equal(progressText({ progress: 0, total: 4, message: 'Begin' }, shown), 'Begin (0/4)');
  });

  it('TASK-13: shows the status of a task alone while there is no position', () => {
    assert.equal(progressText({ progress: 0, message: 'Writing' }, shown), 'Writing');
    assert.equal(progressText({ progress: 0 }, shown), '0');
  });
});
