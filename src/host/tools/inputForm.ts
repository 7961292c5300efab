/**
 * The input schema of a tool → a form: one field a property, those that the tool needs first. What
 * forms know is asked for as in elicitation, by the same rules; every other property takes JSON.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { isMcpError, isRpcError } from '../../mcp/errors.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { checkHere } from '../forms/checking.ts';
import type { FieldBase, FormField } from '../forms/form.ts';
import { FieldReader, maxFields } from '../forms/readForm.ts';
import { propertiesOf, requiredOf, resolved } from '../schemas/schemaParts.ts';
import { asSensitive } from '../schemas/secretProperties.ts';

/** A property that is an object, a list, or of several types. */
export interface JsonField extends FieldBase {
  readonly kind: 'json';
  /** As in the schema, such as `array`; absent where it says none or several. */
  readonly type?: string;
  /** Absent where there is none, or it does not fit. */
  readonly default?: unknown;
}

export type ToolField = FormField | JsonField;

export interface ToolForm {
  readonly fields: readonly ToolField[];
  /** The tool's schema, as received. */
  readonly schema: JsonSchema;
}

/** A schema of a server must not hold up the editor: each of its properties is compiled. */
export const maxReadMs = 500;

/**
 * Undefined when the schema names no properties, more than anybody fills in, or takes too long to be
 * read: then JSON is asked for.
 */
export function readToolForm(
  schema: JsonSchema,
  checker: SchemaChecker,
  now: () => number = () => performance.now(),
): ToolForm | undefined {
  const properties = propertiesOf(schema);
  const entries = Object.entries(properties);
  const needed = new Set(requiredOf(schema));
  // What is needed and not described may be anything.
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
 * A property's schema with the definitions of the whole, so that it can be checked alone. What is null
 * or something is the something: a form leaves out what has no value.
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

/** A schema that leads out of its property says nothing about it alone; the check of the whole input does. */
export function fits(checker: SchemaChecker, schema: JsonSchema, value: unknown): boolean {
  return problemsOf(checker, schema, value).length === 0;
}

/** One sentence per violation; none when the schema cannot be used. */
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
