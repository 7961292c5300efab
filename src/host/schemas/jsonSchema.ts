/**
 * Checks values against JSON Schemas from servers, with ajv. Draft-07 and 2020-12.
 *
 * "When a schema does not include a `$schema` field, it defaults to JSON Schema 2020-12"
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic#json-schema-usage). Earlier revisions name no
 * dialect, and some of their servers mean draft-07: where the two differ in syntax (`items` as an array), a schema that
 * is invalid in 2020-12 is read as draft-07.
 *
 * Nothing is ever fetched: a `$ref` that leads out of the schema makes it unusable.
 */
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { toError } from '../../base/async.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { declaredDialect, type Dialect, inspectShape } from './schemaLimits.ts';
import { cut, toJson, toSentences } from './violations.ts';
import { isObject, type JsonObject } from '../../base/json.ts';

type Engine = Ajv | Ajv2020;

export class AjvSchemaChecker {
  /** By identity: a catalog keeps the same object while the server lists it. */
  readonly #compiled = new WeakMap<JsonSchema, ValidateFunction | McpError>();
  readonly #engines = new Map<Dialect, Engine>();

  /** One sentence per violation. @throws McpError `unsupported` when the schema, or this value, cannot be checked */
  check(schema: JsonSchema, value: unknown): readonly string[] {
    const validate = this.#compiled.get(schema) ?? this.#compile(schema);
    this.#compiled.set(schema, validate);
    if (isMcpError(validate)) {
      throw validate;
    }
    const violations = validateOrExplain(validate, value) ? [] : toSentences(validate.errors ?? []);
    validate.errors = null; // kept for as long as the schema is, otherwise
    return violations;
  }

  #compile(schema: JsonSchema): ValidateFunction | McpError {
    try {
      const { hasIdentifiers, strayReference } = inspectShape(schema);
      const plain = withPlainOptions(schema);
      const declared = declaredDialect(schema);
      if (strayReference !== undefined && declared !== 'draft-07') {
        throw missingReference(strayReference); // ajv would go on with the schema as a whole
      }
      return declared === undefined
        ? this.#compileUndeclared(plain, hasIdentifiers)
        : this.#compileAs(declared, plain, hasIdentifiers);
    } catch (error) {
      return toUnsupported(error);
    }
  }

  #compileUndeclared(schema: JsonSchema, hasIdentifiers: boolean): ValidateFunction {
    try {
      return this.#compileAs('2020-12', schema, hasIdentifiers);
    } catch (error) {
      if (isMissingReference(error)) {
        throw error; // under a keyword that draft-07 does not know it would count for nothing
      }
      try {
        return this.#compileAs('draft-07', schema, hasIdentifiers);
      } catch {
        throw error; // what 2020-12 says of it is the one to tell
      }
    }
  }

  #compileAs(dialect: Dialect, schema: JsonSchema, hasIdentifiers: boolean): ValidateFunction {
    // An engine registers the names in schemas. Two tools may use the same name, so such a schema gets an engine of its
    // own.
    const engine = hasIdentifiers ? createEngine(dialect) : this.#engine(dialect);
    try {
      const validate = engine.compile(schema);
      if ('$async' in validate) {
        throw new McpError('unsupported', 'The schema asks for asynchronous checks ("$async")');
      }
      return validate;
    } finally {
      engine.removeSchema(schema); // the engine would hold it for ever
    }
  }

  #engine(dialect: Dialect): Engine {
    const engine = this.#engines.get(dialect) ?? createEngine(dialect);
    this.#engines.set(dialect, engine);
    return engine;
  }
}

function createEngine(dialect: Dialect): Engine {
  const options: Options = {
    strict: false,
    validateSchema: false,
    allErrors: true,
    ownProperties: true, // `required: ["constructor"]` is not met by every object
    logger: false,
    code: { regExp: Object.assign(toRegExp, { code: 'new RegExp' }) },
  };
  const engine = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(engine);
  engine.removeKeyword('id'); // draft-04's: ajv would refuse the schema for it
  return engine;
}

/**
 * Patterns are written for many dialects of regular expressions. A pattern that is only valid without the `u` flag
 * ("[\w\-]") is used without it; one that is not valid in JavaScript at all ("(?P<x>a)") restricts nothing.
 */
function toRegExp(pattern: string, flags: string): RegExp {
  for (const attempt of [flags, '']) {
    try {
      return new RegExp(pattern, attempt);
    } catch {
      // the next attempt
    }
  }
  return /(?:)/u;
}

/** Schema and value together decide the depth of recursion: `{"$dynamicRef":"#n"}` at its own anchor never ends. */
function validateOrExplain(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value);
  } catch (error) {
    // Not a RangeError: ajv compares with `enum` by the objects' `toString`, which `{"toString":null}` lacks.
    const message =
      error instanceof RangeError
        ? 'The check of this value against the schema goes too deep'
        : 'The value cannot be checked against the schema';
    throw new McpError('unsupported', message, { cause: error });
  }
}

function isMissingReference(error: unknown): error is Error & { readonly missingRef: unknown } {
  return error instanceof Error && 'missingRef' in error;
}

function missingReference(reference: unknown, cause?: Error): McpError {
  return new McpError(
    'unsupported',
    `The schema refers to ${toJson(reference)}, which is not part of it. References are never fetched`,
    { cause },
  );
}

function toUnsupported(error: unknown): McpError {
  if (isMcpError(error)) {
    return error;
  }
  if (isMissingReference(error)) {
    return missingReference(error.missingRef, error);
  }
  const detail = toError(error).message;
  return new McpError('unsupported', `The schema cannot be used: ${cut(detail)}`, {
    cause: error,
  });
}

/** Shorter lists stay, with ajv's messages for them. */
const fewOptions = 20;

/** Keywords beside `const` that do not restrict the value. */
const remarks: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'deprecated']);
/** The values of these are data, even if they look like schemas. */
const data: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

/**
 * Rewrites long lists of titled options as an `enum`. Forms name their options as `oneOf: [{"const": "a", "title":
 * "A"}, …]`; ajv takes a second to compile a thousand of them, and no time for an `enum`.
 * @returns the same schema if it has no such list; otherwise a copy that accepts and rejects the same values
 */
export function withPlainOptions(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema);
  const isAffected = /"(?:one|any)Of":\[/u.test(text);
  const isReferredTo = /\/(?:one|any)Of\//u.test(text); // "#/properties/a/oneOf/3"
  return isAffected && !isReferredTo ? objectWithout(schema) : schema;
}

function withoutOptions(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutOptions);
  }
  return isObject(value) ? objectWithout(value) : value;
}

function objectWithout(schema: JsonObject): JsonObject {
  const entries: [string, unknown][] = [];
  let hasEnum = schema['enum'] !== undefined;
  for (const [key, value] of Object.entries(schema)) {
    const options = key === 'oneOf' || key === 'anyOf' ? optionsIn(value) : undefined;
    if (options !== undefined && !hasEnum) {
      hasEnum = true; // a second list stays what it is: both count
      entries.push(['enum', options]);
    } else {
      entries.push([key, data.has(key) ? value : withoutOptions(value)]);
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
