import assert from 'node:assert/strict';
import { partAt, resolved, withoutNull } from '../../../../src/host/schemas/schemaParts.ts';

describe('partAt', () => {
  const second = { type: 'integer' };
  const root = {
    anyOf: [{ type: 'string' }, second],
    $defs: { 'a/b': { title: 'slash' }, 'a~b': { title: 'tilde' }, '100%': { title: 'percent' } },
  };

  it('finds the schema as a whole, and members of lists', () => {
    assert.equal(partAt(root, '#'), root);
    assert.equal(partAt(root, '#/anyOf/1'), second);
    assert.equal(partAt(root, '#/anyOf/2'), undefined);
  });

  it('reads names as JSON Pointers in a fragment escape them', () => {
    assert.deepEqual(partAt(root, '#/$defs/a~1b'), { title: 'slash' });
    assert.deepEqual(partAt(root, '#/%24defs/a%7E1b'), { title: 'slash' });
    assert.deepEqual(partAt(root, '#/$defs/a~0b'), { title: 'tilde' });
    assert.deepEqual(partAt(root, '#/$defs/100%'), { title: 'percent' });
    assert.deepEqual(partAt(root, '#/$defs/100%25'), { title: 'percent' });
  });

  it('leads nowhere out of the schema, nor to what objects inherit', () => {
    assert.equal(partAt(root, 'https://example.com/schema#/anyOf/1'), undefined);
    assert.equal(partAt(root, '#anchor'), undefined);
    assert.equal(partAt(root, '#/$defs/constructor'), undefined);
    assert.equal(partAt(root, '#/anyOf/0/type/length'), undefined);
  });
});

describe('resolved', () => {
  it('follows a reference into a list', () => {
    const root = { anyOf: [{ type: 'string' }] };
    assert.deepEqual(resolved({ $ref: '#/anyOf/0', title: 'A' }, root), {
      type: 'string',
      title: 'A',
    });
  });
});

describe('withoutNull', () => {
  const text = { type: 'string', title: 'Inner', minLength: 1 };
  const none = { type: 'null' };
  const cases: readonly (readonly [string, object, object])[] = [
    ['anyOf', { anyOf: [text, none] }, text],
    ['oneOf', { oneOf: [none, text] }, text],
    ['a list of types', { type: ['integer', 'null'] }, { type: 'integer' }],
  ];
  for (const [how, schema, expected] of cases) {
    it(`takes the other of two in ${how}`, () => {
      assert.deepEqual(withoutNull({ ...schema }), expected);
    });
    it(`prefers what stands beside ${how}`, () => {
      assert.deepEqual(withoutNull({ ...schema, title: 'Outer' }), { ...expected, title: 'Outer' });
    });
  }

  it('leaves a schema that offers more, or less', () => {
    for (const schema of [
      { anyOf: [text, none, { type: 'number' }] },
      { anyOf: [none, none] },
      { oneOf: [text, { type: 'number' }] },
      { type: ['string', 'number', 'null'] },
      none,
    ]) {
      assert.deepEqual(withoutNull(schema), schema);
    }
  });
});
