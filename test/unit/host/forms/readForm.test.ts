import assert from 'node:assert/strict';
import { maxFields, maxOptions, maxReadMs, readForm } from '../../../../src/host/forms/readForm.ts';
import { isRpcError } from '../../../../src/mcp/errors.ts';
import type { Revision } from '../../../../src/mcp/revisions.ts';
import { createSchemaChecker } from '../../../../src/entries/schemas.ts';
import { checker, formOf } from '../../../support/readForm.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The one field of a form, without what every field has. */
async function kindOf(schema: Schema): Promise<Schema> {
  const [field] = (await formOf({ properties: { key: schema } })).fields;
  assert.ok(field);
  const { key: _key, label: _label, isRequired: _isRequired, schema: _schema, ...kind } = field;
  return kind;
}

async function isRefused(
  schema: Schema,
  message: RegExp,
  revision: Revision = '2025-11-25',
): Promise<void> {
  await assert.rejects(readForm({ type: 'object', ...schema }, revision, checker), {
    rpcCode: -32602,
    message,
  });
}

const colours = [
  { value: 'r', label: 'Red' },
  { value: 'g', label: 'Green' },
];
const plain = [
  { value: 'r', label: 'r' },
  { value: 'g', label: 'g' },
];
const consts = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
];

const kinds: readonly (readonly [rule: string, schema: object, kind: object])[] = [
  ['ELIC-09: a string', { type: 'string' }, { kind: 'text', seemsSecret: false }],
  [
    'ELIC-09: a string with lengths, format and pattern',
    { type: 'string', minLength: 2, maxLength: 60, format: 'email', pattern: '@example' },
    {
      kind: 'text',
      format: 'email',
      pattern: '@example',
      minLength: 2,
      maxLength: 60,
      seemsSecret: false,
    },
  ],
  [
    'ELIC-16: a string with an empty default',
    { type: 'string', default: '' },
    { kind: 'text', default: '', seemsSecret: false },
  ],
  [
    'ELIC-10: a number',
    { type: 'number' },
    { kind: 'number', isInteger: false, seemsSecret: false },
  ],
  [
    'ELIC-10, ELIC-16: an integer with bounds and a default of 0',
    { type: 'integer', minimum: -3, maximum: 3, default: 0 },
    { kind: 'number', isInteger: true, minimum: -3, maximum: 3, default: 0, seemsSecret: false },
  ],
  ['ELIC-11: a boolean', { type: 'boolean' }, { kind: 'boolean' }],
  [
    'ELIC-11, ELIC-16: a boolean with default false',
    { type: 'boolean', default: false },
    { kind: 'boolean', default: false },
  ],
  [
    'ELIC-12: a plain choice',
    { type: 'string', enum: ['r', 'g'], default: 'g' },
    { kind: 'choice', options: plain, default: 'g' },
  ],
  ['a choice without a type', { enum: ['r', 'g'] }, { kind: 'choice', options: plain }],
  [
    'ELIC-13: a choice with enumNames',
    { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
    { kind: 'choice', options: colours },
  ],
  [
    'ELIC-13: a choice with too few enumNames',
    { type: 'string', enum: ['r', 'g'], enumNames: ['Red'] },
    { kind: 'choice', options: [colours[0], plain[1]] },
  ],
  [
    'ELIC-14: a choice of const and title',
    { type: 'string', oneOf: consts },
    { kind: 'choice', options: colours },
  ],
  [
    'ELIC-15: several of a plain choice',
    { type: 'array', items: { type: 'string', enum: ['r', 'g'] }, minItems: 1, maxItems: 2 },
    { kind: 'choices', options: plain, minItems: 1, maxItems: 2 },
  ],
  [
    'ELIC-15, ELIC-16: several of a titled choice, with default []',
    { type: 'array', items: { anyOf: consts }, default: [] },
    { kind: 'choices', options: colours, default: [] },
  ],
  [
    'an optional string as generators write it',
    { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }], default: null },
    { kind: 'text', minLength: 1, seemsSecret: false },
  ],
  [
    'an optional integer as generators write it',
    { type: ['integer', 'null'] },
    { kind: 'number', isInteger: true, seemsSecret: false },
  ],
];

describe('readForm', () => {
  for (const [rule, schema, kind] of kinds) {
    it(rule, async () => assert.deepEqual(await kindOf({ ...schema }), kind));
  }

  it('ELIC-17: labels, describes and requires fields, in the order of the schema', async () => {
    const { fields } = await formOf({
      properties: {
        b: { type: 'string', title: 'Bee', description: 'Buzz' },
        a: { type: 'boolean' },
      },
      required: ['a'],
    });
    assert.partialDeepStrictEqual(fields, [
      { key: 'b', label: 'Bee', description: 'Buzz', isRequired: false },
      { key: 'a', label: 'a', isRequired: true },
    ]);
  });

  it('reads a form without fields', async () => {
    assert.deepEqual((await formOf({ properties: {} })).fields, []);
    assert.deepEqual((await formOf({})).fields, []);
  });

  for (const schema of [
    { type: 'object', properties: {} },
    { type: 'array', items: { type: 'string' } },
    { type: 'array', items: { type: 'object' } },
    { type: 'array' },
    { type: 'null' },
    { type: ['string', 'number'] },
    { $ref: '#/$defs/colour' },
    { anyOf: [{ type: 'string' }, { type: 'number' }] },
    { type: 'string', enum: [1, 2] },
    { type: 'string', enum: [] },
    {},
    true,
    null,
  ]) {
    it(`ELIC-08: names the field that is nested or of an unknown kind: ${JSON.stringify(schema)}`, () =>
      isRefused({ properties: { fine: { type: 'string' }, 'my field': schema } }, /"my field"/));
  }

  const list = { type: 'array', items: { type: 'string', enum: ['r'] } };
  const tooMany = Object.fromEntries(
    Array.from({ length: maxFields + 1 }, (_, n) => [`f${n}`, {}]),
  );
  const many = { type: 'string', enum: Array.from({ length: maxOptions + 1 }, (_, n) => `${n}`) };
  for (const [what, schema, message, revision] of [
    [
      'ELIC-20: a list before 2025-11-25',
      { properties: { list } },
      /"list".*2025-06-18/,
      '2025-06-18',
    ],
    ['what is no object', { type: 'string' }, /"object"/],
    ['fields that are no object', { properties: [] }, /"properties"/],
    ['a required field that does not exist', { required: ['ghost'] }, /"ghost"/],
    ['more fields than anybody fills in', { properties: tooMany }, /101 fields/],
    ['more choices than anybody reads', { properties: { many } }, /offers 1001 choices/],
    ['an unknown dialect', { $schema: 'http://json-schema.org/draft-03/schema' }, /draft-03/],
  ] as const) {
    it(`refuses what nobody could answer: ${what}`, () => isRefused(schema, message, revision));
  }

  it('ELIC-21: flags a field that asks for a secret', async () => {
    const [field] = (await formOf({ properties: { apiKey: { type: 'string' } } })).fields;
    assert.ok(field?.kind === 'text' && field.seemsSecret);
  });

  it('ELIC-08: bounds the time for all fields together, and holds up nobody meanwhile', async () => {
    // In linear time each takes more than the thread would give it, and there are many.
    const properties = Object.fromEntries(
      Array.from({ length: maxFields }, (_, n) => [
        `f${n}`,
        {
          type: 'string',
          pattern: `(?=xx)|^(a+)+$|x{${n + 1}}`,
          default: `${'a'.repeat(40)}!`,
        },
      ]),
    );
    const busy = createSchemaChecker();
    let longest = 0;
    let last = performance.now();
    const watch = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const start = performance.now();
    try {
      await assert.rejects(
        readForm({ type: 'object', properties }, '2025-11-25', busy),
        (error: unknown) => isRpcError(error) && error.rpcCode === -32602,
      );
    } finally {
      clearInterval(watch);
      busy.dispose();
    }
    assert.ok(performance.now() - start < maxReadMs + 3_000);
    assert.ok(longest < 700, `nothing else ran for ${longest} ms`);
  });
});
