/** Which properties a schema marks as secret, or whose names and texts suggest it. */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { resolved } from './schemaParts.ts';
import { seemsSecret } from './seemsSecret.ts';

/** Limits of the search, the second in milliseconds; a schema beyond them is not searched to its end. */
const maxParts = 5_000;
const maxMs = 250;

/** The schema itself marks its value as secret. */
export function asSensitive({ format, writeOnly }: JsonObject): boolean {
  return format === 'password' || writeOnly === true;
}

/** The names of all properties, at any depth, that a schema marks as secret or whose names suggest it. */
export function secretNames(schema: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const due: unknown[] = [schema];
  const end = performance.now() + maxMs;
  while (due.length > 0 && seen.size < maxParts) {
    const part = due.pop();
    if (typeof part !== 'object' || part === null || seen.has(part)) {
      continue;
    }
    seen.add(part);
    // One by one: half a million would be too many arguments of one call.
    for (const inner of Object.values(part)) {
      due.push(inner);
    }
    const properties: unknown = 'properties' in part ? part.properties : undefined;
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      if (performance.now() > end) {
        return names;
      }
      if (isObject(property) && isSecretProperty(name, resolved(property, schema))) {
        names.add(name);
      }
    }
  }
  return names;
}

/** @param property its schema */
export function isSecretProperty(key: string, property: JsonObject): boolean {
  const { title, description, format } = property;
  const choices: unknown = property['anyOf'] ?? property['oneOf'];
  const words = {
    key,
    ...(isString(title) && { title }),
    ...(isString(description) && { description }),
    ...(isString(format) && { format }),
  };
  return (
    asSensitive(property) ||
    seemsSecret(words) ||
    (Array.isArray(choices) && choices.some((one) => isObject(one) && asSensitive(one)))
  );
}
