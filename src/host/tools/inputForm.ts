/**
 * The input schema of a tool → a form: one field per property, required ones first. Types that elicitation forms
 * support are asked for by the same rules; every other property takes JSON.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import { toError } from '../../base/async.ts';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { isMcpError, isRpcError } from '../../mcp/errors.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import type { EarlierInput } from './keptInputs.ts';
import type { AnyField, FieldInput, Form, JsonField, Parsed } from '../forms/form.ts';
import { Draft } from '../forms/formDraft.ts';
import { initialInput, parseField } from '../forms/parseField.ts';
import { maxFields, maxReadMs, readField, TimeLimit } from '../forms/readForm.ts';
import { propertiesOf, requiredOf, resolved, withoutNull } from '../schemas/schemaParts.ts';
import { asSensitive } from '../schemas/seemsSecret.ts';

export type ToolForm = Form<AnyField>;

/**
 * Undefined when the schema names no properties, too many for a form, or takes too long to read: then the user writes
 * JSON.
 */
export async function readToolForm(
  schema: JsonSchema,
  checker: SchemaChecker,
): Promise<ToolForm | undefined> {
  const properties = propertiesOf(schema);
  const entries = Object.entries(properties);
  const needed = new Set(requiredOf(schema));
  // A required property without description accepts any value.
  const unnamed = [...needed].filter((key) => !Object.hasOwn(properties, key));
  if (entries.length === 0 || entries.length + unnamed.length > maxFields) {
    return undefined;
  }
  const fields: AnyField[] = unnamed.map((key) => ({
    kind: 'json',
    key,
    label: key,
    isRequired: true,
    schema: {},
  }));
  const limit = new TimeLimit(maxReadMs);
  const bounded = limit.around(checker);
  for (const [key, property] of entries) {
    fields.push(await toField(key, standingAlone(property, schema), needed.has(key), bounded));
  }
  const sorted = fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  return limit.isOver ? undefined : { fields: sorted, schema };
}

async function toField(
  key: string,
  schema: JsonObject,
  isRequired: boolean,
  checker: SchemaChecker,
): Promise<AnyField> {
  try {
    const field = await readField(key, schema, isRequired, { revision: '2025-11-25', checker });
    return asSensitive(schema) && (field.kind === 'text' || field.kind === 'number')
      ? { ...field, seemsSecret: true }
      : field;
  } catch (error) {
    if (!isRpcError(error)) {
      throw error;
    }
    return jsonField(key, schema, isRequired, checker);
  }
}

async function jsonField(
  key: string,
  schema: JsonObject,
  isRequired: boolean,
  checker: SchemaChecker,
): Promise<JsonField> {
  const { type, title, description } = schema;
  const byDefault = 'const' in schema ? schema['const'] : schema['default'];
  const isFitting =
    byDefault !== undefined && (await problemsOf(checker, schema, byDefault)).length === 0;
  return {
    kind: 'json',
    key,
    label: isString(title) && title !== '' ? title : key,
    ...(isString(description) && description !== '' && { description }),
    isRequired,
    schema,
    ...(isString(type) && { type }),
    ...(isFitting && { default: byDefault }),
  };
}

/**
 * A property's schema with the definitions of the whole schema, so that it can be checked alone. "null or X" becomes X:
 * a form leaves out missing values.
 */
function standingAlone(received: unknown, root: JsonSchema): JsonObject {
  const found = resolved(isObject(received) ? received : {}, root);
  const schema = resolved(withoutNull(found), root);
  const { $defs, definitions } = root;
  return JSON.stringify(schema).includes('"$ref"')
    ? {
        ...($defs !== undefined && { $defs }),
        ...(definitions !== undefined && { definitions }),
        ...schema,
      }
    : schema;
}

/**
 * One sentence per violation; none when the schema is unusable: one that refers outside of its property cannot be
 * checked alone, and the check of the whole input covers it.
 */
async function problemsOf(
  checker: SchemaChecker,
  schema: JsonSchema,
  value: unknown,
): Promise<readonly string[]> {
  try {
    return await checker.check(schema, value);
  } catch (error) {
    if (isMcpError(error) && error.code === 'unsupported') {
      return [];
    }
    throw error;
  }
}

/** False where the schema allows only the empty object. */
export function hasParameters(schema: JsonSchema): boolean {
  const { additionalProperties } = schema;
  const isOpen = isObject(additionalProperties) || additionalProperties === true;
  const isComposed = ['allOf', 'anyOf', 'oneOf', '$ref'].some((keyword) => keyword in schema);
  return (
    Object.keys(propertiesOf(schema)).length > 0 ||
    requiredOf(schema).length > 0 ||
    isOpen ||
    isComposed
  );
}

/** Required parameters with their default or an empty value of their type, ready to fill in. */
export function skeleton(schema: JsonSchema): JsonObject {
  const properties = propertiesOf(schema);
  return Object.fromEntries(requiredOf(schema).map((name) => [name, emptyValue(properties[name])]));
}

function emptyValue(schema: unknown): unknown {
  if (!isObject(schema)) {
    return '';
  }
  for (const keyword of ['const', 'default']) {
    if (keyword in schema) {
      return schema[keyword];
    }
  }
  const choices = schema['enum'];
  if (Array.isArray(choices)) {
    return choices[0];
  }
  switch (schema['type']) {
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return skeleton(schema);
    default:
      return '';
  }
}

/**
 * The input while the user edits it: the text for each property, its value, and whether all of it matches the tool's
 * schema. A missing value is left out, never null.
 */
export class InputDraft extends Draft<AnyField, unknown> {
  /** @param given an earlier input to start from; otherwise the defaults */
  constructor(form: ToolForm, checker: SchemaChecker, given?: JsonObject) {
    super(form, checker, (field) => {
      if (given === undefined) {
        return firstInput(field);
      }
      return Object.hasOwn(given, field.key) ? asInput(field, given[field.key]) : undefined;
    });
  }

  /** The given text, with any JSON as the value. */
  override parse(
    field: AnyField,
    input: FieldInput,
    checker: SchemaChecker,
  ): Promise<Parsed<unknown>> {
    return field.kind === 'json'
      ? parseJson(field, typeof input === 'string' ? input : '', checker)
      : parseField(field, input, checker);
  }

  /** None when the tool's schema is unusable: the server checks its input itself. */
  override violations(input: JsonObject, checker: SchemaChecker): Promise<readonly string[]> {
    return problemsOf(checker, this.form.schema, input);
  }

  /** The input so far, to continue as JSON: missing required values are present, but empty. */
  async soFar(): Promise<JsonObject> {
    const entries: (readonly [string, unknown])[] = [];
    for (const field of this.form.fields) {
      const answer = await this.answerTo(field);
      if (answer.kind === 'value' || field.isRequired) {
        entries.push([
          field.key,
          answer.kind === 'value' ? answer.value : emptyValue(field.schema),
        ]);
      }
    }
    return Object.fromEntries(entries);
  }
}

/** Whether an earlier input can be sent as it is: it is whole and valid. */
export async function isSendable(
  schema: JsonSchema,
  { input, isWhole }: EarlierInput,
  checker: SchemaChecker,
): Promise<boolean> {
  return isWhole && (await problemsOf(checker, schema, input)).length === 0;
}

/** Whether the form can show all of an earlier input: it has a field for each member. */
export function isShowable({ fields }: ToolForm, input: JsonObject): boolean {
  return Object.keys(input).every((key) => fields.some((field) => field.key === key));
}

function firstInput(field: AnyField): FieldInput {
  if (field.kind !== 'json') {
    return initialInput(field);
  }
  return field.default === undefined ? '' : JSON.stringify(field.default);
}

function asInput(field: AnyField, value: unknown): FieldInput {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? value : '';
    case 'number':
      return typeof value === 'number' ? String(value) : '';
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'choice':
      return field.options.find((option) => option.value === value)?.value;
    case 'choices':
      return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
    case 'json':
      return JSON.stringify(value);
  }
}

async function parseJson(
  field: JsonField,
  text: string,
  checker: SchemaChecker,
): Promise<Parsed<unknown>> {
  if (text.trim() === '') {
    return field.isRequired
      ? { kind: 'problem', problem: { kind: 'required' } }
      : { kind: 'absent' };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = toError(error).message;
    return { kind: 'problem', problem: { kind: 'notJson', reason } };
  }
  const [sentence] = await problemsOf(checker, field.schema, value);
  return sentence === undefined
    ? { kind: 'value', value }
    : { kind: 'problem', problem: { kind: 'other', sentence } };
}
