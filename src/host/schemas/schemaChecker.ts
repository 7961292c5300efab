/**
 * Checks values against JSON Schemas from servers. A small schema whose work is bounded is checked at once, in this
 * process. Every other one is checked in another process, so that no server can block the editor; only while a person
 * types, it is checked here within a time limit. jsonSchema.ts does the check.
 */
import type { Disposable } from '../../base/disposable.ts';
import { McpError } from '../../mcp/errors.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { AjvSchemaChecker } from './jsonSchema.ts';
import { isLight, type Weight, weightOf } from './schemaLimits.ts';
import type { SchemaProcess } from './schemaProcess.ts';
import { runWithin } from './timeLimit.ts';

/** Implemented by the schema bundle (ajv), which is loaded on first use. */
export interface SchemaChecker {
  /** One sentence per violation, empty when the value matches. @throws McpError `unsupported` for an unusable schema */
  check(schema: JsonSchema, value: unknown): readonly string[];
  /**
   * The same, without blocking, also for schemas that take too long for {@link check}. @throws McpError `unsupported`
   */
  checkApart(schema: JsonSchema, value: unknown): Promise<readonly string[]>;
}

/** Milliseconds for {@link SchemaChecker.check} of a schema that is not light. */
export const hereMs = 800;

export class LayeredChecker implements SchemaChecker, Disposable {
  readonly #apart: Pick<SchemaProcess, 'check' | 'dispose'>;
  readonly #light = new AjvSchemaChecker();
  /** For checks that may be stopped in the middle. */
  #others = new AjvSchemaChecker();
  readonly #weights = new WeakMap<JsonSchema, Weight>();
  readonly #tooSlow = new WeakSet<JsonSchema>();

  constructor(apart: Pick<SchemaProcess, 'check' | 'dispose'>) {
    this.#apart = apart;
  }

  check(schema: JsonSchema, value: unknown): readonly string[] {
    if (this.#isLight(schema, value)) {
      return this.#light.check(schema, value);
    }
    const outcome = this.#tooSlow.has(schema)
      ? undefined
      : runWithin(hereMs, () => this.#others.check(schema, value));
    if (outcome?.kind === 'done') {
      return outcome.value;
    }
    if (outcome !== undefined) {
      this.#tooSlow.add(schema);
      this.#others = new AjvSchemaChecker(); // the old one was stopped in the middle of a change
    }
    const text = `Checking a value against the schema took longer than ${hereMs} ms`;
    throw new McpError('unsupported', text);
  }

  async checkApart(schema: JsonSchema, value: unknown): Promise<readonly string[]> {
    return this.#isLight(schema, value)
      ? this.#light.check(schema, value)
      : this.#apart.check(schema, value);
  }

  dispose(): void {
    this.#apart.dispose();
  }

  #isLight(schema: JsonSchema, value: unknown): boolean {
    const weight = this.#weights.get(schema) ?? weightOf(schema);
    this.#weights.set(schema, weight);
    return isLight(weight, value);
  }
}
