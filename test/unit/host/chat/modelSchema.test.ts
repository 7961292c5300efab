import assert from 'node:assert/strict';
import { modelSchema } from '../../../../src/host/chat/modelSchema.ts';
import type { JsonSchema } from '../../../../src/mcp/types/lists.ts';
import { manyMembers } from '../../../support/manyMembers.ts';

const text = { type: 'string' };

const number = { type: 'number' };

/** A member as the server describes it, and as the model gets it. */
const members: readonly (readonly [string, unknown, unknown])[] = [
  ['no type', { properties: { b: text } }, { type: 'object', properties: { b: text } }],
  ['an array without items', { type: 'array' }, { type: 'array', items: {} }],
  ['items that are true', { type: 'array', items: true }, { type: 'array', items: {} }],
  [
    'a tuple of draft-07',
    { type: 'array', items: [text, number, text] },
    { type: 'array', items: { anyOf: [text, number] } },
  ],
  [
    'a tuple of 2020-12',
    { prefixItems: [text, text], items: false },
    { type: 'array', items: text },
  ],
  [
    'bounds of draft-04',
    { ...number, minimum: 1, exclusiveMinimum: true },
    { ...number, minimum: 1 },
  ],
  ['required of draft-03', { ...text, required: true }, text],
  ['a type of no language', { type: 'any' }, {}],
  ['a text or null', { type: ['string', 'null'] }, text],
  ['a choice of null', { anyOf: [text, { type: 'null' }] }, text],
  [
    'several types',
    { type: ['string', 'array'], description: 'd' },
    { description: 'd', anyOf: [text, { type: 'array', items: {} }] },
  ],
  ['a const', { const: 1 }, { enum: [1] }],
  ['an empty enum', { ...text, enum: [] }, text],
  ['an enum without a type', { enum: ['x'] }, { enum: ['x'] }],
  ['true', true, {}],
  ['a reference', { $ref: '#/$defs/name', description: 'mine' }, { ...text, description: 'mine' }],
  ['a reference with escapes, through another one', { $ref: '#/$defs/a~1b' }, text],
  ['a reference to itself', { $ref: '#/$defs/self' }, {}],
  ['a reference that leads out', { $ref: 'https://example.com/s.json' }, {}],
  [
    'a tree',
    { $ref: '#/$defs/node' },
    { type: 'object', properties: { next: {}, all: { type: 'array', items: {} } } },
  ],
  ['oneOf', { oneOf: [text, number] }, { anyOf: [text, number] }],
  ['allOf', { allOf: [text, { minLength: 1 }] }, { ...text, minLength: 1 }],
  ['keywords that providers refuse', { ...text, contentEncoding: 'base64', examples: ['x'] }, text],
];

const $defs = {
  name: { ...text, description: 'theirs' },
  'a/b': { $ref: '#/$defs/c' },
  c: text,
  self: { $ref: '#/$defs/self' },
  node: {
    type: 'object',
    properties: { next: { $ref: '#/$defs/node' }, all: { items: { $ref: '#/$defs/node' } } },
  },
};

/** A whole input, likewise; the model gets an object with properties. */
const wholes: readonly (readonly [string, JsonSchema, object])[] = [
  ['nothing at all', {}, {}],
  [
    'a plain object',
    { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false },
    { properties: { a: text }, required: ['a'], additionalProperties: false },
  ],
  ['an object or null', { type: ['object', 'null'] }, {}],
  [
    'keywords that providers refuse',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'x',
      if: { required: ['a'] },
      else: {},
      patternProperties: { '^x': text },
      dependentRequired: { a: ['b'] },
      not: {},
    },
    {},
  ],
  [
    'a required member that is not declared',
    { required: ['a', 'a'] },
    { properties: { a: {} }, required: ['a'] },
  ],
  [
    'a required member that every object inherits',
    { required: ['constructor'] },
    { properties: { constructor: {} }, required: ['constructor'] },
  ],
  [
    'an anchor that is no text, and cannot be made one',
    JSON.parse('{"properties": {"a": {"$dynamicAnchor": {"toString": null}}}}'),
    { properties: { a: {} } },
  ],
  ['a member whose schema is false', { properties: { b: false } }, {}],
  ['an optional member with a name that no model can write', { properties: { 'a b': text } }, {}],
  [
    'allOf at the top',
    { allOf: [{ properties: { a: text }, required: ['a'] }, { properties: { b: text } }] },
    { properties: { a: text, b: text }, required: ['a'] },
  ],
  [
    'choices at the top',
    {
      properties: { kind: text },
      required: ['kind'],
      oneOf: [
        { properties: { a: text }, required: ['a', 'id'] },
        { properties: { b: text }, required: ['b', 'id'] },
      ],
    },
    { properties: { kind: text, a: text, b: text, id: {} }, required: ['kind', 'id'] },
  ],
  [
    'additional members by a schema',
    { additionalProperties: { type: 'array' } },
    { additionalProperties: { type: 'array', items: {} } },
  ],
];

/** What it is → the server's schema → why the tool is left out. */
const refused: readonly (readonly [string, JsonSchema, RegExp])[] = [
  ['an input that is no object', { type: 'string' }, /of type string, not an object/u],
  ['an input that is a list', { type: ['array', 'null'] }, /of type array or null/u],
  [
    'a required member with a name that no model can write',
    { properties: { 'a b': text }, required: ['a b'] },
    /a member with the name "a b"/u,
  ],
  ['a nesting without end', nested(200), /nested deeper/u],
  [
    'a schema longer than a book',
    { properties: { a: { description: 'x'.repeat(200_000) } } },
    /longer than/u,
  ],
];

function nested(depth: number): JsonSchema {
  let schema: JsonSchema = text;
  for (let level = 0; level < depth; level += 1) {
    schema = { type: 'object', properties: { a: schema } };
  }
  return schema;
}

function many<T>(count: number, make: (n: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

function to(n: number): JsonSchema {
  return { $ref: `#/$defs/a${n}` };
}

function repairs(schema: JsonSchema, expected: object): void {
  const outcome = modelSchema(schema);
  assert.ok(outcome.kind === 'usable');
  const whole = { type: 'object', properties: {}, ...expected };
  assert.deepEqual(JSON.parse(JSON.stringify(outcome.schema)), whole);
}

describe('modelSchema', () => {
  for (const [what, member, expected] of members) {
    it(`repairs a member: ${what}`, () =>
      repairs({ $defs, properties: { member } }, { properties: { member: expected } }));
  }

  for (const [what, schema, expected] of wholes) {
    it(`repairs an input: ${what}`, () => repairs(schema, expected));
  }

  for (const [what, schema, reason] of refused) {
    it(`leaves out ${what}`, () => {
      const outcome = modelSchema(schema);
      assert.ok(outcome.kind === 'unusable');
      assert.match(outcome.reason, reason);
    });
  }

  it('changes nothing of the schema that came from the server', () => {
    const schema = { allOf: [{ properties: { a: { type: 'array' } } }] };
    const before = JSON.stringify(schema);
    modelSchema(schema);
    assert.equal(JSON.stringify(schema), before);
  });

  it('SCH-07: holds nobody up, however parts and references multiply', () => {
    const wide = manyMembers(5_000, () => ({}));
    const twice = (n: number): JsonSchema => ({ properties: { a: to(n + 1), b: to(n + 1) } });
    const hostile: readonly JsonSchema[] = [
      { allOf: many(8_000, (n) => ({ properties: { [`a${n}`]: {} } })) },
      { allOf: [to(0)], $defs: manyMembers(60, (n) => ({ allOf: many(3, () => to(n + 1)) })) },
      { properties: manyMembers(4_000, () => to(0)), $defs: manyMembers(8_000, (n) => to(n + 1)) },
      { properties: manyMembers(6_000, () => to(0)), $defs: { a0: manyMembers(15_000, () => 1) } },
      { allOf: many(5_000, () => to(0)), $defs: { a0: { properties: wide } } },
      { properties: { a: { properties: wide, anyOf: many(5_000, () => ({})) } } },
      { anyOf: many(2, () => ({ required: many(20_000, String) })) },
      { properties: { a: to(0) }, $defs: manyMembers(30, twice) },
    ];
    const kinds = hostile.map((schema) => modelSchema({ type: 'object', ...schema }).kind);
    const [usable, unusable] = ['usable', 'unusable'];
    const expected = [...many(5, () => usable), ...many(3, () => unusable)];
    assert.deepEqual(kinds, expected);
  });
});
