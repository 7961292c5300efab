/** The input of a tool without values that are or seem to be secret. */
import { isObject, type JsonObject } from '../../base/json.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { secretNames } from '../schemas/secretProperties.ts';
import { seemsSecret } from '../schemas/seemsSecret.ts';

/** Secret members are removed. */
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
