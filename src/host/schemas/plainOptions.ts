/**
 * Writes long lists of titled options in a schema as an `enum`. Forms name options as `oneOf: [{"const": "a", "title":
 * "A"}, …]`: ajv takes seconds to compile a thousand of them and overflows the stack at some thousands. An `enum` takes
 * no time.
 */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';

/** A shorter list stays. */
const longList = 20;

/** Keywords of an option that do not restrict the value. */
const remarks: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'deprecated']);
/** Keywords with values, which may look like schemas. */
const data: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

/** @returns a schema that accepts and rejects the same values: the same one if it has no such list */
export function withPlainOptions(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema);
  const isAffected = /"(?:one|any)Of":\[/u.test(text);
  // "#/properties/a/oneOf/3" leads to an option.
  const isReferredTo = /\/(?:one|any)Of\//u.test(text);
  return isAffected && !isReferredTo ? plainObject(schema) : schema;
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(plainValue);
  }
  return isObject(value) ? plainObject(value) : value;
}

function plainObject(schema: JsonObject): JsonObject {
  // An `enum` beside it, or a second list, counts as well.
  const list =
    schema['enum'] === undefined
      ? ['oneOf', 'anyOf'].find((key) => optionsIn(schema[key]) !== undefined)
      : undefined;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === list ? ['enum', optionsIn(value)] : [key, data.has(key) ? value : plainValue(value)],
    ),
  );
}

/** The values of a long list of options; undefined unless they are different texts and numbers. */
function optionsIn(list: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(list) || list.length < longList) {
    return undefined;
  }
  const values = list.map((option: unknown) => (isPlain(option) ? option['const'] : undefined));
  const isPossible =
    new Set(values).size === values.length &&
    values.every((value) => isString(value) || typeof value === 'number');
  return isPossible ? values : undefined;
}

function isPlain(option: unknown): option is JsonObject {
  return (
    isObject(option) && Object.keys(option).every((key) => key === 'const' || remarks.has(key))
  );
}
