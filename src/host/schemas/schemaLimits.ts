/** Limits of a server's schema: of what is compiled at all, and of what is so little work that it needs no time limit. */
import { McpError } from '../../mcp/errors.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';

export const schemaLimits = {
  /** Nesting of objects and arrays. Compilation recurses this deep. */
  maxDepth: 100,
  /** Objects, arrays and their members taken together. */
  maxNodes: 50_000,
} as const;

/** Whether a schema is usable and has at most that many parts. */
export function hasAtMost(schema: JsonSchema, nodes: number): boolean {
  try {
    return nodesOf(schema) <= nodes;
  } catch {
    return false;
  }
}

/** Counts the parts of a schema. @throws McpError `unsupported` beyond {@link schemaLimits} */
export function nodesOf(schema: JsonSchema): number {
  const { maxDepth, maxNodes } = schemaLimits;
  let nodes = 0;
  let level: readonly object[] = [schema];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) {
      throw new McpError('unsupported', `The schema is nested deeper than ${maxDepth} levels`);
    }
    const next: object[] = [];
    for (const object of level) {
      // The length of an array, without a list of its keys: it may have millions of items.
      nodes += 1 + (Array.isArray(object) ? object.length : Object.keys(object).length);
      if (nodes > maxNodes) {
        throw new McpError('unsupported', `The schema has more than ${maxNodes} parts`);
      }
      next.push(...Object.values(object).filter((value) => typeof value === 'object' && value));
    }
    level = next;
  }
  return nodes;
}

const lightLimits = {
  /** Parts of a schema. Compilation takes up to a tenth of a second. */
  nodes: 500,
  /** Characters of a schema, and of a value, as JSON. */
  schema: 50_000,
  value: 20_000,
  /** Of a value, where the time for a check grows faster than the value. */
  steep: 1_000,
} as const;

/** Keywords without a bound: references may lead in circles, and patterns go back and forth. */
const unbounded = /"(?:\$(?:ref|dynamicRef|id|anchor|dynamicAnchor)|pattern|patternProperties)":/u;
const steep = /"(?:format|uniqueItems)":/u;

/** Characters of a value, as JSON, up to which a check ends within some hundredths of a second. */
export function lightSizeOf(schema: JsonSchema): number {
  if (!hasAtMost(schema, lightLimits.nodes)) {
    return -1;
  }
  const text = JSON.stringify(schema);
  return text.length > lightLimits.schema || unbounded.test(text)
    ? -1
    : steep.test(text)
      ? lightLimits.steep
      : lightLimits.value;
}
