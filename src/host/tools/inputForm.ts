/**
 * The input schema of a tool → a form: one field per property, required ones first. Types that elicitation forms
 * support are asked for by the same rules; every other property takes JSON.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { isMcpError, isRpcError } from '../../mcp/errors.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { checkHere } from '../forms/checking.ts';
import type { FieldBase, FormField } from '../forms/form.ts';
import { FieldReader, maxFields } from '../forms/readForm.ts';
import { propertiesOf, requiredOf, resolved } from '../schemas/schemaParts.ts';
import { asSensitive } from '../schemas/seemsSecret.ts';

/** A property that is an object, a list, or of several types. */
export interface JsonField extends FieldBase {
  readonly kind: 'json';
  /** The schema's type, such as `array`; absent where it has none or several. */
  readonly type?: string;
  /** Absent where there is none, or it does not match. */
  readonly default?: unknown;
}

export type ToolField = FormField | JsonField;

export interface ToolForm {
  readonly fields: readonly ToolField[];
  /** The tool's schema, as received. */
  readonly schema: JsonSchema;
}

/** Milliseconds. Each property of a schema is compiled, and that must not block the editor. */
export const maxReadMs = 500;

/**
 * Undefined when the schema names no properties, too many for a form, or takes too long to read: then the user writes
 * JSON.
 */
export function readToolForm(
  schema: JsonSchema,
  checker: SchemaChecker,
  now: () => number = () => performance.now(),
): ToolForm | undefined {
  const properties = propertiesOf(schema);
  const entries = Object.entries(properties);
  const needed = new Set(requiredOf(schema));
  // A required property without description accepts any value.
  const unnamed = [...needed].filter((key) => !Object.hasOwn(properties, key));
  if (entries.length === 0 || entries.length + unnamed.length > maxFields) {
    return undefined;
  }
  const fields: ToolField[] = unnamed.map((key) => ({
    kind: 'json',
    key,
    label: key,
    isRequired: true,
    schema: {},
  }));
  const end = now() + maxReadMs;
  for (const [key, property] of entries) {
    if (now() > end) {
      return undefined;
    }
    const isRequired = needed.has(key);
    fields.push(readField(key, property, { root: schema, isRequired, checker }));
  }
  return {
    fields: fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired)),
    schema,
  };
}

interface Where {
  readonly root: JsonSchema;
  readonly isRequired: boolean;
  readonly checker: SchemaChecker;
}

function readField(
  key: string,
  received: unknown,
  { root, isRequired, checker }: Where,
): ToolField {
  const schema = standingAlone(received, root);
  try {
    const field = checkHere(new FieldReader('2025-11-25').read(key, schema, isRequired), checker);
    return asSensitive(schema) && (field.kind === 'text' || field.kind === 'number')
      ? { ...field, seemsSecret: true }
      : field;
  } catch (error) {
    if (!isRpcError(error)) {
      throw error;
    }
    return jsonField(key, schema, { root, isRequired, checker });
  }
}

function jsonField(key: string, schema: JsonObject, { isRequired, checker }: Where): JsonField {
  const { type, title, description } = schema;
  const byDefault = 'const' in schema ? schema['const'] : schema['default'];
  return {
    kind: 'json',
    key,
    label: isString(title) && title !== '' ? title : key,
    ...(isString(description) && description !== '' && { description }),
    isRequired,
    schema,
    ...(isString(type) && { type }),
    ...(byDefault !== undefined && fits(checker, schema, byDefault) && { default: byDefault }),
  };
}

/**
 * A property's schema with the definitions of the whole schema, so that it can be checked alone. "null or X" becomes X:
 * a form leaves out missing values.
 */
function standingAlone(received: unknown, root: JsonSchema): JsonObject {
  const found = resolved(isObject(received) ? received : {}, root);
  const { anyOf, oneOf, ...rest } = found;
  const choices: unknown = anyOf ?? oneOf;
  const others = Array.isArray(choices)
    ? choices.filter((one): one is JsonObject => isObject(one) && one['type'] !== 'null')
    : [];
  const [only] = others;
  const isOptional = Array.isArray(choices) && choices.length === 2 && others.length === 1;
  const schema =
    isOptional && only !== undefined ? { ...resolved(only, root), ...withoutNull(rest) } : found;
  const { $defs, definitions } = root;
  return JSON.stringify(schema).includes('"$ref"')
    ? {
        ...($defs !== undefined && { $defs }),
        ...(definitions !== undefined && { definitions }),
        ...schema,
      }
    : schema;
}

function withoutNull({ default: byDefault, ...rest }: JsonObject): JsonObject {
  return byDefault === null || byDefault === undefined ? rest : { ...rest, default: byDefault };
}

/** A schema that refers outside of its property cannot be checked alone; the check of the whole input covers it. */
export function fits(checker: SchemaChecker, schema: JsonSchema, value: unknown): boolean {
  return problemsOf(checker, schema, value).length === 0;
}

/** One sentence per violation; none when the schema is unusable. */
export function problemsOf(
  checker: SchemaChecker,
  schema: JsonSchema,
  value: unknown,
): readonly string[] {
  try {
    return checker.check(schema, value);
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

export function emptyValue(schema: unknown): unknown {
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
