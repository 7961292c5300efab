/** What the form accepts is what ajv accepts, for generated schemas and generated inputs. */
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import type { FieldInput, FormField } from '../../../../src/host/forms/form.ts';
import { FormDraft } from '../../../../src/host/forms/formDraft.ts';
import { checker, formOf } from '../../../support/readForm.ts';

type Schema = Readonly<Record<string, unknown>>;

/** An independent opinion: ajv itself, not the code that the form uses. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

const range = (lower: string, upper: string, max: number): fc.Arbitrary<Schema> =>
  fc.record({ [lower]: fc.nat(max), [upper]: fc.nat(max).map((n) => n + 1) }, { requiredKeys: [] });

const values = fc.uniqueArray(fc.constantFrom('', 'a', 'b', 'Red', '0', 'false', 'é'), {
  minLength: 1,
});

const fieldSchema: fc.Arbitrary<Schema> = fc.oneof(
  fc
    .tuple(
      range('minLength', 'maxLength', 6),
      fc.record(
        {
          format: fc.constantFrom('email', 'uri', 'date', 'date-time'),
          pattern: fc.constantFrom('^a', '\\d+', '^[\\w\\-]*$', '^.{2}$'),
        },
        { requiredKeys: [] },
      ),
      fc.boolean(),
    )
    .map(([lengths, { format, pattern }, isFormat]) => ({
      type: 'string',
      ...lengths,
      ...(isFormat ? format && { format } : pattern && { pattern }),
    })),
  fc
    .tuple(fc.constantFrom('number', 'integer'), range('minimum', 'maximum', 20))
    .map(([type, bounds]) => ({ type, ...bounds })),
  fc.constant({ type: 'boolean' }),
  values.map((list) => ({ type: 'string', enum: list })),
  values.map((list) => ({ type: 'string', enum: list, enumNames: list.map((v) => `<${v}>`) })),
  values.map((list) => ({
    type: 'string',
    oneOf: list.map((v) => ({ const: v, title: `<${v}>` })),
  })),
  fc
    .tuple(values, range('minItems', 'maxItems', 3), fc.boolean())
    .map(([list, counts, titled]) => ({
      type: 'array',
      items: titled
        ? { anyOf: list.map((v) => ({ const: v, title: `<${v}>` })) }
        : { type: 'string', enum: list },
      ...counts,
    })),
);

const typed = fc.oneof(
  fc.string({ maxLength: 8, unit: 'grapheme' }),
  fc.string({ maxLength: 4 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer({ min: -30, max: 30 }).map(String),
  fc.constantFrom(
    '',
    'a@b.co',
    'https://x.y/z',
    '2024-02-29',
    '2024-02-30',
    '2024-01-01T00:00:00Z',
  ),
);

/** Any input that the wizard can make for the field. */
function inputFor(field: FormField): fc.Arbitrary<FieldInput> {
  switch (field.kind) {
    case 'text':
    case 'number':
      return typed;
    case 'boolean':
      return fc.constantFrom(true, false, undefined);
    case 'choice':
      return fc.constantFrom(undefined, ...field.options.map(({ value }) => value));
    case 'choices':
      return fc.shuffledSubarray(field.options.map(({ value }) => value));
  }
}

function isNoAnswer(field: FormField, input: FieldInput): boolean {
  const isTyped = field.kind === 'text' || field.kind === 'number';
  const text = field.kind === 'number' && typeof input === 'string' ? input.trim() : input;
  return text === undefined || (isTyped && text === '');
}

/** A text that is no number stays a text, which no number field accepts. */
function asMeant(field: FormField, input: FieldInput): unknown {
  const isNumber =
    field.kind === 'number' &&
    /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(String(input).trim());
  return isNumber ? Number(input) : input;
}

const schemas = fc.record({
  properties: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/u), fieldSchema, { maxKeys: 4 }),
  required: fc.infiniteStream(fc.boolean()),
});

const forms = schemas.map(({ properties, required }): Schema => {
  const keys = Object.keys(properties).filter(() => required.next().value === true);
  return { type: 'object', properties, ...(keys.length > 0 && { required: keys }) };
});

/** Values that a server may propose, fitting or not, falsy ones among them. */
const anyDefault: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('', 0, false, null, [], {}),
  typed,
  fc.integer({ min: -5, max: 30 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom('a', 'b', 'Red'),
  fc.uniqueArray(fc.constantFrom('', 'a', 'b', 'Red', 0)),
);

const formsWithDefaults = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,4}$/u),
  fc
    .tuple(fieldSchema, anyDefault)
    .map(([schema, proposed]): Schema => ({ ...schema, default: proposed })),
  { minKeys: 1, maxKeys: 4 },
);

/** As JSON, which has no negative zero; chosen values in the order of the options, and none as no answer. */
function asSent(meant: readonly (readonly [FormField, unknown])[]): unknown {
  const sent = meant.flatMap(([field, value]) => {
    if (field.kind !== 'choices' || !Array.isArray(value)) {
      return [[field.key, value] as const];
    }
    const chosen = field.options.map((option) => option.value).filter((one) => value.includes(one));
    return chosen.length > 0 || field.isRequired ? [[field.key, chosen] as const] : [];
  });
  return JSON.parse(JSON.stringify(Object.fromEntries(sent)));
}

describe('FormDraft', () => {
  it('ELIC-18: whatever is given, it sends just that if ajv accepts it, and refuses only what ajv does', async () => {
    await fc.assert(
      fc.asyncProperty(forms, fc.gen(), async (schema, generate) => {
        const form = await formOf(schema);
        const inputs = form.fields.map((field) => generate(inputFor, field));
        const draft = new FormDraft(form, checker);
        const validate = ajv.compile(schema);
        form.fields.forEach((field, index) => draft.set(field, inputs[index]));
        // An empty box means no answer, though "" may fit the schema.
        const meant = form.fields.flatMap((field, index) => {
          const input = inputs[index];
          return isNoAnswer(field, input) ? [] : [[field, asMeant(field, input)] as const];
        });
        const review = await draft.review();
        if (review.kind === 'complete') {
          assert.ok(validate(review.content), JSON.stringify(validate.errors));
          assert.deepEqual(JSON.parse(JSON.stringify(review.content)), asSent(meant));
          return;
        }
        // What was refused, taken as it was meant, is refused by ajv as well.
        const refused = meant.map(([{ key }, value]) => [key, value] as const);
        assert.equal(validate(Object.fromEntries(refused)), false);
      }),
      { numRuns: 300 },
    );
  });

  it('ELIC-16, ELIC-18: untouched, it sends the defaults that ajv accepts, falsy ones too, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(formsWithDefaults, async (properties) => {
        const schema = { type: 'object', properties };
        const form = await formOf(schema);
        const fitting = form.fields.flatMap((field) => {
          const { default: proposed } = field.schema;
          if (!ajv.validate(field.schema, proposed)) {
            return [];
          }
          const order = field.kind === 'choices' ? field.options.map(({ value }) => value) : [];
          const sent = Array.isArray(proposed)
            ? order.filter((value) => proposed.includes(value))
            : proposed;
          return [[field.key, sent] as const];
        });
        const review = await new FormDraft(form, checker).review();
        assert.ok(review.kind === 'complete');
        // As JSON, which has no negative zero.
        assert.deepEqual(
          JSON.parse(JSON.stringify(review.content)),
          JSON.parse(JSON.stringify(Object.fromEntries(fitting))),
        );
      }),
      { numRuns: 300 },
    );
  });
});
