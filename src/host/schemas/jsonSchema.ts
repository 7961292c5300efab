/**
 * Checks values against JSON Schemas from servers, with ajv behind it. Draft-07 and 2020-12.
 *
 * "When a schema does not include a `$schema` field, it defaults to JSON Schema 2020-12"
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic#json-schema-usage). Earlier
 * revisions name no dialect and their servers mean draft-07 at times: where the two differ in
 * syntax (`items` as an array), a schema that 2020-12 does not know is read as draft-07.
 *
 * Nothing is ever fetched: a `$ref` that leads out of the schema makes it unusable.
 */
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { toError } from '../../base/async.ts';
import { isObject } from '../../base/json.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import type { SchemaChecker } from '../ports.ts';
import { type PatternEngine, patternsOf } from './patterns.ts';
import { declaredDialect, type Dialect, inspectShape } from './schemaLimits.ts';
import { runWithin } from './timeLimit.ts';

/** Violations beyond these are counted, not told. */
const maxViolations = 20;
const compileLimitMs = 3_000;
const checkLimitMs = 1_000;
/** What takes longer than this is done again with patterns that are matched in linear time. */
const nativeLimitMs = 150;
/** A schema that exceeds the limit of time this often is not tried any more: each attempt holds everybody up. */
const maxExcesses = 2;

type Engine = Ajv | Ajv2020;
type Compiled =
  | {
      readonly kind: 'usable';
      readonly patterns: PatternEngine;
      readonly validate: ValidateFunction;
    }
  | { readonly kind: 'unusable'; readonly error: McpError };

export class AjvSchemaChecker implements SchemaChecker {
  /** By identity: a catalog keeps the same object for as long as the server lists it. */
  readonly #compiled = new WeakMap<JsonSchema, Compiled>();
  readonly #excesses = new WeakMap<JsonSchema, number>();
  readonly #engines = new Map<`${Dialect} ${PatternEngine}`, Engine>();

  check(schema: JsonSchema, value: unknown): readonly string[] {
    return (
      this.#checkWithin(
        schema,
        value,
        this.#compiled.get(schema) ?? this.#compile(schema, 'native'),
      ) ??
      this.#checkWithin(schema, value, this.#compile(schema, 'linear')) ??
      this.#refuse(schema)
    );
  }

  /** Undefined when it took too long. */
  #checkWithin(
    schema: JsonSchema,
    value: unknown,
    compiled: Compiled,
  ): readonly string[] | undefined {
    this.#compiled.set(schema, compiled);
    if (compiled.kind === 'unusable') {
      throw compiled.error;
    }
    const { validate, patterns } = compiled;
    const limitMs = patterns === 'native' ? nativeLimitMs : checkLimitMs;
    const outcome = runWithin(limitMs, () => validateOrExplain(validate, value));
    if (outcome.kind === 'tooLong') {
      return undefined;
    }
    return outcome.value ? [] : toSentences(validate.errors ?? []);
  }

  /** @throws McpError `unsupported` */
  #refuse(schema: JsonSchema): never {
    const error = new McpError(
      'unsupported',
      `Checking a value against the schema took longer than ${checkLimitMs} ms`,
    );
    const excesses = (this.#excesses.get(schema) ?? 0) + 1;
    this.#excesses.set(schema, excesses);
    if (excesses >= maxExcesses) {
      this.#compiled.set(schema, { kind: 'unusable', error });
    }
    throw error;
  }

  #compile(schema: JsonSchema, patterns: PatternEngine): Compiled {
    try {
      const { hasIdentifiers, strayReference } = inspectShape(schema);
      const declared = declaredDialect(schema);
      if (strayReference !== undefined && declared !== 'draft-07') {
        throw missingReference(strayReference); // ajv would go on with the schema as a whole
      }
      return {
        kind: 'usable',
        patterns,
        validate:
          declared === undefined
            ? this.#compileUndeclared(schema, patterns, hasIdentifiers)
            : this.#compileAs(declared, schema, patterns, hasIdentifiers),
      };
    } catch (error) {
      return { kind: 'unusable', error: toUnsupported(error) };
    }
  }

  #compileUndeclared(
    schema: JsonSchema,
    patterns: PatternEngine,
    hasIdentifiers: boolean,
  ): ValidateFunction {
    try {
      return this.#compileAs('2020-12', schema, patterns, hasIdentifiers);
    } catch (error) {
      if (isMissingReference(error)) {
        throw error; // under a keyword that draft-07 does not know it would count for nothing
      }
      try {
        return this.#compileAs('draft-07', schema, patterns, hasIdentifiers);
      } catch {
        throw error; // what 2020-12 says of it is the one to tell
      }
    }
  }

  #compileAs(
    dialect: Dialect,
    schema: JsonSchema,
    patterns: PatternEngine,
    hasIdentifiers: boolean,
  ): ValidateFunction {
    // An engine keeps the names that schemas give themselves. Two tools may use the same name, so
    // such a schema gets an engine of its own.
    const engine = hasIdentifiers
      ? createEngine(dialect, patterns)
      : this.#engine(dialect, patterns);
    try {
      const outcome = runWithin(compileLimitMs, () => engine.compile(schema));
      if (outcome.kind === 'tooLong') {
        this.#engines.delete(`${dialect} ${patterns}`); // stopped in the middle of a change
        throw new McpError(
          'unsupported',
          `Reading the schema took longer than ${compileLimitMs} ms`,
        );
      }
      if ('$async' in outcome.value) {
        throw new McpError('unsupported', 'The schema asks for asynchronous checks ("$async")');
      }
      return outcome.value;
    } finally {
      engine.removeSchema(schema); // the engine would hold it for ever
    }
  }

  #engine(dialect: Dialect, patterns: PatternEngine): Engine {
    const name = `${dialect} ${patterns}` as const;
    let engine = this.#engines.get(name);
    if (engine === undefined) {
      engine = createEngine(dialect, patterns);
      this.#engines.set(name, engine);
    }
    return engine;
  }
}

function createEngine(dialect: Dialect, patterns: PatternEngine): Engine {
  const options: Options = {
    strict: false,
    validateSchema: false,
    allErrors: true,
    ownProperties: true, // `required: ["constructor"]` is not met by every object
    logger: false,
    code: { regExp: patternsOf[patterns] },
  };
  const engine = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(engine);
  engine.removeKeyword('id'); // draft-04's: ajv would refuse the schema for it
  return engine;
}

/** Schema and value decide together how deep the check goes: `{"$dynamicRef":"#n"}` at its own anchor has no end. */
function validateOrExplain(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value);
  } catch (error) {
    // Not a RangeError: ajv compares with `enum` by the `toString` of objects, which `{"toString":null}` has not.
    const message =
      error instanceof RangeError
        ? 'The schema leads too deep for this value to be checked'
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
    `The schema refers to ${JSON.stringify(reference)}, which is not in it; references are never fetched`,
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

function toSentences(errors: readonly ErrorObject[]): readonly string[] {
  const sentences = [...new Set(errors.map(toSentence))];
  return sentences.length <= maxViolations
    ? sentences
    : [
        ...sentences.slice(0, maxViolations),
        `and ${sentences.length - maxViolations} more violations`,
      ];
}

function toSentence(error: ErrorObject): string {
  const place = error.instancePath === '' ? 'the value' : `"${toPath(error.instancePath)}"`;
  return cut(`${place} ${error.message ?? `violates "${error.keyword}"`}${toDetail(error)}`);
}

/** JSON Pointer (RFC 6901) → dotted path. */
function toPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

/** What ajv's message leaves out. */
function toDetail({ keyword, params }: ErrorObject): string {
  if (!isObject(params)) {
    return '';
  }
  switch (keyword) {
    case 'additionalProperties':
      return `: ${JSON.stringify(params['additionalProperty'])}`;
    case 'unevaluatedProperties':
      return `: ${JSON.stringify(params['unevaluatedProperty'])}`;
    case 'enum':
      return `: ${JSON.stringify(params['allowedValues'])}`;
    case 'const':
      return `: ${JSON.stringify(params['allowedValue'])}`;
    default:
      return '';
  }
}

function cut(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`;
}
