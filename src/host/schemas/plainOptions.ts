/**
 * Long lists of titled options, written as an `enum`: `oneOf: [{"const": "a", "title": "A"}, …]` is how forms
 * name their options, and a thousand of them take ajv a second to compile and no time as an enumeration.
 */
import { isObject, type JsonObject } from '../../base/json.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';

/** Shorter lists stay what they are, with the words that ajv has for them. */
const fewOptions = 20;

/** Beside `const`, keywords that say nothing about the value. */
const remarks: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'deprecated']);
/** What is under these is data, whatever it looks like. */
const data: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

/** The same schema where there is no such list; otherwise a copy that accepts and rejects the same values. */
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
  // Of two that are the same, `oneOf` takes neither.
  return options.size === value.length ? [...options] : undefined;
}
