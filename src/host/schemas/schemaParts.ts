/** Finds the parts of a JSON Schema, without assumptions about its form. Never fetches anything. */
import { isObject, isString, isStringArray, type JsonObject } from '../../base/json.ts';
import { percentDecoded } from '../../base/percentEncoding.ts';

const maxHops = 10;

export function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

export function requiredOf({ required }: JsonObject): readonly string[] {
  return isStringArray(required) ? required : [];
}

/**
 * The schema after its own `$ref` and a single `allOf`, as generators write them for a named type. Follows references
 * only inside of `root`. A reference without target stays.
 */
export function resolved(schema: JsonObject, root: JsonObject): JsonObject {
  let current = schema;
  for (let hops = 0; hops < maxHops; hops += 1) {
    const { $ref: reference, allOf, ...rest } = current;
    const [only] = Array.isArray(allOf) && allOf.length === 1 ? allOf : [];
    const target = isString(reference) ? partAt(root, reference) : only;
    if (!isObject(target)) {
      return current;
    }
    current = { ...target, ...rest, ...(isString(reference) && allOf !== undefined && { allOf }) };
  }
  return current;
}

/**
 * "Null or X" → X. Generators write `anyOf: [X, {type: "null"}]`, `oneOf`, or `type: ["string", "null"]` for an optional
 * field. What stands beside X counts more than the same keyword in it.
 */
export function withoutNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (Array.isArray(type)) {
    const types: readonly unknown[] = type.filter((name) => name !== 'null');
    return types.length === 1 ? { ...schema, type: types[0] } : schema;
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const { [keyword]: choices, ...rest } = schema;
    const others = Array.isArray(choices) ? choices.filter((one) => !isNull(one)) : [];
    const [only]: readonly unknown[] = others;
    if (Array.isArray(choices) && choices.length === 2 && others.length === 1 && isObject(only)) {
      return { ...only, ...rest };
    }
  }
  return schema;
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'null';
}

/**
 * The target of a `$ref` in a schema; undefined where there is none, or where it is outside.
 * @param reference `#`, or `#/…`: a JSON Pointer in a fragment (RFC 6901, section 6)
 */
export function partAt(root: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#/')) {
    return reference === '#' ? root : undefined;
  }
  let part: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const name = percentDecoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    const isInside = typeof part === 'object' && part !== null && Object.hasOwn(part, name);
    part = isInside ? Reflect.get(Object(part), name) : undefined;
  }
  return part;
}
