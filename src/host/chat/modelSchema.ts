/**
 * A tool's input schema as language models accept it, level by level. Providers refuse a whole request because of one
 * unsupported schema: no `type`, an array without `items`, a `$ref`, a combination at the top. Such parts are
 * simplified; the server's own schema still checks the input.
 */
import { type JsonObject, isObject, isString, isStringArray } from '../../base/json.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { isMcpError } from '../../mcp/errors.ts';
import { nodesOf } from '../schemas/schemaLimits.ts';
import { partAt, propertiesOf, requiredOf } from '../schemas/schemaParts.ts';

export type ModelSchema =
  | { readonly kind: 'usable'; readonly schema: JsonObject }
  /** The reason completes "is left out, because …". */
  | { readonly kind: 'unusable'; readonly reason: string };

/** References may expand each other: a schema that grows beyond this is not given to a model. */
const maxChars = 100_000;
const maxDepth = 40;
/** Parts that are visited, with their members, once for each reference to them. */
const maxParts = 100_000;

/** The references that led to a part, and an empty text for every other level. */
type Trail = readonly string[];

/** The names that OpenAI and Anthropic accept for members of an input. */
const memberName = /^[\w.-]{1,64}$/u;

export function modelSchema(schema: JsonSchema): ModelSchema {
  try {
    nodesOf(schema);
    const repaired = new Repair(schema).whole();
    return JSON.stringify(repaired).length > maxChars
      ? { kind: 'unusable', reason: `its schema is longer than ${maxChars} characters` }
      : { kind: 'usable', schema: repaired };
  } catch (error) {
    if (isMcpError(error) || error instanceof Unrepairable) {
      return { kind: 'unusable', reason: error.message };
    }
    throw error;
  }
}

class Unrepairable extends Error {}

class Repair {
  readonly #root: JsonObject;
  #parts = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /**
   * At the top, where combinations are not accepted, choices become one object with the members of all; required are
   * those that every choice requires.
   * @throws Unrepairable
   */
  whole(): JsonObject {
    let top = this.#flat(this.#root, []).schema;
    for (const key of choiceKeys) {
      const branches = schemasOf(top[key]).filter(isObject);
      if (branches.length > 0) {
        top = joined([top, union(branches.map((branch) => this.#flat(branch, ['']).schema))]);
      }
    }
    const declared = typesOf(top);
    if (declared.length > 0 && !declared.includes('object')) {
      throw new Unrepairable(`its input is of type ${declared.join(' or ')}, not an object`);
    }
    const repaired = this.#object(top, ['']);
    return { ...repaired, properties: repaired['properties'] ?? {} };
  }

  #schema(value: unknown, trail: Trail): JsonObject {
    if (!isObject(value)) {
      return {}; // `true`: anything goes
    }
    const flat = this.#flat(value, trail);
    const { schema } = flat;
    const inner = [...flat.trail, ''];
    const choices = choiceKeys.flatMap((key) => schemasOf(schema[key]));
    if (choices.length > 0) {
      return this.#choice(schema, choices, inner);
    }
    const named = typesOf(schema);
    const types = named.length > 1 ? named.filter((name) => name !== 'null') : named;
    if (types.length > 1) {
      return this.#choice(
        schema,
        types.map((type) => ({ type })),
        inner,
      );
    }
    const [type = impliedType(schema)] = types;
    switch (type) {
      case 'object':
        return this.#object(schema, inner);
      case 'array':
        return { ...scalars(schema), type, items: this.#items(schema, inner) };
      case undefined:
        return scalars(schema);
      default:
        return { ...scalars(schema), type };
    }
  }

  #object(schema: JsonObject, trail: Trail): JsonObject {
    const declared = propertiesOf(schema);
    const wanted = new Set(requiredOf(schema));
    const unwritable = [...wanted].find(
      (name) => !memberName.test(name) && Object.hasOwn(declared, name),
    );
    if (unwritable !== undefined) {
      throw new Unrepairable(`it needs a member with the name ${JSON.stringify(unwritable)}`);
    }
    const names = [...new Set([...Object.keys(declared), ...wanted])].filter((name) =>
      memberName.test(name),
    );
    const properties = names.flatMap((name) => {
      const inner = Object.hasOwn(declared, name) ? declared[name] : {};
      return inner === false ? [] : [[name, this.#schema(inner, trail)] as const];
    });
    const known = new Set(properties.map(([name]) => name));
    const required = [...wanted].filter((name) => known.has(name));
    const additional = schema['additionalProperties'];
    return {
      ...scalars(schema),
      type: 'object',
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
      ...(typeof additional === 'boolean' && { additionalProperties: additional }),
      ...(isObject(additional) && { additionalProperties: this.#schema(additional, trail) }),
    };
  }

  /** A tuple (`items` of draft-07, `prefixItems` of 2020-12) becomes a list of any of its kinds. */
  #items({ items, prefixItems }: JsonObject, trail: Trail): JsonObject {
    const tuple = [...schemasOf(prefixItems), ...schemasOf(items)];
    if (tuple.length === 0) {
      return this.#schema(items, trail);
    }
    const kinds = tuple.map((one) => this.#schema(one, trail));
    const [first = {}, ...others] = distinct(kinds);
    return others.length === 0 ? first : { anyOf: [first, ...others] };
  }

  #choice(schema: JsonObject, choices: readonly unknown[], trail: Trail): JsonObject {
    const common = without(schema, [...described, ...choiceKeys, '$defs', 'definitions']);
    const branches = choices
      .filter((one) => !(isObject(one) && one['type'] === 'null'))
      .map((one) =>
        isObject(one) && !this.#isEndless(common, trail)
          ? this.#schema(joined([common, one]), trail)
          : {},
      );
    const own = copied(schema, described);
    const [only = {}, ...others] = branches;
    return others.length === 0 ? { ...only, ...own } : { ...own, anyOf: branches };
  }

  /**
   * A schema after its `$ref`, and with the parts of its `allOf`, as one. A recursive or external reference, and what
   * leads on without end, accepts anything.
   */
  #flat(value: JsonObject, before: Trail): { readonly schema: JsonObject; readonly trail: Trail } {
    let schema = this.#isEndless(value, before) ? {} : value;
    let trail = before;
    while (isString(schema['$ref'])) {
      const ref = schema['$ref'];
      const found = trail.includes(ref) ? undefined : partAt(this.#root, ref);
      const target = isObject(found) && !this.#isEndless(found, trail) ? found : {};
      trail = [...trail, ref];
      schema = { ...target, ...without(schema, ['$ref']) };
    }
    const parts = schemasOf(schema['allOf']).filter(isObject);
    const merged = parts.map((part) => this.#flat(part, [...trail, '']).schema);
    return { schema: joined([without(schema, ['allOf']), ...merged]), trail };
  }

  /** Whether it is too deep or has too many parts. A few references can expand each other millions of times. */
  #isEndless(schema: JsonObject, trail: Trail): boolean {
    if (trail.length > maxDepth || this.#parts > maxParts) {
      return true;
    }
    this.#parts += 1 + Object.keys(schema).length + Object.keys(propertiesOf(schema)).length;
    return this.#parts > maxParts;
  }
}

/** Keywords that mean the same everywhere and are copied; others are left out. */
const plainKeywords: readonly string[] = [
  'title',
  'description',
  'default',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

const exclusiveBounds = ['exclusiveMinimum', 'exclusiveMaximum'];

const types: ReadonlySet<string> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);

export const described: readonly string[] = ['title', 'description', 'default'];
const choiceKeys: readonly string[] = ['anyOf', 'oneOf'];

function schemasOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function distinct(schemas: readonly JsonObject[]): readonly JsonObject[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function copied(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]),
  );
}

export function without(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

/** The keywords that hold no schemas, in the form of draft 2020-12. In draft-04 an exclusive bound is `true`. */
function scalars(schema: JsonObject): JsonObject {
  const { enum: values, const: value } = schema;
  const choices = Array.isArray(values) ? values : 'const' in schema ? [value] : [];
  const bounds = exclusiveBounds.filter((key) => typeof schema[key] === 'number');
  return {
    ...copied(schema, [...plainKeywords, ...bounds]),
    ...(choices.length > 0 && { enum: choices }),
  };
}

function typesOf({ type }: JsonObject): readonly string[] {
  const names = isString(type) ? [type] : isStringArray(type) ? type : [];
  return [...new Set(names)].filter((name) => types.has(name));
}

function impliedType(schema: JsonObject): string | undefined {
  if (isObject(schema['properties'])) {
    return 'object';
  }
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined;
}

/** Merges schemas that all apply. */
function joined(schemas: readonly JsonObject[]): JsonObject {
  const properties = Object.fromEntries(
    schemas.flatMap((schema) => Object.entries(propertiesOf(schema))),
  );
  const required = [...new Set(schemas.flatMap(requiredOf))];
  return {
    ...Object.fromEntries(schemas.flatMap((schema) => Object.entries(schema))),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Merges branches of a choice: all members, and as required those that every branch requires. */
function union(branches: readonly JsonObject[]): JsonObject {
  const properties = Object.fromEntries(
    branches.flatMap((one) => Object.entries(propertiesOf(one))),
  );
  const [first = [], ...others] = branches.map((branch) => new Set(requiredOf(branch)));
  const required = [...first].filter((name) => others.every((names) => names.has(name)));
  return { properties, required };
}
