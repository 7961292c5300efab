import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FormField } from '../../../../src/host/forms/form.ts';
import { checkHere } from '../../../../src/host/forms/checking.ts';
import {
  maxFields,
  maxReadMs,
  readForm,
  readingForm,
} from '../../../../src/host/forms/readForm.ts';
import { isRpcError } from '../../../../src/mcp/errors.ts';
import type { Revision } from '../../../../src/mcp/revisions.ts';
import type { JsonSchema } from '../../../../src/mcp/types/lists.ts';
import { createSchemaChecker } from '../../../../src/entries/schemas.ts';

const checker = createSchemaChecker();

const readNow = (schema: JsonSchema, revision: Revision) =>
  checkHere(readingForm(schema, revision), checker);

function formOf(
  properties: Readonly<Record<string, unknown>>,
  required?: readonly string[],
  revision: Revision = '2025-11-25',
) {
  const schema = { type: 'object', properties, ...(required && { required }) };
  return readNow(schema, revision);
}

/** The one field of a form, without what every field has. */
function kindOf(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const [field] = formOf({ key: schema }).fields;
  assert.ok(field);
  const { key: _key, label: _label, isRequired: _isRequired, schema: _schema, ...kind } = field;
  return kind;
}

function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    assert.ok(isRpcError(error));
    assert.equal(error.rpcCode, -32602);
    return error.message;
  }
  return assert.fail('was not refused');
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
    it(rule, () => assert.deepEqual(kindOf({ ...schema }), kind));
  }

  it('ELIC-17: labels, describes and requires fields, in the order of the schema', () => {
    const { fields } = formOf(
      { b: { type: 'string', title: 'Bee', description: 'Buzz' }, a: { type: 'boolean' } },
      ['a'],
    );
    assert.deepEqual(
      fields.map(({ key, label, description, isRequired }) => [
        key,
        label,
        description,
        isRequired,
      ]),
      [
        ['b', 'Bee', 'Buzz', false],
        ['a', 'a', undefined, true],
      ],
    );
  });

  it('reads a form without fields', () => {
    assert.deepEqual(formOf({}).fields, []);
    assert.deepEqual(readNow({ type: 'object' }, '2025-06-18').fields, []);
  });

  it('ELIC-16: a default that breaks its own field is none', () => {
    for (const schema of [
      { type: 'string', default: 5 },
      { type: 'string', maxLength: 2, default: 'long' },
      { type: 'integer', default: 1.5 },
      { type: 'integer', default: '7' },
      { type: 'boolean', default: 'true' },
      { type: 'string', enum: ['r'], default: 'x' },
      { type: 'array', items: { type: 'string', enum: ['r'] }, default: ['x'] },
      { type: 'array', items: { type: 'string', enum: ['r'] }, minItems: 1, default: [] },
    ]) {
      assert.equal('default' in kindOf(schema), false, JSON.stringify(schema));
    }
  });

  it('ELIC-08: names the field that is nested or of an unknown kind', () => {
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
      const message = refusalOf(() => formOf({ fine: { type: 'string' }, 'my field': schema }));
      assert.match(message, /"my field"/, JSON.stringify(schema));
    }
  });

  it('ELIC-20: a list is asked for in 2025-11-25 alone', () => {
    const list = { type: 'array', items: { type: 'string', enum: ['r'] } };
    assert.match(
      refusalOf(() => formOf({ list }, [], '2025-06-18')),
      /"list".*2025-06-18/,
    );
  });

  it('refuses what no answer could fit, or nobody could fill in', () => {
    assert.match(
      refusalOf(() => readNow({ type: 'string' }, '2025-11-25')),
      /"object"/,
    );
    assert.match(
      refusalOf(() => readNow({ type: 'object', properties: [] }, '2025-11-25')),
      /"properties"/,
    );
    assert.match(
      refusalOf(() => formOf({}, ['ghost'])),
      /"ghost"/,
    );
    const many = Array.from({ length: maxFields + 1 }, (_, index) => [
      `f${index}`,
      { type: 'string' },
    ]);
    assert.match(
      refusalOf(() => formOf(Object.fromEntries(many))),
      /101 fields/,
    );
    assert.match(
      refusalOf(() =>
        readNow(
          { $schema: 'http://json-schema.org/draft-03/schema', type: 'object', properties: {} },
          '2025-11-25',
        ),
      ),
      /draft-03/,
    );
  });

  it('ELIC-21: flags a field that asks for a secret', () => {
    const [field]: readonly (FormField | undefined)[] = formOf({
      apiKey: { type: 'string' },
    }).fields;
    assert.ok(field?.kind === 'text' && field.seemsSecret);
  });

  it('ELIC-08: bounds the time for all fields together, and holds up nobody meanwhile', async function () {
    this.timeout(30_000);
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
