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
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { toError } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { withPlainOptions } from './plainOptions.ts';
import { nodesOf } from './schemaLimits.ts';
import { truncated } from '../../base/text.ts';

type Engine = Ajv | Ajv2020;
type Dialect = 'draft-07' | '2020-12';

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
]);

/** Keywords by which a schema gives a name to itself or to a part of it, in its JSON. */
const identifiers = /"\$(?:id|anchor|dynamicAnchor)":/u;

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
      nodesOf(schema);
      const declared = declaredDialect(schema);
      const stray = declared === 'draft-07' ? undefined : strayReference(schema);
      if (stray !== undefined) {
        throw missingReference(stray); // ajv would go on with the schema as a whole
      }
      const plain = withPlainOptions(schema);
      return declared === undefined
        ? this.#compileUndeclared(plain)
        : this.#compileAs(declared, plain);
    } catch (error) {
      return toUnsupported(error);
    }
  }

  #compileUndeclared(schema: JsonSchema): ValidateFunction {
    try {
      return this.#compileAs('2020-12', schema);
    } catch (error) {
      if (isMissingReference(error)) {
        throw error; // under a keyword that draft-07 does not know it would count for nothing
      }
      try {
        return this.#compileAs('draft-07', schema);
      } catch {
        throw error; // what 2020-12 says of it is the one to tell
      }
    }
  }

  #compileAs(dialect: Dialect, schema: JsonSchema): ValidateFunction {
    // An engine registers the names in schemas. Two tools may use the same name, so such a schema gets an engine of its
    // own.
    const engine = identifiers.test(JSON.stringify(schema))
      ? createEngine(dialect)
      : this.#engine(dialect);
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

/**
 * The dialect that a schema names; undefined when it names none.
 * @throws McpError `unsupported` for any other than draft-07 or 2020-12
 */
function declaredDialect({ $schema: name }: JsonSchema): Dialect | undefined {
  if (name === undefined) {
    return undefined;
  }
  // Both http: and https: are in use, with and without the empty fragment.
  const key = isString(name) ? name.replace(/^https?:\/\//u, '').replace(/#$/u, '') : '';
  const dialect = dialects.get(key);
  if (dialect === undefined) {
    throw new McpError(
      'unsupported',
      `The schema uses the dialect ${cut(JSON.stringify(name))}. Only draft-07 and 2020-12 are supported`,
    );
  }
  return dialect;
}

/** A `$dynamicRef` without a `$dynamicAnchor` of that name in the schema. */
function strayReference(schema: JsonSchema): string | undefined {
  const anchors = new Set<string>();
  const references: string[] = [];
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === '$dynamicAnchor') {
      anchors.add(`#${String(value)}`);
    } else if (key === '$dynamicRef' && isString(value)) {
      references.push(value);
    }
    return value;
  });
  return references.find((reference) => !anchors.has(reference));
}

function createEngine(dialect: Dialect): Engine {
  const options: Options = {
    strict: false,
    validateSchema: false,
    allErrors: true,
    ownProperties: true, // `required: ["constructor"]` is not met by every object
    logger: false,
    multipleOfPrecision: 6, // 19.99 is a multiple of 0.01, which floating point does not know
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
    `The schema refers to ${cut(JSON.stringify(reference))}, which is not part of it. References are never fetched`,
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

/** Violations beyond these are only counted. */
const maxTold = 20;
/** Duplicates are removed only up to this number. */
const maxCompared = 100;
/** Characters of a sentence. */
const maxChars = 300;

/** The violations of a schema by a value, in sentences. */
export function toSentences(errors: readonly ErrorObject[]): readonly string[] {
  const sentences = [...new Set(errors.slice(0, maxCompared).map(toSentence))];
  const untold = sentences.length - maxTold + Math.max(0, errors.length - maxCompared);
  return untold <= 0
    ? sentences
    : [...sentences.slice(0, maxTold), `and ${untold} more violations`];
}

function toSentence({ instancePath, message = '', keyword, params }: ErrorObject): string {
  const place = instancePath === '' ? 'the value' : `"${toPath(instancePath)}"`;
  const what = message === '' ? `violates "${keyword}"` : message;
  const detail = details.get(keyword);
  const shown: unknown = detail !== undefined && isObject(params) ? params[detail] : undefined;
  return cut(`${place} ${what}${shown === undefined ? '' : `: ${JSON.stringify(shown)}`}`);
}

/** JSON Pointer (RFC 6901) → dotted path. */
function toPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

/** Which parameter has what ajv's message leaves out, by keyword. */
const details: ReadonlyMap<string, string> = new Map([
  ['additionalProperties', 'additionalProperty'],
  ['unevaluatedProperties', 'unevaluatedProperty'],
  ['enum', 'allowedValues'],
  ['const', 'allowedValue'],
]);

/** The part of a text that a sentence shows. */
function cut(text: string): string {
  return truncated(text, maxChars);
}
