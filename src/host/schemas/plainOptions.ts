/**
 * Rewrites long lists of titled options as an `enum`. Forms name their options as `oneOf: [{"const": "a", "title":
 * "A"}, …]`; ajv takes a second to compile a thousand of them, and no time for an `enum`.
 */
import { isObject, type JsonObject } from '../../base/json.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';

/** Shorter lists stay, with ajv's messages for them. */
const fewOptions = 20;

/** Keywords beside `const` that do not restrict the value. */
const remarks: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'deprecated']);
/** The values of these are data, even if they look like schemas. */
const data: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

/** The same schema if it has no such list; otherwise a copy that accepts and rejects the same values. */
export function withPlainOptions(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema);
  const isAffected = /"(?:one|any)Of":\[/u.test(text);
  const isReferredTo = /\/(?:one|any)Of\//u.test(text); // "#/properties/a/oneOf/3"
  return isAffected && !isReferredTo ? plainObject(schema) : schema;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  return isObject(value) ? plainObject(value) : value;
}

function plainObject(schema: JsonObject): JsonObject {
  const entries: [string, unknown][] = [];
  let hasEnum = schema['enum'] !== undefined;
  for (const [key, value] of Object.entries(schema)) {
    const options = key === 'oneOf' || key === 'anyOf' ? optionsIn(value) : undefined;
    if (options !== undefined && !hasEnum) {
      hasEnum = true; // a second list stays what it is: both count
      entries.push(['enum', options]);
    } else {
      entries.push([key, data.has(key) ? value : plain(value)]);
    }
  }
  return Object.fromEntries(entries);
}

/** Undefined unless it is a long list of different texts and numbers. */
function optionsIn(value: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(value) || value.length < fewOptions) {
    return undefined;
  }
  const options = new Set<unknown>();
  for (const option of value) {
    if (
      !isObject(option) ||
      !Object.keys(option).every((key) => key === 'const' || remarks.has(key))
    ) {
      return undefined;
    }
    const { const: constant } = option;
    if (typeof constant !== 'string' && typeof constant !== 'number') {
      return undefined;
    }
    options.add(constant);
  }
  // `oneOf` accepts neither of two equal options.
  return options.size === value.length ? [...options] : undefined;
}
