import assert from 'node:assert/strict';
import { AjvSchemaChecker } from '../../../../src/host/schemas/jsonSchema.ts';
import { withPlainOptions } from '../../../../src/host/schemas/plainOptions.ts';

const optionsOf = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, n) => ({ const: `k${n}`, title: `Option ${n}` }));
const valuesOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `k${n}`);

describe('Titled options in a schema', () => {
  const checker = new AjvSchemaChecker();

  it('are checked, however many there are', () => {
    const schema = { properties: { a: { type: 'string', oneOf: optionsOf(3_000) } } };
    assert.deepEqual(checker.check(schema, { a: 'k2999' }), []);
    assert.match(checker.check(schema, { a: 'none' }).join(), /must be equal to one of/u);
  });

  it('become an enumeration in a long list, wherever it stands', () => {
    const schema = { type: 'object', properties: { a: { items: [{ oneOf: optionsOf(30) }] } } };
    assert.deepEqual(withPlainOptions(schema), {
      type: 'object',
      properties: { a: { items: [{ enum: valuesOf(30) }] } },
    });
    assert.deepEqual(withPlainOptions({ anyOf: optionsOf(30) }), { enum: valuesOf(30) });
  });

  it('both count where there are two lists', () => {
    const schema = { oneOf: optionsOf(30), anyOf: optionsOf(40).slice(10) };
    assert.deepEqual(checker.check(schema, 'k20'), []);
    assert.notDeepEqual(checker.check(schema, 'k5'), []);
    assert.notDeepEqual(checker.check(schema, 'k35'), []);
  });

  it('stay as they are where an enumeration would mean something else', () => {
    const many = optionsOf(30);
    for (const schema of [
      { oneOf: optionsOf(5) },
      { oneOf: [...many, { const: 'k1' }] },
      { oneOf: [...many, { const: 'x', minLength: 1 }] },
      { oneOf: [...many, { const: { k: 1 } }] },
      { oneOf: [...many, { title: 'anything' }] },
      { oneOf: [...many, true] },
      { enum: ['k1'], oneOf: many },
      { const: { oneOf: many } },
      { properties: { a: { oneOf: many }, b: { $ref: '#/properties/a/oneOf/3' } } },
    ]) {
      assert.deepEqual(withPlainOptions(schema), schema);
    }
  });
});
