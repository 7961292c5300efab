/**
 * The schema of an elicitation → a Form. Every kind of field of the revisions 2025-06-18 and 2025-11-25; any other kind
 * is refused with the field's name, never guessed (ELIC-08).
 * https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import { isObject, isString, isStringArray, type JsonObject } from '../../base/json.ts';
import { RpcError, isMcpError, rpcCodes } from '../../mcp/errors.ts';
import { type Revision, revisions } from '../../mcp/revisions.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { checkApart, type Checking } from './checking.ts';
import type { Form, FormField, Option } from './form.ts';
import { seemsSecret } from '../schemas/seemsSecret.ts';

/** People do not fill in more than these. */
export const maxFields = 100;
export const maxOptions = 1000;

/** Milliseconds to compile all fields and check their defaults. */
export const maxReadMs = 2_000;

/** @throws RpcError -32602 that names the unsupported field, and why */
export async function readForm(
  schema: JsonSchema,
  revision: Revision,
  checker: SchemaChecker,
): Promise<Form> {
  try {
    return await checkApart(readingForm(schema, revision), checker, maxReadMs);
  } catch (error) {
    throw isMcpError(error) && error.code === 'unsupported' ? refused(error.message) : error;
  }
}

/** @throws RpcError as {@link readForm} */
export function* readingForm(schema: JsonSchema, revision: Revision): Checking<Form> {
  const { type, properties, required } = schema;
  if (type !== undefined && type !== 'object') {
    throw refused(`the schema must be of type "object", not ${JSON.stringify(type)}`);
  }
  if (properties !== undefined && !isObject(properties)) {
    throw refused('"properties" of the schema must be an object');
  }
  const entries = Object.entries(properties ?? {});
  if (entries.length > maxFields) {
    throw refused(`the schema has ${entries.length} fields; at most ${maxFields} can be asked for`);
  }
  const needed = new Set(isStringArray(required) ? required : []);
  const unknown = [...needed].find((key) => !entries.some(([name]) => name === key));
  if (unknown !== undefined) {
    throw refused(`"required" names ${JSON.stringify(unknown)}, which is not a field`);
  }
  const reader = new FieldReader(revision);
  const fields: FormField[] = [];
  for (const [key, field] of entries) {
    fields.push(yield* reader.read(key, field, needed.has(key)));
  }
  yield* violations(schema, {}, 'the schema');
  return { fields, schema };
}

/** Reads one field of an object schema. */
export class FieldReader {
  readonly #takesLists: boolean;
  readonly #revision: Revision;

  constructor(revision: Revision) {
    this.#revision = revision;
    this.#takesLists = revisions[revision].elicitsLists;
  }

  /** @throws RpcError -32602 when a form cannot ask for the field, and why */
  *read(key: string, received: unknown, isRequired: boolean): Checking<FormField> {
    const name = `field ${JSON.stringify(key)}`;
    if (!isObject(received)) {
      throw refused(`${name} must have an object as its schema`);
    }
    const schema = withoutNull(received);
    const title = textOf(schema['title']) ?? textOf(received['title']);
    const description = textOf(schema['description']) ?? textOf(received['description']);
    const base = {
      key,
      label: title ?? key,
      ...(description === undefined ? undefined : { description }),
      isRequired,
      schema: received,
    };
    const format = textOf(schema['format']);
    const isSecret = seemsSecret({ key, title, description, format });
    // A default that does not match its own schema is ignored.
    const { default: proposed } = received;
    const isFitting = (yield* violations(received, proposed, name)).length === 0;
    return { ...base, ...this.#kindOf(name, schema, isSecret, isFitting ? proposed : undefined) };
  }

  #kindOf(name: string, schema: JsonObject, isSecret: boolean, byDefault: unknown): Kind {
    const { type } = schema;
    const options = optionsOf(name, schema);
    if (options !== undefined && (type === 'string' || type === undefined)) {
      return { kind: 'choice', options, ...(isString(byDefault) && { default: byDefault }) };
    }
    switch (type) {
      case 'string':
        return {
          kind: 'text',
          ...textRules(schema),
          ...(isString(byDefault) && { default: byDefault }),
          seemsSecret: isSecret,
        };
      case 'number':
      case 'integer':
        return {
          kind: 'number',
          isInteger: type === 'integer',
          ...numbersOf(schema, 'minimum', 'maximum'),
          ...(typeof byDefault === 'number' && { default: byDefault }),
          seemsSecret: isSecret,
        };
      case 'boolean':
        return { kind: 'boolean', ...(typeof byDefault === 'boolean' && { default: byDefault }) };
      case 'array':
        return this.#choices(name, schema, byDefault);
      default:
        throw refused(
          `${name} is of ${type === undefined ? 'no type' : `type ${JSON.stringify(type)}`}; ` +
            'a form takes strings, numbers, integers, booleans and choices, without nesting',
        );
    }
  }

  #choices(name: string, schema: JsonObject, byDefault: unknown): Kind {
    if (!this.#takesLists) {
      throw refused(`${name} is a list, which revision ${this.#revision} does not know`);
    }
    const { items } = schema;
    const options = isObject(items) ? optionsOf(name, items) : undefined;
    if (options === undefined) {
      throw refused(`${name} is a list, but not of choices`);
    }
    return {
      kind: 'choices',
      options,
      ...numbersOf(schema, 'minItems', 'maxItems'),
      ...(isStringArray(byDefault) && { default: byDefault }),
    };
  }
}

type Kind = FormField extends infer F
  ? F extends FormField
    ? Omit<F, 'key' | 'label' | 'description' | 'isRequired' | 'schema'>
    : never
  : never;

/**
 * Plain `enum`, `enum` with `enumNames`, `oneOf` or `anyOf` of `const` and `title`; undefined when
 * the schema offers no choice.
 */
function optionsOf(name: string, schema: JsonObject): readonly Option[] | undefined {
  const { enum: values, enumNames, oneOf, anyOf } = schema;
  const titled = oneOf ?? anyOf;
  if (values === undefined && titled === undefined) {
    return undefined;
  }
  if (isStringArray(values)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return distinct(
      name,
      values.map((value, index) => ({ value, label: textOf(names[index]) ?? value })),
    );
  }
  if (Array.isArray(titled) && titled.every(isTitled)) {
    return distinct(
      name,
      titled.map((option) => ({
        value: option.const,
        label: textOf(option.title) ?? option.const,
      })),
    );
  }
  // An enum of numbers is a number field; the final check knows its values.
  if (values !== undefined && (schema['type'] === 'number' || schema['type'] === 'integer')) {
    return undefined;
  }
  throw refused(`${name} offers choices that are not strings`);
}

function isTitled(option: unknown): option is { readonly const: string; readonly title?: unknown } {
  return isObject(option) && isString(option['const']);
}

function distinct(name: string, options: readonly Option[]): readonly Option[] {
  const byValue = new Map(options.toReversed().map((option) => [option.value, option]));
  const kept = options.filter((option) => byValue.get(option.value) === option);
  if (kept.length === 0 || kept.length > maxOptions) {
    throw refused(`${name} offers ${kept.length} choices; it takes 1 to ${maxOptions}`);
  }
  return kept;
}

/** Generators write `anyOf: [{…}, {type: "null"}]` or `type: ["string", "null"]` for an optional field. */
function withoutNull(schema: JsonObject): JsonObject {
  const { type, anyOf } = schema;
  if (Array.isArray(type)) {
    const types: readonly unknown[] = type.filter((name) => name !== 'null');
    return types.length === 1 ? { ...schema, type: types[0] } : schema;
  }
  if (Array.isArray(anyOf) && type === undefined) {
    const others = anyOf.filter((other) => !isObject(other) || other['type'] !== 'null');
    const [only]: readonly unknown[] = others;
    if (others.length === 1 && anyOf.length === 2 && isObject(only)) {
      const { anyOf: _anyOf, ...rest } = schema;
      return { ...rest, ...only };
    }
  }
  return schema;
}

function textRules(schema: JsonObject): {
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
} {
  const format = textOf(schema['format']);
  const pattern = textOf(schema['pattern']);
  return {
    ...(format !== undefined && { format }),
    ...(pattern !== undefined && { pattern }),
    ...numbersOf(schema, 'minLength', 'maxLength'),
  };
}

function numbersOf<K extends string>(
  schema: JsonObject,
  ...names: readonly K[]
): { readonly [name in K]?: number } {
  const found: { [name in K]?: number } = {};
  for (const name of names) {
    const value = schema[name];
    if (typeof value === 'number') {
      found[name] = value;
    }
  }
  return found;
}

function textOf(value: unknown): string | undefined {
  return isString(value) && value !== '' ? value : undefined;
}

/** An unusable schema is refused before the user is asked. */
function* violations(
  schema: JsonSchema,
  value: unknown,
  what: string,
): Checking<readonly string[]> {
  try {
    return yield { schema, value };
  } catch (error) {
    throw isMcpError(error) && error.code === 'unsupported'
      ? refused(`${what} cannot be used: ${error.message}`)
      : error;
  }
}

function refused(why: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, `Invalid params: ${why}`);
}
