/** Converts the keywords of one level of a schema to the form that language models accept. Follows no reference. */
import { type JsonObject, isObject, isString, isStringArray } from '../../base/json.ts';
import { propertiesOf, requiredOf } from '../schemas/schemaParts.ts';

/** Keywords that mean the same everywhere and are copied; others are left out. */
const plainKeywords: readonly string[] = [
  'title',
  'description',
  'default',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

/** Type names of other languages, which some servers send. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['int', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['str', 'string'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['dict', 'object'],
  ['map', 'object'],
]);

const types: ReadonlySet<string> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);

export const described: readonly string[] = ['title', 'description', 'default'];
export const choiceKeys: readonly string[] = ['anyOf', 'oneOf'];

export function schemasOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function distinct(schemas: readonly JsonObject[]): readonly JsonObject[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

export function isNullSchema(value: unknown): boolean {
  return isObject(value) && value['type'] === 'null';
}

export function copied(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]),
  );
}

export function without(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

/** The keywords that hold no schemas, in the form of draft 2020-12. */
export function scalars(schema: JsonObject): JsonObject {
  const { enum: values, const: value } = schema;
  const choices = Array.isArray(values) ? values : 'const' in schema ? [value] : [];
  return {
    ...copied(schema, plainKeywords),
    ...bound(schema, 'exclusiveMinimum', 'minimum'),
    ...bound(schema, 'exclusiveMaximum', 'maximum'),
    ...(choices.length > 0 ? { enum: choices } : {}),
  };
}

/** In draft-04 the exclusive bound is `true`, and the number stands in the other keyword. */
function bound(schema: JsonObject, exclusive: string, inclusive: string): JsonObject {
  const value = schema[exclusive];
  if (value === true && typeof schema[inclusive] === 'number') {
    return { [exclusive]: schema[inclusive], [inclusive]: undefined };
  }
  return typeof value === 'number' ? { [exclusive]: value } : {};
}

export function typesOf(type: unknown): readonly string[] {
  const names = isString(type) ? [type] : isStringArray(type) ? type : [];
  const known = names.map((name) => typeNames.get(name.toLowerCase()) ?? name.toLowerCase());
  return [...new Set(known)].filter((name) => types.has(name));
}

export function impliedType(schema: JsonObject): string | undefined {
  if (isObject(schema['properties'])) {
    return 'object';
  }
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined;
}

/** Merges schemas that all apply. */
export function joined(schemas: readonly JsonObject[]): JsonObject {
  const properties = Object.fromEntries(
    schemas.flatMap((schema) => Object.entries(propertiesOf(schema))),
  );
  const required = [...new Set(schemas.flatMap(requiredOf))];
  return {
    ...Object.fromEntries(schemas.flatMap((schema) => Object.entries(schema))),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Merges branches of a choice: all members, and as required those that every branch requires. */
export function union(branches: readonly JsonObject[]): JsonObject {
  const properties = Object.fromEntries(
    branches.flatMap((one) => Object.entries(propertiesOf(one))),
  );
  const [first = [], ...others] = branches.map((branch) => new Set(requiredOf(branch)));
  const required = [...first].filter((name) => others.every((names) => names.has(name)));
  return { properties, required };
}
