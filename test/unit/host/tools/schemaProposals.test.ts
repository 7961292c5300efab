/** What is proposed at a place of a JSON text that is being written. `|` is the cursor. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { proposalsAt } from '../../../../src/host/tools/schemaProposals.ts';
import { manyMembers } from '../../../support/manyMembers.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'What it is called' },
    colour: { enum: ['red', 'green'] },
    isOpen: { type: 'boolean' },
    place: { $ref: '#/$defs/Place' },
    stops: { type: 'array', items: { $ref: '#/$defs/Place' } },
    shape: {
      oneOf: [
        { type: 'object', properties: { radius: { type: 'number' } } },
        { type: 'object', properties: { width: { type: 'number', default: 2 } } },
      ],
    },
  },
  required: ['colour'],
  $defs: {
    Place: {
      type: 'object',
      properties: { city: { type: 'string' }, near: { $ref: '#/$defs/Place' } },
    },
  },
};

function at(marked: string) {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { start, end, items } = proposalsAt(schema, text, offset);
  return {
    labels: items.map(({ label }) => label),
    replaced: text.slice(start, end),
    written: items.map(({ before, after }) => `${before}|${after}`),
    items,
  };
}

describe('Proposals for JSON by a schema', () => {
  it('names the members of an object that are not there yet, needed ones first', () => {
    assert.deepEqual(at('{|}').labels, ['colour', 'name', 'isOpen', 'place', 'stops', 'shape']);
    assert.deepEqual(at('{"colour": "red", |, "place": {}}').labels, [
      'name',
      'isOpen',
      'stops',
      'shape',
    ]);
    assert.equal(at('{|}').items[1]?.description, 'What it is called');
    assert.equal(at('{|}').items[0]?.isRequired, true);
  });

  it('writes a member with the beginning of its value', () => {
    assert.deepEqual(at('{|}').written, [
      '"colour": "red"|',
      '"name": "|"',
      '"isOpen": true|',
      '"place": {|}',
      '"stops": [|]',
      '"shape": |',
    ]);
  });

  it('takes the place of a name that is half written, and leaves its colon', () => {
    const half = at('{"na|');
    assert.equal(half.replaced, '"na');
    const word = at('{"isOpen": fa|lse, "name": 1}');
    assert.deepEqual([word.replaced, word.labels], ['false', ['true', 'false']]);
    const named = at('{"na|": 1}');
    assert.equal(named.replaced, '"na"');
    assert.ok(named.written.includes('"name"|'));
  });

  it('proposes values: of an enumeration, of a type', () => {
    assert.deepEqual(at('{"colour": |}').labels, ['"red"', '"green"']);
    assert.deepEqual(at('{"colour": "r|"}').replaced, '"r"');
    assert.deepEqual(at('{"isOpen": t|').labels, ['true', 'false']);
    assert.deepEqual(at('{"stops": [|').written, ['{|}']);
  });

  it('finds its way through lists, references that lead back, and choices', () => {
    assert.deepEqual(at('{"stops": [{"city": "a"}, {|}]}').labels, ['city', 'near']);
    assert.deepEqual(at('{"place": {"near": {"near": {|').labels, ['city', 'near']);
    assert.deepEqual(at('{"shape": {|}}').labels, ['radius', 'width']);
  });

  it('proposes nothing where nothing may stand, or nothing is known', () => {
    assert.deepEqual(at('{"colour" |').labels, []);
    assert.deepEqual(at('{"colour": "red" |}').labels, []);
    assert.deepEqual(at('{"place": {}|}').labels, []);
    assert.deepEqual(at('{"unknown": {|}}').labels, []);
    assert.deepEqual(at(`${'['.repeat(100_000)}|`).labels, []);
  });

  it('SCH-07: holds nobody up over a schema that is large, and proposes what is needed first', () => {
    const properties = manyMembers(2_000, () => ({ type: 'string' }));
    const { items } = proposalsAt({ properties, required: ['a1999'] }, '{', 1);
    assert.deepEqual([items.length, items[0]?.label], [500, 'a1999']);
    const big = manyMembers(40_000, () => 1);
    const to = { $ref: '#/$defs/big' };
    const hostile = { properties: manyMembers(20_000, () => to), allOf: [to], $defs: { big } };
    assert.deepEqual(proposalsAt(hostile, '{', 1).items, []);
  });

  it('does not stumble over any text or schema', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json()),
        fc.nat(40),
        fc.oneof(fc.constant(schema), fc.dictionary(fc.string(), fc.jsonValue())),
        (text, offset, any) => {
          const { start, end } = proposalsAt(any, text, Math.min(offset, text.length));
          assert.ok(start <= end && end <= text.length);
        },
      ),
    );
  });
});
