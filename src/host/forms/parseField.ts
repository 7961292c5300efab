/**
 * Reads the user's input for one field: a value, nothing, or a problem. Rules that the protocol defines get precise
 * messages; the checker covers formats, patterns and all other rules of the schema, so that nothing accepted here is
 * refused by the final check.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import { isMcpError } from '../../mcp/errors.ts';
import type {
  ChoicesField,
  FieldInput,
  FieldProblem,
  FieldValue,
  FormField,
  LimitProblem,
  NumberField,
  Parsed,
  TextField,
} from './form.ts';

const absent: Parsed = { kind: 'absent' };
const required: Parsed = { kind: 'problem', problem: { kind: 'required' } };

export async function parseField(
  field: FormField,
  input: FieldInput,
  checker: SchemaChecker,
): Promise<Parsed> {
  const read = readInput(field, input);
  if (read.kind !== 'value') {
    return read;
  }
  const problem =
    limitProblem(field, read.value) ?? (await ruleProblem(field, read.value, checker));
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
  return text === '' && field.default !== ''
    ? nothing(field)
    : { kind: 'value', value: field.format === 'date-time' ? inLocalZone(text) : text };
}

function two(count: number): string {
  return String(Math.trunc(count)).padStart(2, '0');
}

/** A date and time without a time zone is meant in that of this machine. */
function inLocalZone(text: string): string {
  const [, date, time, rest = ':00'] =
    /^\s*(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s*$/u.exec(text) ?? [];
  const at = new Date(`${date}T${time}${rest}`);
  if (time === undefined || Number.isNaN(at.getTime())) {
    return text;
  }
  const minutes = -at.getTimezoneOffset();
  const offset = `${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
  return `${date}T${time}${rest}${minutes < 0 ? '-' : '+'}${offset}`;
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

function limitProblem(field: FormField, value: FieldValue): LimitProblem | undefined {
  switch (field.kind) {
    case 'text': {
      const { minLength, maxLength } = field;
      const { length } = Array.from(String(value)); // JSON Schema counts characters, not UTF-16 units
      return beyond(length, ['tooShort', minLength], ['tooLong', maxLength]);
    }
    case 'number':
      return beyond(Number(value), ['tooSmall', field.minimum], ['tooLarge', field.maximum]);
    case 'choices': {
      const count = typeof value === 'object' ? value.length : 0;
      return beyond(count, ['tooFew', field.minItems], ['tooMany', field.maxItems]);
    }
    case 'boolean':
    case 'choice':
      return undefined;
  }
}

type Limit = readonly [LimitProblem['kind'], number | undefined];

function beyond(
  given: number,
  [low, lower = -Infinity]: Limit,
  [high, upper = Infinity]: Limit,
): LimitProblem | undefined {
  if (given < lower) {
    return { kind: low, limit: lower, given };
  }
  return given > upper ? { kind: high, limit: upper, given } : undefined;
}

/** A value that the checker gives up on is none that could be sent. */
async function ruleProblem(
  field: FormField,
  value: FieldValue,
  checker: SchemaChecker,
): Promise<FieldProblem | undefined> {
  try {
    const [sentence] = await checker.check(field.schema, value);
    if (sentence === undefined) {
      return undefined;
    }
    for (const kind of ['format', 'pattern'] as const) {
      const rule = field.kind === 'text' ? field[kind] : undefined;
      const alone = { title: field.key, type: 'string', [kind]: rule };
      if (rule !== undefined && (await checker.check(alone, value)).length > 0) {
        return { kind, rule };
      }
    }
    return { kind: 'other', sentence };
  } catch (error) {
    if (isMcpError(error) && error.code === 'unsupported') {
      return { kind: 'other', sentence: error.message };
    }
    throw error;
  }
}
