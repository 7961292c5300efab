/**
 * Completions at an offset of a JSON text, by a schema: names of members, and values. Knows no editor, and follows no
 * reference out of the schema.
 */
import { findNodeAtLocation, getLocation, type Node, parseTree } from 'jsonc-parser';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { hasAtMost } from '../schemas/schemaLimits.ts';
import { propertiesOf, requiredOf, resolved } from '../schemas/schemaParts.ts';

export interface Proposal {
  readonly kind: 'member' | 'value';
  readonly label: string;
  /** JSON before and after the new cursor position. */
  readonly before: string;
  readonly after: string;
  readonly description?: string;
  readonly isRequired: boolean;
}

export interface Proposals {
  /** The range of the text that a proposal replaces. */
  readonly start: number;
  readonly end: number;
  readonly items: readonly Proposal[];
}

const maxParts = 200;
const maxItems = 500;
/** A larger schema gives no proposals: it is searched at each keystroke. */
const maxSchemaParts = 10_000;

/** @param offset of the cursor, in UTF-16 units */
export function proposalsAt(schema: JsonSchema, text: string, offset: number): Proposals {
  const place = placeAt(text, offset);
  const parts = hasAtMost(schema, maxSchemaParts) ? partsAt(schema, place.path) : [];
  const items =
    place.expects === 'member'
      ? members(schema, parts, place)
      : place.expects === 'value'
        ? values(parts)
        : [];
  return { start: place.start, end: place.end, items: items.slice(0, maxItems) };
}

/** A place in a JSON text, which may be incomplete. */
interface Place {
  /** From the root inward: names of members, and indexes. */
  readonly path: readonly (string | number)[];
  /** What may be written there. */
  readonly expects: 'member' | 'value' | 'nothing';
  /** The token at the offset, to be replaced; empty where there is none. */
  readonly start: number;
  readonly end: number;
  /** The other names in the object around the offset. */
  readonly present: ReadonlySet<unknown>;
  /** The name at the offset already has its colon. */
  readonly hasColon: boolean;
}

function placeAt(text: string, offset: number): Place {
  try {
    return locate(text, offset);
  } catch {
    // Nested too deeply: the parser calls itself for each level.
    const present = new Set<never>();
    return { path: [], expects: 'nothing', start: offset, end: offset, present, hasColon: false };
  }
}

function locate(text: string, offset: number): Place {
  const { path, isAtPropertyKey, previousNode: before } = getLocation(text, offset);
  const last = path.at(-1);
  const isName = isAtPropertyKey && typeof last === 'string';
  const isIn = before !== undefined && offset <= before.offset + before.length;
  const isFree = isName ? last === '' : before === undefined;
  const [start, end] = isIn ? [before.offset, before.offset + before.length] : wordAt(text, offset);
  const names = isName ? namesIn(text, path.slice(0, -1)) : [];
  return {
    // An unfinished name leads to no value yet.
    path: isName ? path.slice(0, -1) : path,
    expects: isIn || isFree ? (isName ? 'member' : 'value') : 'nothing',
    start,
    end,
    present: new Set(names.filter((name) => name.offset !== start).map(({ value }) => value)),
    hasColon: isName && /^\s*:/u.test(text.slice(end)),
  };
}

/** The names of the members of the object there. */
function namesIn(text: string, path: Place['path']): readonly Node[] {
  const root = parseTree(text);
  const object = root && findNodeAtLocation(root, [...path]);
  return (object?.children ?? []).flatMap(({ children }) => children?.slice(0, 1) ?? []);
}

/** A longer word is replaced in part. */
const maxWord = 200;

/** Where the characters around the offset that are neither blank nor punctuation begin and end. */
function wordAt(text: string, offset: number): readonly [number, number] {
  const before = text.slice(Math.max(0, offset - maxWord), offset);
  const [start = ''] = /[^\s{}[\],:"]*$/u.exec(before) ?? [];
  const [rest = ''] = /^[^\s{}[\],:"]*/u.exec(text.slice(offset, offset + maxWord)) ?? [];
  return [offset - start.length, offset + rest.length];
}

/** Every schema that may apply to the value at this path. */
function partsAt(root: JsonSchema, path: Place['path']): readonly JsonObject[] {
  let parts = flattened([root], root);
  for (const step of path) {
    parts = flattened(
      parts.flatMap((part) => inner(part, step)),
      root,
    );
  }
  return parts;
}

function inner(part: JsonObject, step: string | number): readonly unknown[] {
  if (isString(step)) {
    const properties = propertiesOf(part);
    return Object.hasOwn(properties, step) ? [properties[step]] : [part['additionalProperties']];
  }
  const { prefixItems, items } = part;
  const rows: unknown = prefixItems ?? items;
  return Array.isArray(rows) ? [rows[step] ?? part['additionalItems'] ?? items] : [items];
}

/** The schemas themselves, and those that they combine. */
function flattened(parts: readonly unknown[], root: JsonSchema): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const due = [...parts];
  for (const part of due) {
    if (found.size >= maxParts) {
      break;
    }
    if (!isObject(part)) {
      continue;
    }
    const schema = resolved(part, root);
    if (found.has(schema)) {
      continue;
    }
    found.add(schema);
    const { allOf, anyOf, oneOf, then, else: otherwise } = schema;
    for (const others of [allOf, anyOf, oneOf, then, otherwise].flat()) {
      due.push(others);
    }
  }
  return [...found];
}

function members(
  root: JsonSchema,
  parts: readonly JsonObject[],
  { present, hasColon }: Place,
): readonly Proposal[] {
  const required = new Set(parts.flatMap(requiredOf));
  const found = new Map<string, unknown>();
  for (const part of parts) {
    for (const [name, property] of Object.entries(propertiesOf(part))) {
      if (!found.has(name) && !present.has(name)) {
        found.set(name, property);
      }
    }
  }
  return [...found]
    .toSorted(([a], [b]) => Number(required.has(b)) - Number(required.has(a)))
    .slice(0, maxItems)
    .map(([name, property]) => {
      const schema = resolved(isObject(property) ? property : {}, root);
      return member(name, schema, { isRequired: required.has(name), hasColon });
    });
}

function member(
  name: string,
  schema: JsonObject,
  { isRequired, hasColon }: { readonly isRequired: boolean; readonly hasColon: boolean },
): Proposal {
  const key = JSON.stringify(name);
  const value = valuesOf(schema)[0] ?? { before: '', after: '' };
  const { description, title } = schema;
  const words = [title, description].filter(isString).join(': ');
  return {
    kind: 'member',
    label: name,
    ...(hasColon
      ? { before: key, after: '' }
      : { before: `${key}: ${value.before}`, after: value.after }),
    ...(words !== '' && { description: words }),
    isRequired,
  };
}

function values(parts: readonly JsonObject[]): readonly Proposal[] {
  const found = new Map<string, Proposal>();
  for (const part of parts) {
    for (const { before, after } of valuesOf(part)) {
      const label = before + after;
      const { description } = part;
      found.set(label, {
        kind: 'value',
        label,
        before,
        after,
        ...(isString(description) && { description }),
        isRequired: false,
      });
    }
  }
  return [...found.values()];
}

type Value = Pick<Proposal, 'before' | 'after'>;

/** Values that the schema lists first, then beginnings of its types. */
function valuesOf(schema: JsonObject): readonly Value[] {
  const { default: byDefault, const: only, enum: choices, examples, type } = schema;
  const named = [
    ...(byDefault === undefined ? [] : [byDefault]),
    ...('const' in schema ? [only] : []),
    ...(Array.isArray(choices) ? choices : []),
    ...(Array.isArray(examples) ? examples : []),
  ];
  if (named.length > 0) {
    return named.map((value) => ({ before: JSON.stringify(value), after: '' }));
  }
  return [type].flat().flatMap((one) => beginnings.get(one) ?? []);
}

/** Of the values of a type. */
const beginnings: ReadonlyMap<unknown, readonly Value[]> = new Map([
  ['boolean', ['true', 'false'].map((before) => ({ before, after: '' }))],
  ['string', [{ before: '"', after: '"' }]],
  ['object', [{ before: '{', after: '}' }]],
  ['array', [{ before: '[', after: ']' }]],
]);
