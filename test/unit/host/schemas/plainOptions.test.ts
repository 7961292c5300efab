import assert from 'node:assert/strict';
import { withPlainOptions } from '../../../../src/host/schemas/plainOptions.ts';
import { createSchemaChecker } from '../../../../src/entries/schemas.ts';

const options = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, n) => ({ const: `k${n}`, title: `Option ${n}` }));

describe('plain options', () => {
  it('a long list of titled options is an enumeration, wherever it stands', () => {
    const schema = { type: 'object', properties: { a: { oneOf: options(30) } } };
    const values = Array.from({ length: 30 }, (_, n) => `k${n}`);
    assert.deepEqual(withPlainOptions(schema), {
      type: 'object',
      properties: { a: { enum: values } },
    });
    assert.deepEqual(withPlainOptions({ anyOf: options(30) }), { enum: values });
  });

  it('accepts and rejects the same values', () => {
    const checker = createSchemaChecker();
    const schema = { properties: { a: { type: 'string', oneOf: options(1_000) } } };
    assert.deepEqual(checker.check(schema, { a: 'k999' }), []);
    assert.match(checker.check(schema, { a: 'none' }).join(), /must be equal to one of/u);
  });

  it('of two lists in one place both count', () => {
    const checker = createSchemaChecker();
    const schema = { oneOf: options(30), anyOf: options(40).slice(10) };
    assert.deepEqual(checker.check(schema, 'k20'), []);
    assert.notDeepEqual(checker.check(schema, 'k5'), []);
    assert.notDeepEqual(checker.check(schema, 'k35'), []);
  });

  it('everything else stays as it is', () => {
    const many = options(30);
    for (const schema of [
      { oneOf: options(5) },
      { oneOf: [...many, { const: 'k1' }] },
      { oneOf: [...many, { const: 'x', minLength: 1 }] },
      { oneOf: [...many, { const: { k: 1 } }] },
      { oneOf: [...many, true] },
      { enum: ['k1'], oneOf: many },
      { const: { oneOf: many } },
      { properties: { a: { oneOf: many }, b: { $ref: '#/properties/a/oneOf/3' } } },
    ]) {
      assert.deepEqual(withPlainOptions(schema), schema);
    }
  });
});
