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
import { type PatternEngine, patternsOf } from './patterns.ts';
import { withPlainOptions } from './plainOptions.ts';
import { declaredDialect, type Dialect, inspectShape, schemaLimits } from './schemaLimits.ts';
import { runWithin } from './timeLimit.ts';
import { cut, toJson, toSentences } from './violations.ts';

/** A schema that exceeds the time limit this often is not tried again: each attempt blocks the process. */
const maxExcesses = 2;

/** How much time a schema may take. Times are milliseconds. */
export interface CheckLimits {
  /** See schemaLimits.ts; at most the limit there. */
  readonly maxNodes: number;
  /** To read the schema and to check a value against it, in total. */
  readonly totalMs: number;
  /** Part of that: a check that takes longer is repeated with patterns that match in linear time. */
  readonly nativeMs: number;
}

/** For the separate process, where nobody else waits. */
export const patientLimits: CheckLimits = {
  maxNodes: schemaLimits.maxNodes,
  totalMs: 10_000,
  nativeMs: 150,
};

export type Attempt =
  | { readonly kind: 'checked'; readonly violations: readonly string[] }
  | { readonly kind: 'unusable'; readonly error: McpError }
  /** The check exceeds the limits of the checker. */
  | { readonly kind: 'tooMuch'; readonly error: McpError };

type Engine = Ajv | Ajv2020;
type Unusable = Exclude<Attempt, { readonly kind: 'checked' }>;
type Compiled =
  | {
      readonly kind: 'usable';
      readonly patterns: PatternEngine;
      readonly validate: ValidateFunction;
    }
  | Unusable;

export class AjvSchemaChecker {
  readonly #limits: CheckLimits;
  /** By identity: a catalog keeps the same object while the server lists it. */
  readonly #compiled = new WeakMap<JsonSchema, Compiled>();
  readonly #excesses = new WeakMap<JsonSchema, number>();
  readonly #engines = new Map<`${Dialect} ${PatternEngine}`, Engine>();

  constructor(limits: CheckLimits) {
    this.#limits = limits;
  }

  /** Never throws. */
  check(schema: JsonSchema, value: unknown): Attempt {
    const end = performance.now() + this.#limits.totalMs;
    return (
      this.#checkNatively(schema, value, end) ??
      this.#checkBefore(end, schema, value, this.#compile(schema, 'linear', end)) ??
      this.#noteExcess(schema)
    );
  }

  /** Undefined when patterns or combinations take too long: {@link check} then goes on. Never throws. */
  checkBriefly(schema: JsonSchema, value: unknown): Attempt | undefined {
    return this.#checkNatively(schema, value, performance.now() + this.#limits.totalMs);
  }

  #checkNatively(schema: JsonSchema, value: unknown, end: number): Attempt | undefined {
    const compiled = this.#compiled.get(schema) ?? this.#compile(schema, 'native', end);
    return this.#checkBefore(end, schema, value, compiled);
  }

  /** Undefined when it took too long. */
  #checkBefore(
    end: number,
    schema: JsonSchema,
    value: unknown,
    compiled: Compiled,
  ): Attempt | undefined {
    this.#compiled.set(schema, compiled);
    if (compiled.kind !== 'usable') {
      return compiled;
    }
    const { validate, patterns } = compiled;
    const limitMs = patterns === 'native' ? this.#limits.nativeMs : Infinity;
    try {
      const outcome = runWithin(timeUntil(end, limitMs), () => validateOrExplain(validate, value));
      if (outcome.kind === 'tooLong') {
        return undefined;
      }
      const violations = outcome.value ? [] : toSentences(validate.errors ?? []);
      validate.errors = null; // kept for as long as the schema is, otherwise
      return { kind: 'checked', violations };
    } catch (error) {
      return { kind: 'unusable', error: toUnsupported(error) }; // with this value
    }
  }

  #noteExcess(schema: JsonSchema): Attempt {
    const message = `Checking a value against the schema took longer than ${this.#limits.totalMs} ms`;
    const refusal: Unusable = { kind: 'tooMuch', error: new McpError('unsupported', message) };
    const excesses = (this.#excesses.get(schema) ?? 0) + 1;
    this.#excesses.set(schema, excesses);
    if (excesses >= maxExcesses) {
      this.#compiled.set(schema, refusal);
    }
    return refusal;
  }

  #compile(schema: JsonSchema, patterns: PatternEngine, end: number): Compiled {
    try {
      const { hasIdentifiers, strayReference, nodes } = inspectShape(schema);
      const how = { patterns, hasIdentifiers, end };
      const plain = withPlainOptions(schema);
      const { maxNodes } = this.#limits;
      if (nodes > maxNodes) {
        throw new TooMuch(`The schema has more than ${maxNodes} parts`);
      }
      const declared = declaredDialect(schema);
      if (strayReference !== undefined && declared !== 'draft-07') {
        throw missingReference(strayReference); // ajv would go on with the schema as a whole
      }
      return {
        kind: 'usable',
        patterns,
        validate:
          declared === undefined
            ? this.#compileUndeclared(plain, how)
            : this.#compileAs(declared, plain, how),
      };
    } catch (error) {
      return error instanceof TooMuch
        ? { kind: 'tooMuch', error: new McpError('unsupported', error.message) }
        : { kind: 'unusable', error: toUnsupported(error) };
    }
  }

  #compileUndeclared(schema: JsonSchema, how: Compilation): ValidateFunction {
    try {
      return this.#compileAs('2020-12', schema, how);
    } catch (error) {
      if (error instanceof TooMuch) {
        throw error; // it would take as long once more
      }
      if (isMissingReference(error)) {
        throw error; // under a keyword that draft-07 does not know it would count for nothing
      }
      try {
        return this.#compileAs('draft-07', schema, how);
      } catch {
        throw error; // what 2020-12 says of it is the one to tell
      }
    }
  }

  #compileAs(
    dialect: Dialect,
    schema: JsonSchema,
    { patterns, hasIdentifiers, end }: Compilation,
  ): ValidateFunction {
    // An engine registers the names in schemas. Two tools may use the same name, so such a schema gets an engine of its
    // own.
    const engine = hasIdentifiers
      ? createEngine(dialect, patterns)
      : this.#engine(dialect, patterns);
    try {
      const outcome = runWithin(timeUntil(end), () => engine.compile(schema));
      if (outcome.kind === 'tooLong') {
        this.#engines.delete(`${dialect} ${patterns}`); // stopped in the middle of a change
        throw new TooMuch(`Reading the schema took longer than ${this.#limits.totalMs} ms`);
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

interface Compilation {
  readonly patterns: PatternEngine;
  readonly hasIdentifiers: boolean;
  /** By `performance.now()`. */
  readonly end: number;
}

/** Whole milliseconds, at least one. */
function timeUntil(end: number, mostMs = Infinity): number {
  return Math.max(1, Math.min(mostMs, Math.ceil(end - performance.now())));
}

/** Not thrown out of this file. */
class TooMuch extends Error {}

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
