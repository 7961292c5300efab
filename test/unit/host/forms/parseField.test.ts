import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FieldInput, FormField, Parsed } from '../../../../src/host/forms/form.ts';
import { initialInput, parseField } from '../../../../src/host/forms/parseField.ts';
import { checkHere } from '../../../../src/host/forms/checking.ts';
import { readingForm } from '../../../../src/host/forms/readForm.ts';
import { createSchemaChecker } from '../../../../src/entries/schemas.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const checker = createSchemaChecker();
type Schema = Readonly<Record<string, unknown>>;

function field(schema: Schema, isRequired: boolean): FormField {
  const whole = {
    type: 'object',
    properties: { key: schema },
    required: isRequired ? ['key'] : [],
  };
  const [only] = checkHere(readingForm(whole, '2025-11-25'), checker).fields;
  return only ?? assert.fail();
}

const parse = (schema: Schema, input: FieldInput, isRequired = false): Parsed =>
  parseField(field(schema, isRequired), input, checker);

const value = (of: string | number | boolean | readonly string[]): Parsed => ({
  kind: 'value',
  value: of,
});
const absent: Parsed = { kind: 'absent' };
const problem = (kind: string, more: object = {}) => ({
  kind: 'problem',
  problem: { kind, ...more },
});

const text = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };
const choice = { type: 'string', enum: ['r', 'g', 'b'] };
const choices = { type: 'array', items: { type: 'string', enum: ['r', 'g', 'b'] } };

const taken: readonly (readonly [
  Schema,
  FieldInput,
  string | number | boolean | readonly string[],
])[] = [
  [text, ' as typed ', ' as typed '],
  [text, '0', '0'],
  [{ ...text, default: '' }, '', ''],
  [{ ...text, maxLength: 2 }, '👍👍', '👍👍'],
  [{ ...text, format: 'email' }, 'ada@example.com', 'ada@example.com'],
  [{ ...text, format: 'uri' }, 'urn:isbn:0451450523', 'urn:isbn:0451450523'],
  [{ ...text, format: 'date' }, '2024-02-29', '2024-02-29'],
  [{ ...text, format: 'date-time' }, '2024-02-29T23:59:00Z', '2024-02-29T23:59:00Z'],
  [{ ...text, format: 'date-time' }, '2024-02-29T23:59:00+01:00', '2024-02-29T23:59:00+01:00'],
  [{ ...text, format: 'no-such-format' }, 'x', 'x'],
  [{ ...text, pattern: '^[A-Z]{2}\\d$' }, 'AB1', 'AB1'],
  [number, '3.14', 3.14],
  [number, ' -2 ', -2],
  [number, '+.5e1', 5],
  [number, '0', 0],
  [number, '-0', 0],
  [number, '5.', 5],
  [integer, '42', 42],
  [integer, '42.0', 42],
  [integer, '+007', 7],
  [number, '590295810358705700000', 590295810358705700000],
  [{ ...integer, minimum: 0, maximum: 0 }, '0', 0],
  [{ type: 'boolean' }, false, false],
  [{ type: 'boolean' }, true, true],
  [choice, 'g', 'g'],
  [{ type: 'string', enum: ['', 'r'] }, '', ''],
  [choices, ['b', 'r'], ['r', 'b']],
  [{ ...choices, default: [] }, [], []],
];

const refused: readonly (readonly [Schema, FieldInput, ReturnType<typeof problem>])[] = [
  [{ ...text, minLength: 3 }, 'ab', problem('tooShort', { limit: 3, length: 2 })],
  [{ ...text, minLength: 3 }, '👍👍', problem('tooShort', { limit: 3, length: 2 })],
  [{ ...text, maxLength: 3 }, 'abcd', problem('tooLong', { limit: 3, length: 4 })],
  [{ ...text, format: 'email' }, 'a@', problem('format', { format: 'email' })],
  [{ ...text, format: 'email' }, '@', problem('format', { format: 'email' })],
  [{ ...text, format: 'uri' }, 'example.com', problem('format', { format: 'uri' })],
  [{ ...text, format: 'date' }, '2023-02-29', problem('format', { format: 'date' })],
  [{ ...text, format: 'date' }, '1.2.2024', problem('format', { format: 'date' })],
  [
    { ...text, format: 'date-time' },
    '2024-02-29T23:59:00',
    problem('format', { format: 'date-time' }),
  ],
  [{ ...text, pattern: '^a$' }, 'b', problem('pattern', { pattern: '^a$' })],
  ...['abc', '1,5', '0x10', 'Infinity', 'NaN', '1_000', '--1', '.', 'e5', '1e999'].map(
    (typed) => [number, typed, problem('notANumber')] as const,
  ),
  [integer, '1.5', problem('notAnInteger')],
  [integer, '9007199254740993', problem('notExact')],
  [integer, '-9007199254740993', problem('notExact')],
  [{ ...number, minimum: 1 }, '0.9', problem('tooSmall', { limit: 1 })],
  [{ ...number, maximum: 0 }, '1', problem('tooLarge', { limit: 0 })],
  [{ ...choices, minItems: 2 }, ['r'], problem('tooFew', { limit: 2, count: 1 })],
  [{ ...choices, maxItems: 1 }, ['r', 'g'], problem('tooMany', { limit: 1, count: 2 })],
];

const empties: readonly (readonly [Schema, FieldInput])[] = [
  [text, ''],
  [{ ...text, minLength: 1 }, ''],
  [{ ...text, default: 'x' }, ''],
  [number, ''],
  [integer, '  '],
  [{ ...number, default: 0 }, ''],
  [{ type: 'boolean' }, undefined],
  [{ type: 'boolean', default: false }, undefined],
  [choice, undefined],
  [{ ...choices, minItems: 1 }, []],
  [{ ...choices, default: ['r'] }, []],
];

describe('parseField', () => {
  for (const [schema, input, expected] of taken) {
    it(`ELIC-09 to ELIC-15: ${JSON.stringify(input)} in ${JSON.stringify(schema)}`, () => {
      assert.deepEqual(parse(schema, input), value(expected));
      assert.deepEqual(parse(schema, input, true), value(expected));
    });
  }
  for (const [schema, input, expected] of refused) {
    it(`ELIC-18: not ${JSON.stringify(input)} in ${JSON.stringify(schema)}`, () => {
      assert.deepEqual(parse(schema, input), expected);
      assert.deepEqual(parse(schema, input, true), expected);
    });
  }
  for (const [schema, input] of empties) {
    it(`ELIC-17: ${JSON.stringify(input)} is no answer in ${JSON.stringify(schema)}`, () => {
      assert.deepEqual(parse(schema, input), absent);
    });
  }

  it('ELIC-17: a required field has to be answered', () => {
    for (const schema of [text, number, integer, { type: 'boolean' }, choice]) {
      assert.deepEqual(parse(schema, initialInput(field(schema, true)), true), problem('required'));
    }
  });

  it('ELIC-15: nothing chosen is an answer where one is required', () => {
    assert.deepEqual(parse(choices, [], true), value([]));
    assert.deepEqual(
      parse({ ...choices, minItems: 1 }, [], true),
      problem('tooFew', { limit: 1, count: 0 }),
    );
  });

  it('ELIC-13: a label is no value', () => {
    const named = { ...choice, enumNames: ['Red', 'Green', 'Blue'] };
    assert.equal(parse(named, 'Red').kind, 'problem');
  });

  it('tells rules of the schema that the protocol does not name', () => {
    for (const [schema, input] of [
      [{ ...number, exclusiveMinimum: 0 }, '0'],
      [{ ...integer, multipleOf: 5 }, '7'],
      [{ ...integer, enum: [1, 2] }, '3'],
      [{ ...text, const: 'yes' }, 'no'],
    ] as const) {
      const parsed = parse(schema, input);
      assert.ok(parsed.kind === 'problem' && parsed.problem.kind === 'other');
      assert.notEqual(parsed.problem.sentence, '');
    }
  });

  it('tells long rows of digits from numbers in no time', () => {
    for (const input of ['1'.repeat(100_000), '0'.repeat(100_000)]) {
      const took = cpuMsOf(() => {
        assert.deepEqual(parse(number, `${input}x`), problem('notANumber'));
        parse(integer, `${input}.0`);
      });
      assert.ok(took < 1_000, `${took} ms`);
    }
  });

  it('ELIC-16, ELI-08: begins with every default, falsy ones too', () => {
    for (const [schema, input] of [
      [{ ...text, default: 'x' }, 'x'],
      [{ ...text, default: '' }, ''],
      [{ ...number, default: 0 }, '0'],
      [{ ...number, default: 0.1 }, '0.1'],
      [{ type: 'boolean', default: false }, false],
      [{ ...choice, default: 'g' }, 'g'],
      [{ ...choices, default: ['r', 'g'] }, ['r', 'g']],
      [{ ...choices, default: [] }, []],
      [text, ''],
      [number, ''],
      [{ type: 'boolean' }, undefined],
      [choice, undefined],
      [choices, []],
    ] as const) {
      assert.deepEqual(initialInput(field(schema, false)), input);
      if ('default' in schema) {
        assert.deepEqual(parse(schema, input), value(schema.default));
      }
    }
  });
});
