import assert from 'node:assert/strict';
import type { FieldInput, FormField, Parsed } from '../../../../src/host/forms/form.ts';
import { initialInput, parseField } from '../../../../src/host/forms/parseField.ts';
import { McpError } from '../../../../src/mcp/errors.ts';
import { checker, formOf } from '../../../support/readForm.ts';

type Schema = Readonly<Record<string, unknown>>;

async function field(schema: Schema, isRequired: boolean): Promise<FormField> {
  const form = await formOf({
    properties: { key: schema },
    ...(isRequired && { required: ['key'] }),
  });
  return form.fields[0] ?? assert.fail();
}

async function parse(schema: Schema, input: FieldInput, isRequired = false): Promise<Parsed> {
  return parseField(await field(schema, isRequired), input, checker);
}

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
  [{ ...text, minLength: 3 }, 'ab', problem('tooShort', { limit: 3, given: 2 })],
  [{ ...text, minLength: 3 }, '👍👍', problem('tooShort', { limit: 3, given: 2 })],
  [{ ...text, maxLength: 3 }, 'abcd', problem('tooLong', { limit: 3, given: 4 })],
  [{ ...text, format: 'email' }, 'a@', problem('format', { rule: 'email' })],
  [{ ...text, format: 'email' }, '@', problem('format', { rule: 'email' })],
  [{ ...text, format: 'uri' }, 'example.com', problem('format', { rule: 'uri' })],
  [{ ...text, format: 'date' }, '2023-02-29', problem('format', { rule: 'date' })],
  [{ ...text, format: 'date' }, '1.2.2024', problem('format', { rule: 'date' })],
  [{ ...text, format: 'date-time' }, '2023-02-29 23:59', problem('format', { rule: 'date-time' })],
  [{ ...text, pattern: '^a$' }, 'b', problem('pattern', { rule: '^a$' })],
  ...['abc', '1,5', '0x10', 'Infinity', 'NaN', '1_000', '--1', '.', 'e5', '1e999'].map(
    (typed) => [number, typed, problem('notANumber')] as const,
  ),
  [integer, '1.5', problem('notAnInteger')],
  [integer, '9007199254740993', problem('notExact')],
  [integer, '-9007199254740993', problem('notExact')],
  [{ ...number, minimum: 1 }, '0.9', problem('tooSmall', { limit: 1, given: 0.9 })],
  [{ ...number, maximum: 0 }, '1', problem('tooLarge', { limit: 0, given: 1 })],
  [{ ...choices, minItems: 2 }, ['r'], problem('tooFew', { limit: 2, given: 1 })],
  [{ ...choices, maxItems: 1 }, ['r', 'g'], problem('tooMany', { limit: 1, given: 2 })],
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

/** What a field begins with: its default, falsy ones too. */
const firsts: readonly (readonly [Schema, FieldInput])[] = [
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
];

const others: readonly (readonly [Schema, string, RegExp])[] = [
  [{ ...number, exclusiveMinimum: 0 }, '0', /must be > 0/],
  [{ ...integer, multipleOf: 5 }, '7', /multiple of 5/],
  [{ ...integer, enum: [1, 2] }, '3', /\[1,2\]/],
  [{ ...text, const: 'yes' }, 'no', /"yes"/],
];

describe('parseField', () => {
  for (const [schema, input, expected] of taken) {
    it(`ELIC-09 to ELIC-15: ${JSON.stringify(input)} in ${JSON.stringify(schema)}`, async () => {
      assert.deepEqual(await parse(schema, input), value(expected));
      assert.deepEqual(await parse(schema, input, true), value(expected));
    });
  }
  it('a date and time without a time zone is meant in the local one', async () => {
    const { TZ: zone } = process.env;
    const schema = { ...text, format: 'date-time' };
    try {
      process.env['TZ'] = 'America/St_Johns';
      assert.deepEqual(await parse(schema, '2024-02-29 23:59'), value('2024-02-29T23:59:00-03:30'));
      assert.deepEqual(await parse(schema, '2024-06-30T7:00'), await parse(schema, 'x'));
      assert.deepEqual(
        await parse(schema, '2024-06-30T07:00:30'),
        value('2024-06-30T07:00:30-02:30'),
      );
    } finally {
      process.env['TZ'] = zone ?? '';
    }
  });
  for (const [schema, input, expected] of refused) {
    it(`ELIC-18: not ${JSON.stringify(input)} in ${JSON.stringify(schema)}`, async () => {
      assert.deepEqual(await parse(schema, input), expected);
      assert.deepEqual(await parse(schema, input, true), expected);
    });
  }
  for (const [schema, input] of empties) {
    it(`ELIC-17: ${JSON.stringify(input)} is no answer in ${JSON.stringify(schema)}`, async () => {
      assert.deepEqual(await parse(schema, input), absent);
    });
  }
  for (const [schema, input] of firsts) {
    it(`ELIC-16, ELI-08: ${JSON.stringify(schema)} begins with ${JSON.stringify(input)}`, async () => {
      assert.deepEqual(initialInput(await field(schema, false)), input);
    });
  }

  it('ELIC-17: a required field has to be answered', async () => {
    for (const schema of [text, number, integer, { type: 'boolean' }, choice]) {
      const input = initialInput(await field(schema, true));
      assert.deepEqual(await parse(schema, input, true), problem('required'));
    }
  });

  it('ELIC-15: nothing chosen is an answer where one is required', async () => {
    assert.deepEqual(await parse(choices, [], true), value([]));
    assert.deepEqual(
      await parse({ ...choices, minItems: 1 }, [], true),
      problem('tooFew', { limit: 1, given: 0 }),
    );
  });

  it('ELIC-13: a label is no value', async () => {
    const named = { ...choice, enumNames: ['Red', 'Green', 'Blue'] };
    assert.equal((await parse(named, 'Red')).kind, 'problem');
  });

  for (const [schema, input, sentence] of others) {
    it(`tells what the protocol does not name: ${input} in ${JSON.stringify(schema)}`, async () => {
      const parsed = await parse(schema, input);
      assert.ok(parsed.kind === 'problem' && parsed.problem.kind === 'other');
      assert.match(parsed.problem.sentence, sentence);
    });
  }

  it('a value that cannot be checked in time is a wrong one', async () => {
    const impatient = {
      check: async () => {
        throw new McpError('unsupported', 'took too long');
      },
    };
    const parsed = await parseField(await field(text, false), 'x', impatient);
    assert.deepEqual(parsed, problem('other', { sentence: 'took too long' }));
  });
});
