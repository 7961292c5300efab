/**
 * Reads the user's input for one field: a value, nothing, or a problem. Rules that the protocol defines get precise
 * messages; the checker covers formats, patterns and all other rules of the schema, so that nothing accepted here is
 * refused by the final check.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import { checkHere, type Checking } from './checking.ts';
import type {
  ChoicesField,
  FieldInput,
  FieldProblem,
  FieldValue,
  FormField,
  NumberField,
  Parsed,
  TextField,
} from './form.ts';

const absent: Parsed = { kind: 'absent' };
const required: Parsed = { kind: 'problem', problem: { kind: 'required' } };

/** @throws McpError `unsupported` when the checker gives up on the value. */
export function parseField(field: FormField, input: FieldInput, checker: SchemaChecker): Parsed {
  return checkHere(parsing(field, input), checker);
}

export function* parsing(field: FormField, input: FieldInput): Checking<Parsed> {
  const read = readInput(field, input);
  if (read.kind !== 'value') {
    return read;
  }
  const problem = (yield* problemOf(field, read.value)) ?? (yield* otherProblem(field, read.value));
  return problem === undefined ? read : { kind: 'problem', problem };
}

/** The initial input of a field: its default, in the form of a user's input. */
export function initialInput(field: FormField): FieldInput {
  switch (field.kind) {
    case 'text':
      return field.default ?? '';
    case 'number':
      return field.default === undefined ? '' : String(field.default);
    case 'choices':
      return field.default ?? [];
    case 'boolean':
    case 'choice':
      return field.default;
  }
}

function readInput(field: FormField, input: FieldInput): Parsed {
  switch (field.kind) {
    case 'text':
      return readText(field, typeof input === 'string' ? input : '');
    case 'number':
      return readNumber(field, typeof input === 'string' ? input.trim() : '');
    case 'boolean':
      return typeof input === 'boolean' ? { kind: 'value', value: input } : nothing(field);
    case 'choice':
      return typeof input === 'string' ? { kind: 'value', value: input } : nothing(field);
    case 'choices':
      return readChoices(field, typeof input === 'object' ? input : []);
  }
}

function nothing({ isRequired }: FormField): Parsed {
  return isRequired ? required : absent;
}

/** An empty box is an empty answer only where the server's default is empty. */
function readText(field: TextField, text: string): Parsed {
  return text === '' && field.default !== '' ? nothing(field) : { kind: 'value', value: text };
}

function readNumber(field: NumberField, text: string): Parsed {
  if (text === '') {
    return nothing(field);
  }
  // Number() alone would accept "0x10", "Infinity" and blanks.
  const value = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(value)) {
    return { kind: 'problem', problem: { kind: 'notANumber' } };
  }
  if (field.isInteger && !Number.isInteger(value)) {
    return { kind: 'problem', problem: { kind: 'notAnInteger' } };
  }
  // 9007199254740993 would be sent as 9007199254740992.
  const digits = /^\+?(-?)0*([1-9]\d*|0)$/u.exec(text);
  if (digits !== null && !Number.isSafeInteger(value)) {
    const [, sign = '', rest = ''] = digits;
    if (`${sign}${rest}` !== String(value)) {
      return { kind: 'problem', problem: { kind: 'notExact' } };
    }
  }
  return { kind: 'value', value: value === 0 ? 0 : value }; // no negative zero
}

/** No choice is an empty list if the field is required or has a default list. */
function readChoices(field: ChoicesField, values: readonly string[]): Parsed {
  const isAnswer = values.length > 0 || field.isRequired || field.default?.length === 0;
  // In the order of the options, not of the clicks.
  const order = field.options.map(({ value }) => value);
  const known = order.filter((value) => values.includes(value));
  return isAnswer ? { kind: 'value', value: known } : absent;
}

function* problemOf(field: FormField, value: FieldValue): Checking<FieldProblem | undefined> {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? yield* textProblem(field, value) : undefined;
    case 'number':
      return typeof value === 'number' ? boundsProblem(field, value) : undefined;
    case 'choices':
      return typeof value === 'object' ? countProblem(field, value.length) : undefined;
    case 'boolean':
    case 'choice':
      return undefined;
  }
}

function* textProblem(
  { minLength, maxLength, format, pattern, key, schema }: TextField,
  text: string,
): Checking<FieldProblem | undefined> {
  const length = Array.from(text).length; // JSON Schema counts characters, not UTF-16 units
  if (minLength !== undefined && length < minLength) {
    return { kind: 'tooShort', limit: minLength, length };
  }
  if (maxLength !== undefined && length > maxLength) {
    return { kind: 'tooLong', limit: maxLength, length };
  }
  for (const [rule, of] of [
    ['format', format],
    ['pattern', pattern],
  ] as const) {
    if (of === undefined) {
      continue;
    }
    const violations = yield { schema: ruleSchema(schema, key, rule, of), value: text };
    if (violations.length > 0) {
      return rule === 'format' ? { kind: rule, format: of } : { kind: rule, pattern: of };
    }
  }
  return undefined;
}

function boundsProblem({ minimum, maximum }: NumberField, value: number): FieldProblem | undefined {
  if (minimum !== undefined && value < minimum) {
    return { kind: 'tooSmall', limit: minimum };
  }
  return maximum !== undefined && value > maximum
    ? { kind: 'tooLarge', limit: maximum }
    : undefined;
}

function countProblem(
  { minItems, maxItems }: ChoicesField,
  count: number,
): FieldProblem | undefined {
  if (minItems !== undefined && count < minItems) {
    return { kind: 'tooFew', limit: minItems, count };
  }
  return maxItems !== undefined && count > maxItems
    ? { kind: 'tooMany', limit: maxItems, count }
    : undefined;
}

function* otherProblem(
  { schema }: FormField,
  value: FieldValue,
): Checking<FieldProblem | undefined> {
  const [sentence] = yield { schema, value };
  return sentence === undefined ? undefined : { kind: 'other', sentence };
}

/** One rule alone, always as the same object: checkers cache by identity. */
function ruleSchema(
  schema: object,
  key: string,
  rule: 'format' | 'pattern',
  of: string,
): Readonly<Record<string, unknown>> {
  const known = ruleSchemas.get(schema) ?? new Map<string, Readonly<Record<string, unknown>>>();
  ruleSchemas.set(schema, known);
  const found = known.get(rule) ?? { title: key, type: 'string', [rule]: of };
  known.set(rule, found);
  return found;
}

const ruleSchemas = new WeakMap<object, Map<string, Readonly<Record<string, unknown>>>>();
