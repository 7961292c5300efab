/** Finding one's way in a JSON Schema: references inside it, and which values it marks as secret. */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { seemsSecret } from '../asks/form/seemsSecret.ts';

const maxHops = 10;
/** A schema that holds more is not searched to its end. */
const maxParts = 5_000;

/**
 * What a schema is after its own `$ref` and a single `allOf`, as generators write them for a named type.
 * Only inside of `root`: nothing is ever fetched. A reference that leads nowhere stays.
 */
export function resolved(schema: JsonObject, root: JsonSchema): JsonObject {
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

/** @param reference `#/…`, a JSON Pointer in a fragment (RFC 6901, section 6) */
function partAt(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith('#/')) {
    return reference === '#' ? root : undefined;
  }
  let part: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const name = unescaped(step);
    const inner: unknown = Array.isArray(part) ? Object.entries(part) : part;
    part =
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? Reflect.get(inner, name)
        : undefined;
  }
  return part;
}

function unescaped(step: string): string {
  const pointer = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer; // "100%" is no percent-encoding
  }
}

/** The schema itself says that its value is not for others' eyes. */
export function asSensitive({ format, writeOnly }: JsonObject): boolean {
  return format === 'password' || writeOnly === true;
}

/** The names of all properties, at any depth, whose values a schema marks as secret or whose names seem so. */
function secretNames(schema: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const due: unknown[] = [schema];
  while (due.length > 0 && seen.size < maxParts) {
    const part = due.pop();
    if (typeof part !== 'object' || part === null || seen.has(part)) {
      continue;
    }
    seen.add(part);
    due.push(...Object.values(part));
    const properties: unknown = 'properties' in part ? part.properties : undefined;
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      if (isObject(property) && isSecret(name, resolved(property, schema))) {
        names.add(name);
      }
    }
  }
  return names;
}

function isSecret(key: string, property: JsonObject): boolean {
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

/** The value without what is, or seems to be, secret: such members are not there at all. */
export function withoutSecrets(value: JsonObject, schema: JsonSchema): JsonObject {
  const names = secretNames(schema);
  const strip = (inner: unknown): unknown => {
    if (Array.isArray(inner)) {
      return inner.map(strip);
    }
    return isObject(inner) ? stripped(inner) : inner;
  };
  const stripped = (members: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(members)
        .filter(([key]) => !names.has(key) && !seemsSecret({ key }))
        .map(([key, inner]) => [key, strip(inner)]),
    );
  return stripped(value);
}
