import assert from 'node:assert/strict';
import { filterItems } from '../../../../src/host/catalog/filterItems.ts';

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
