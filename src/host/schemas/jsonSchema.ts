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
import { isObject } from '../../base/json.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import type { SchemaChecker } from '../ports.ts';
import { declaredDialect, type Dialect, inspectShape } from './schemaLimits.ts';
import { runWithin } from './timeLimit.ts';

/** Violations beyond these are counted, not told. */
const maxViolations = 20;
const compileLimitMs = 3_000;
const checkLimitMs = 1_000;

type Engine = Ajv | Ajv2020;
type Compiled =
  | { readonly kind: 'usable'; readonly validate: ValidateFunction }
  | { readonly kind: 'unusable'; readonly error: McpError };

export class AjvSchemaChecker implements SchemaChecker {
  /** By identity: a catalog keeps the same object for as long as the server lists it. */
  readonly #compiled = new WeakMap<JsonSchema, Compiled>();
  readonly #engines = new Map<Dialect, Engine>();

  check(schema: JsonSchema, value: unknown): readonly string[] {
    const compiled = this.#compiled.get(schema) ?? this.#remember(schema);
    if (compiled.kind === 'unusable') {
      throw compiled.error;
    }
    const { validate } = compiled;
    const outcome = runWithin(checkLimitMs, () => validateOrExplain(validate, value));
    if (outcome.kind === 'tooLong') {
      throw new McpError(
        'unsupported',
        `Checking a value against the schema took longer than ${checkLimitMs} ms`,
      );
    }
    return outcome.value ? [] : toSentences(validate.errors ?? []);
  }

  #remember(schema: JsonSchema): Compiled {
    const compiled = this.#compile(schema);
    this.#compiled.set(schema, compiled);
    return compiled;
  }

  #compile(schema: JsonSchema): Compiled {
    try {
      const { hasIdentifiers, strayReference } = inspectShape(schema);
      const declared = declaredDialect(schema);
      if (strayReference !== undefined && declared !== 'draft-07') {
        throw missingReference(strayReference); // ajv would go on with the schema as a whole
      }
      return {
        kind: 'usable',
        validate:
          declared === undefined
            ? this.#compileUndeclared(schema, hasIdentifiers)
            : this.#compileAs(declared, schema, hasIdentifiers),
      };
    } catch (error) {
      return { kind: 'unusable', error: toUnsupported(error) };
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
    // An engine keeps the names that schemas give themselves. Two tools may use the same name, so
    // such a schema gets an engine of its own.
    const engine = hasIdentifiers ? createEngine(dialect) : this.#engine(dialect);
    try {
      const outcome = runWithin(compileLimitMs, () => engine.compile(schema));
      if (outcome.kind === 'tooLong') {
        this.#engines.delete(dialect); // stopped in the middle of a change
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

  #engine(dialect: Dialect): Engine {
    let engine = this.#engines.get(dialect);
    if (engine === undefined) {
      engine = createEngine(dialect);
      this.#engines.set(dialect, engine);
    }
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
    code: { regExp: tolerantRegExp },
  };
  const engine = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(engine);
  engine.removeKeyword('id'); // draft-04's: ajv would refuse the schema for it
  return engine;
}

/**
 * Patterns are written for many regular expression dialects. One that is only valid without the
 * `u` flag ("[\w\-]") is used without it, one that is not valid at all ("(?P<x>a)") says nothing.
 */
const tolerantRegExp = Object.assign(
  (pattern: string, flags: string): RegExp => {
    for (const attempt of [flags, '']) {
      try {
        return new RegExp(pattern, attempt);
      } catch {
        // the next attempt, or no restriction
      }
    }
    return /(?:)/u;
  },
  { code: 'new RegExp' },
);

/** Schema and value decide together how deep the check goes: `{"$dynamicRef":"#n"}` at its own anchor has no end. */
function validateOrExplain(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof RangeError) {
      const message = 'The schema leads too deep for this value to be checked';
      throw new McpError('unsupported', message, { cause: error });
    }
    throw error;
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
  const detail = error instanceof Error ? error.message : String(error);
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
