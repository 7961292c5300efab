import assert from 'node:assert/strict';
import { ItemSearch, filterItems } from '../../../../src/host/catalog/itemSearch.ts';
import { McpError } from '../../../../src/mcp/errors.ts';

const never = new AbortController().signal;
const item = (label: string, rest = '') => ({ label, rest });

async function labels(items: readonly ReturnType<typeof item>[], typed: string, limit = 10) {
  const found = await new ItemSearch(items).find(typed, limit, never);
  return found.items.map(({ label }) => label);
}

describe('ItemSearch', () => {
  it('gives the best matches first, and equal ones in their order', async () => {
    const items = [
      item('elsewhere', 'demo://note'),
      item('footnote'),
      item('my note'),
      item('notebook'),
      item('Note'),
      item('notes'),
      item('other'),
    ];
    assert.deepEqual(await labels(items, 'note'), [
      'Note',
      'notebook',
      'notes',
      'my note',
      'footnote',
      'elsewhere',
    ]);
  });

  it('wants every word, in any order, in label, URI or server', async () => {
    const items = [item('Plan', 'a://plans/2026 files'), item('Plan', 'a://plans/2025 files')];
    assert.deepEqual(await labels(items, '2026 PLAN'), ['Plan']);
    assert.deepEqual(await labels(items, 'plan nothing'), []);
  });

  it('finds everything when nothing is typed, and says how much was left out', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => item(`item-${index}`));
    const found = await new ItemSearch(items).find(' ', 200, never);
    assert.equal(found.items.length, 200);
    assert.equal(found.items[0]?.label, 'item-0');
    assert.equal(found.total, 1_000);
  });

  it('searches 100,000 items in slices, and lets others have a turn between them', async () => {
    const items = Array.from({ length: 100_000 }, (_, index) =>
      item(`report-${index}.md`, `files:///archive/report-${index}.md archive`),
    );
    const search = new ItemSearch(items);
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) {
        setImmediate(count);
      }
    };
    setImmediate(count);
    const found = await search.find('report-99999', 200, never);
    isOver = true;
    assert.deepEqual(
      found.items.map(({ label }) => label),
      ['report-99999.md'],
    );
    assert.ok(turns >= 15, `${turns} turns`);
  });

  it('gives up when something else is typed', async () => {
    const typedOn = new AbortController();
    const items = Array.from({ length: 20_000 }, (_, index) => item(`${index}`));
    const finding = new ItemSearch(items).find('1', 5, typedOn.signal);
    typedOn.abort(new McpError('cancelled', 'typed on'));
    await assert.rejects(finding, { code: 'cancelled' });
  });
});

const items = [
  { name: 'a', title: 'Yearly Report', uri: 'demo://reports/2024' },
  { name: 'b', description: 'A report of the month', uri: 'demo://reports/month' },
  { name: 'c', uriTemplate: 'demo://{year}' },
];
const namesFor = (text: string): string[] => filterItems(items, text).map(({ name }) => name);

describe('filterItems', () => {
  it('finds every word somewhere in name, title, description and URI, whatever the case', () => {
    assert.deepEqual(namesFor('REPORT'), ['a', 'b']);
    assert.deepEqual(namesFor('2024 report'), ['a']);
    assert.deepEqual(namesFor('year'), ['a', 'c']);
    assert.deepEqual(namesFor('month week'), []);
  });

  it('a blank text finds all', () => {
    assert.equal(filterItems(items, ' \t'), items);
  });

  it('characters of patterns are characters', () => {
    assert.deepEqual(namesFor('{year}'), ['c']);
    assert.deepEqual(namesFor('.*'), []);
  });
});
