/**
 * Limits of a server's schema before it is compiled: depth, size, a known dialect; and whether a check is so little work
 * that it needs no time limit.
 */
import { isObject } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import { McpError } from '../../mcp/errors.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { partAt } from './schemaParts.ts';

export const schemaLimits = {
  /** Nesting of objects and arrays. Compilation recurses this deep. */
  maxDepth: 100,
  /** Objects, arrays and their members taken together. */
  maxNodes: 50_000,
} as const;

export type Dialect = 'draft-07' | '2020-12';

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
]);

/**
 * The dialect that a schema names; undefined when it names none.
 * @throws McpError `unsupported` for any other than draft-07 or 2020-12
 */
export function declaredDialect(schema: JsonSchema): Dialect | undefined {
  const name = schema['$schema'];
  if (name === undefined) {
    return undefined;
  }
  // Both http: and https: are in use, with and without the empty fragment.
  const key = typeof name === 'string' ? name.replace(/^https?:\/\//u, '').replace(/#$/u, '') : '';
  const dialect = dialects.get(key);
  if (dialect === undefined) {
    const shown = truncated(JSON.stringify(name), 200);
    throw new McpError(
      'unsupported',
      `The schema uses the dialect ${shown}. Only draft-07 and 2020-12 are supported`,
    );
  }
  return dialect;
}

export interface Shape {
  /** The schema gives a name to itself or to a part of it. */
  readonly hasIdentifiers: boolean;
  /** See {@link schemaLimits}. */
  readonly nodes: number;
  /** A `$dynamicRef` without a `$dynamicAnchor` of that name in the schema. */
  readonly strayReference?: string;
}

/** Keywords by which a schema gives a name to itself or to a part of it. */
const identifiers: ReadonlySet<string> = new Set(['$id', '$anchor', '$dynamicAnchor']);

/** Whether a schema is usable and has at most that many parts. */
export function hasAtMost(schema: JsonSchema, nodes: number): boolean {
  try {
    return inspectShape(schema).nodes <= nodes;
  } catch {
    return false;
  }
}

/** Measures the shape of a schema. @throws McpError `unsupported` beyond {@link schemaLimits} */
export function inspectShape(schema: JsonSchema): Shape {
  let hasIdentifiers = false;
  const anchors = new Set<unknown>();
  const references: string[] = [];
  let nodes = 0;
  let level: readonly object[] = [schema];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > schemaLimits.maxDepth) {
      throw new McpError(
        'unsupported',
        `The schema is nested deeper than ${schemaLimits.maxDepth} levels`,
      );
    }
    const next: object[] = [];
    for (const object of level) {
      // The length of an array, without a list of its keys: it may have millions of items.
      nodes += 1 + (Array.isArray(object) ? object.length : Object.keys(object).length);
      if (nodes > schemaLimits.maxNodes) {
        throw new McpError(
          'unsupported',
          `The schema has more than ${schemaLimits.maxNodes} parts`,
        );
      }
      for (const [key, value] of Object.entries(object)) {
        hasIdentifiers ||= identifiers.has(key);
        if (key === '$dynamicAnchor' && typeof value === 'string') {
          anchors.add(`#${value}`);
        } else if (key === '$dynamicRef' && typeof value === 'string') {
          references.push(value);
        }
        if (typeof value === 'object' && value !== null) {
          next.push(value);
        }
      }
    }
    level = next;
  }
  const strayReference = references.find((reference) => !anchors.has(reference));
  return { hasIdentifiers, strayReference, nodes };
}

const lightLimits = {
  /** Parts of a schema, with all that its references lead to. Compilation takes up to a tenth of a second. */
  nodes: 500,
  /** Parts of the schema times parts of the value. */
  work: 1_000_000,
  /** Characters and parts of the value, where the time for a check grows faster than the value. */
  size: 1_000,
} as const;

/** A bound for the work of a check. */
export interface Weight {
  /** Parts of the schema, with all that its references lead to; infinite where there is no bound. */
  readonly nodes: number;
  /** The time for a check may grow faster than the value. */
  readonly isSteep: boolean;
}

/** Keywords without a bound, if their value is a text: patterns, and names to which references lead. */
const unbounded: ReadonlySet<string> = new Set([...identifiers, '$dynamicRef', 'pattern']);

export function weightOf(schema: JsonSchema): Weight {
  if (!hasAtMost(schema, lightLimits.nodes)) {
    return { nodes: Infinity, isSteep: true };
  }
  let isSteep = false;
  const known = new Map<object, number>();
  const nodesOf = (part: unknown): number => {
    if (typeof part !== 'object' || part === null) {
      return 0;
    }
    const before = known.get(part);
    if (before !== undefined) {
      return before;
    }
    known.set(part, Infinity); // until it is known: a circle of references has no bound
    let nodes = 1;
    for (const [key, value] of Object.entries(part)) {
      isSteep ||= key === 'format' || key === 'uniqueItems';
      nodes += 1 + (typeof value === 'string' ? nodesOfText(key, value) : nodesOf(value));
      nodes += key === 'patternProperties' ? Infinity : 0;
    }
    known.set(part, nodes);
    return nodes;
  };
  const nodesOfText = (key: string, text: string): number => {
    if (key !== '$ref') {
      return unbounded.has(key) ? Infinity : 0;
    }
    const target = text.includes('%') ? undefined : partAt(schema, text);
    return isObject(target) ? nodesOf(target) : Infinity;
  };
  const nodes = nodesOf(schema);
  return { nodes: nodes > lightLimits.nodes ? Infinity : nodes, isSteep };
}

/** Whether a check of this value ends within some hundredths of a second. */
export function isLight({ nodes, isSteep }: Weight, value: unknown): boolean {
  if (nodes === Infinity) {
    return false;
  }
  let left = isSteep ? lightLimits.size : lightLimits.work / nodes;
  const due: unknown[] = [value];
  while (due.length > 0) {
    const one = due.pop();
    left -= typeof one === 'string' && isSteep ? one.length : 1;
    if (left < 0 || (Array.isArray(one) && one.length > left)) {
      return false;
    }
    if (typeof one === 'object' && one !== null) {
      due.push(...Object.values(one));
    }
  }
  return true;
}
