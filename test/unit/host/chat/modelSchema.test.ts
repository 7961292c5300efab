import assert from 'node:assert/strict';
import { modelSchema } from '../../../../src/host/chat/modelSchema.ts';
import type { JsonSchema } from '../../../../src/mcp/types/lists.ts';
import { manyMembers } from '../../../support/manyMembers.ts';

const text = { type: 'string' };

/** What it is → the server's schema → the schema for the model. */
const repaired: readonly (readonly [string, JsonSchema, unknown])[] = [
  ['nothing at all', {}, { type: 'object', properties: {} }],
  [
    'a plain object',
    { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false },
    { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false },
  ],
  [
    'no type',
    { properties: { a: { properties: { b: text } } } },
    {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: text } } },
    },
  ],
  ['an object or null', { type: ['object', 'null'] }, { type: 'object', properties: {} }],
  [
    'an array without items',
    { properties: { a: { type: 'array' } } },
    { type: 'object', properties: { a: { type: 'array', items: {} } } },
  ],
  [
    'items that are true',
    { properties: { a: { type: 'array', items: true } } },
    { type: 'object', properties: { a: { type: 'array', items: {} } } },
  ],
  [
    'a tuple of draft-07',
    { properties: { a: { type: 'array', items: [text, { type: 'number' }, text] } } },
    {
      type: 'object',
      properties: { a: { type: 'array', items: { anyOf: [text, { type: 'number' }] } } },
    },
  ],
  [
    'a tuple of 2020-12',
    { properties: { a: { prefixItems: [text, text], items: false } } },
    { type: 'object', properties: { a: { type: 'array', items: text } } },
  ],
  [
    'keywords that providers refuse',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'x',
      properties: { a: { ...text, contentEncoding: 'base64', examples: ['x'] } },
      if: { required: ['a'] },
      else: {},
      patternProperties: { '^x': text },
      dependentRequired: { a: ['b'] },
      not: {},
    },
    { type: 'object', properties: { a: text } },
  ],
  [
    'bounds of draft-04',
    { properties: { a: { type: 'number', minimum: 1, exclusiveMinimum: true } } },
    { type: 'object', properties: { a: { type: 'number', exclusiveMinimum: 1 } } },
  ],
  [
    'required of draft-03',
    { properties: { a: { ...text, required: true } } },
    { type: 'object', properties: { a: text } },
  ],
  [
    'types of other languages',
    { properties: { a: { type: 'int' }, b: { type: 'dict' }, c: { type: 'any' } } },
    { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'object' }, c: {} } },
  ],
  [
    'a nullable member',
    { properties: { a: { type: ['string', 'null'] }, b: { anyOf: [text, { type: 'null' }] } } },
    { type: 'object', properties: { a: text, b: text } },
  ],
  [
    'a member of several types',
    { properties: { a: { type: ['string', 'array'], description: 'd' } } },
    {
      type: 'object',
      properties: { a: { description: 'd', anyOf: [text, { type: 'array', items: {} }] } },
    },
  ],
  [
    'const and an empty enum',
    { properties: { a: { const: 1 }, b: { ...text, enum: [] }, c: { enum: ['x'] } } },
    { type: 'object', properties: { a: { enum: [1] }, b: text, c: { enum: ['x'] } } },
  ],
  [
    'a required member that is not declared',
    { type: 'object', required: ['a', 'a'] },
    { type: 'object', properties: { a: {} }, required: ['a'] },
  ],
  [
    'members that are schemas of true and false',
    { properties: { a: true, b: false } },
    { type: 'object', properties: { a: {} } },
  ],
  [
    'an optional member with a name that no model can write',
    { properties: { 'a b': text, c: text } },
    { type: 'object', properties: { c: text } },
  ],
  [
    'a reference',
    {
      properties: { a: { $ref: '#/$defs/name', description: 'mine' } },
      $defs: { name: { ...text, description: 'theirs' } },
    },
    { type: 'object', properties: { a: { ...text, description: 'mine' } } },
  ],
  [
    'a reference with escapes, through another one',
    {
      properties: { a: { $ref: '#/definitions/a~1b' } },
      definitions: { 'a/b': { $ref: '#/definitions/c' }, c: text },
    },
    { type: 'object', properties: { a: text } },
  ],
  [
    'a reference to itself',
    { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/a' } } },
    { type: 'object', properties: { a: {} } },
  ],
  [
    'a reference that leads out',
    { properties: { a: { $ref: 'https://example.com/s.json' } } },
    { type: 'object', properties: { a: {} } },
  ],
  [
    'a tree',
    {
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: {
        node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/node' }, all: { items: { $ref: '#/$defs/node' } } },
        },
      },
    },
    {
      type: 'object',
      properties: {
        root: { type: 'object', properties: { next: {}, all: { type: 'array', items: {} } } },
      },
    },
  ],
  [
    'allOf at the top and inside',
    {
      allOf: [
        { properties: { a: text }, required: ['a'] },
        { properties: { b: { allOf: [text, { minLength: 1 }] } } },
      ],
    },
    {
      type: 'object',
      properties: { a: text, b: { ...text, minLength: 1 } },
      required: ['a'],
    },
  ],
  [
    'choices at the top',
    {
      type: 'object',
      properties: { kind: text },
      required: ['kind'],
      oneOf: [
        { properties: { a: text }, required: ['a', 'id'] },
        { properties: { b: text }, required: ['b', 'id'] },
      ],
    },
    {
      type: 'object',
      properties: { kind: text, a: text, b: text, id: {} },
      required: ['kind', 'id'],
    },
  ],
  [
    'oneOf inside',
    { properties: { a: { oneOf: [text, { type: 'number' }] } } },
    { type: 'object', properties: { a: { anyOf: [text, { type: 'number' }] } } },
  ],
  [
    'additional members by a schema',
    { type: 'object', additionalProperties: { type: 'array' } },
    { type: 'object', properties: {}, additionalProperties: { type: 'array', items: {} } },
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

describe('modelSchema', () => {
  for (const [what, schema, expected] of repaired) {
    it(`repairs ${what}`, () => {
      const outcome = modelSchema(schema);
      assert.ok(outcome.kind === 'usable');
      assert.deepEqual(JSON.parse(JSON.stringify(outcome.schema)), expected);
    });
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
    const hostile: readonly JsonSchema[] = [
      { allOf: many(8_000, (n) => ({ properties: { [`a${n}`]: {} } })) },
      { allOf: [to(0)], $defs: manyMembers(60, (n) => ({ allOf: many(3, () => to(n + 1)) })) },
      { properties: manyMembers(4_000, () => to(0)), $defs: manyMembers(8_000, (n) => to(n + 1)) },
      { properties: manyMembers(6_000, () => to(0)), $defs: { a0: manyMembers(15_000, () => 1) } },
      { allOf: many(5_000, () => to(0)), $defs: { a0: { properties: wide } } },
      { properties: { a: { properties: wide, anyOf: many(5_000, () => ({})) } } },
      { anyOf: many(2, () => ({ required: many(20_000, String) })) },
    ];
    const kinds = hostile.map((schema) => modelSchema({ type: 'object', ...schema }).kind);
    const [usable, unusable] = ['usable', 'unusable'];
    assert.deepEqual(kinds, [usable, usable, usable, usable, usable, unusable, unusable]);
  });

  it('takes a member that every object has for none that is described', () => {
    const outcome = modelSchema({ type: 'object', required: ['constructor'] });
    assert.ok(outcome.kind === 'usable');
    assert.deepEqual(outcome.schema['required'], ['constructor']);
  });

  it('takes an anchor that is no text, and cannot be made one, for none', () => {
    const anchor: unknown = JSON.parse('{"$dynamicAnchor":{"toString":null}}');
    const outcome = modelSchema({ type: 'object', properties: { a: anchor } });
    assert.ok(outcome.kind === 'usable');
    assert.deepEqual(outcome.schema['properties'], { a: {} });
  });

  it('stays small for definitions that multiply', () => {
    const defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `d${n}`,
        {
          type: 'object',
          properties: { a: { $ref: `#/$defs/d${n + 1}` }, b: { $ref: `#/$defs/d${n + 1}` } },
        },
      ]),
    );
    const outcome = modelSchema({ properties: { a: { $ref: '#/$defs/d0' } }, $defs: defs });
    assert.equal(outcome.kind, 'unusable');
  });
});
