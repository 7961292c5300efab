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

  /** @throws Unrepairable */
  whole(): JsonObject {
    const top = this.#top();
    const declared = typesOf(top['type']);
    if (declared.length > 0 && !declared.includes('object')) {
      throw new Unrepairable(`its input is of type ${declared.join(' or ')}, not an object`);
    }
    const repaired = this.#object({ ...top, type: 'object' }, ['']);
    return { ...repaired, properties: repaired['properties'] ?? {} };
  }

  /** @param trail the references that led here, and an empty text for every other level */
  #schema(value: unknown, trail: Trail): JsonObject {
    if (!isObject(value) || this.#isEndless(value, trail)) {
      return {}; // `true`, or what leads on without end: anything goes
    }
    const { schema, inner } = this.#inlined(value, trail);
    if (schemasOf(schema['allOf']).length > 0) {
      return this.#schema(this.#merged(schema, inner), [...inner, '']);
    }
    const choices = choiceKeys.flatMap((key) => schemasOf(schema[key]));
    return choices.length > 0
      ? this.#choice(schema, choices, inner)
      : this.#typed(schema, [...inner, '']);
  }

  #typed(schema: JsonObject, trail: Trail): JsonObject {
    const named = typesOf(schema['type']);
    const [type, ...more] = named.length > 1 ? named.filter((name) => name !== 'null') : named;
    if (more.length > 0) {
      const plain = without(schema, described);
      return {
        ...copied(schema, described),
        anyOf: [type, ...more].map((name) => this.#typed({ ...plain, type: name }, trail)),
      };
    }
    switch (type ?? impliedType(schema)) {
      case 'object':
        return this.#object(schema, trail);
      case 'array':
        return { ...scalars(schema), type: 'array', items: this.#items(schema, trail) };
      case undefined:
        return scalars(schema);
      default:
        return { ...scalars(schema), type };
    }
  }

  #object(schema: JsonObject, trail: Trail): JsonObject {
    const properties: [string, JsonObject][] = [];
    const declared = propertiesOf(schema);
    const wanted = new Set(requiredOf(schema));
    for (const [name, inner] of Object.entries(declared)) {
      if (memberName.test(name) && inner !== false) {
        properties.push([name, this.#schema(inner, trail)]);
      } else if (wanted.has(name)) {
        throw new Unrepairable(`it needs a member with the name ${JSON.stringify(name)}`);
      }
    }
    for (const name of wanted) {
      if (memberName.test(name) && !Object.hasOwn(declared, name)) {
        properties.push([name, {}]);
      }
    }
    const known = new Set(properties.map(([name]) => name));
    const required = [...wanted].filter((name) => known.has(name));
    const additional = schema['additionalProperties'];
    return {
      ...scalars(schema),
      type: 'object',
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...(required.length > 0 ? { required } : {}),
      ...(typeof additional === 'boolean' ? { additionalProperties: additional } : {}),
      ...(isObject(additional) ? { additionalProperties: this.#schema(additional, trail) } : {}),
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
      .filter((one) => !isNullSchema(one))
      .map((one) =>
        isObject(one) && !this.#isEndless(common, trail)
          ? this.#schema(joined([common, one]), [...trail, ''])
          : {},
      );
    const own = copied(schema, described);
    const [only = {}, ...others] = branches;
    return others.length === 0 ? { ...only, ...own } : { ...own, anyOf: branches };
  }

  /** A schema and the parts of its `allOf` as one. */
  #merged(value: JsonObject, trail: Trail): JsonObject {
    if (this.#isEndless(value, trail)) {
      return {};
    }
    const { schema, inner } = this.#inlined(value, trail);
    const parts = schemasOf(schema['allOf']).filter(isObject);
    return joined([
      without(schema, ['allOf']),
      ...parts.map((part) => this.#merged(part, [...inner, ''])),
    ]);
  }

  /**
   * At the top, where combinations are not accepted, choices become one object with the members of all; required are
   * those that every choice requires.
   */
  #top(): JsonObject {
    let top = this.#merged(this.#root, []);
    for (const key of choiceKeys) {
      const branches = schemasOf(top[key]).filter(isObject);
      if (branches.length > 0) {
        top = joined([top, union(branches.map((branch) => this.#merged(branch, [''])))]);
      }
    }
    return without(top, choiceKeys);
  }

  /** Replaces a `$ref` by its target; a recursive or external one by a schema that accepts anything. */
  #inlined(
    schema: JsonObject,
    trail: Trail,
  ): { readonly schema: JsonObject; readonly inner: Trail } {
    let current = schema;
    let inner = trail;
    while (isString(current['$ref'])) {
      const ref = current['$ref'];
      const found = inner.includes(ref) ? undefined : partAt(this.#root, ref);
      const target = isObject(found) && !this.#isEndless(found, inner) ? found : {};
      inner = [...inner, ref];
      current = { ...target, ...without(current, ['$ref']) };
    }
    return { schema: current, inner };
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

/** Type names of other languages, which some servers send. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['int', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['str', 'string'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['dict', 'object'],
  ['map', 'object'],
]);

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

function isNullSchema(value: unknown): boolean {
  return isObject(value) && value['type'] === 'null';
}

function copied(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]),
  );
}

export function without(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

/** The keywords that hold no schemas, in the form of draft 2020-12. */
function scalars(schema: JsonObject): JsonObject {
  const { enum: values, const: value } = schema;
  const choices = Array.isArray(values) ? values : 'const' in schema ? [value] : [];
  return {
    ...copied(schema, plainKeywords),
    ...bound(schema, 'exclusiveMinimum', 'minimum'),
    ...bound(schema, 'exclusiveMaximum', 'maximum'),
    ...(choices.length > 0 ? { enum: choices } : {}),
  };
}

/** In draft-04 the exclusive bound is `true`, and the number stands in the other keyword. */
function bound(schema: JsonObject, exclusive: string, inclusive: string): JsonObject {
  const value = schema[exclusive];
  if (value === true && typeof schema[inclusive] === 'number') {
    return { [exclusive]: schema[inclusive], [inclusive]: undefined };
  }
  return typeof value === 'number' ? { [exclusive]: value } : {};
}

function typesOf(type: unknown): readonly string[] {
  const names = isString(type) ? [type] : isStringArray(type) ? type : [];
  const known = names.map((name) => typeNames.get(name.toLowerCase()) ?? name.toLowerCase());
  return [...new Set(known)].filter((name) => types.has(name));
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
