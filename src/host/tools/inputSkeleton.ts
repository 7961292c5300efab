/** A tool's input before the user types: whether it has parameters, and empty values for required ones. */
import { isObject, type JsonObject } from '../../base/json.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { propertiesOf, requiredOf } from '../schemas/schemaParts.ts';

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
