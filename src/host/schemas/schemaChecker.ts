/**
 * Checks values against JSON Schemas from servers. A small schema whose work is bounded is checked at once, in this
 * process; every other one in another process, so that no server can block the editor. jsonSchema.ts does the check.
 */
import { DisposableOwner } from '../../base/disposable.ts';
import { perObject } from '../../base/lazily.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { AjvSchemaChecker } from './jsonSchema.ts';
import { lightSizeOf } from './schemaLimits.ts';
import type { SchemaProcess } from './schemaProcess.ts';

/** Implemented by the schema bundle (ajv), which is loaded on first use. */
export interface SchemaChecker {
  /**
   * One sentence per violation, empty when the value matches.
   * @throws McpError `unsupported` for an unusable schema, and for a check that takes too long
   */
  check(schema: JsonSchema, value: unknown): Promise<readonly string[]>;
}

export class LayeredChecker extends DisposableOwner implements SchemaChecker {
  readonly #apart: Pick<SchemaProcess, 'check' | 'dispose'>;
  readonly #here = new AjvSchemaChecker();
  readonly #lightSizeOf = perObject(lightSizeOf);

  constructor(apart: Pick<SchemaProcess, 'check' | 'dispose'>) {
    super();
    this.#apart = this.store.add(apart);
  }

  async check(schema: JsonSchema, value: unknown): Promise<readonly string[]> {
    return sizeOf(value) <= this.#lightSizeOf(schema)
      ? this.#here.check(schema, value)
      : this.#apart.check(schema, value);
  }
}

/** Characters of a value as JSON; infinite for one that is nested too deeply for that. */
function sizeOf(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return Infinity;
  }
}
