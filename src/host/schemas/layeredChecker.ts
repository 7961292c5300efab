/**
 * Checks small schemas at once, in this process, and slower ones in another process: a server's schema cannot block the
 * editor. jsonSchema.ts does the check.
 */
import type { SchemaChecker } from './schemaChecker.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { AjvSchemaChecker, type Attempt, type CheckLimits } from './jsonSchema.ts';
import { hasAtMost } from './schemaLimits.ts';
import type { SchemaProcess } from './schemaProcess.ts';

/** For the process of the extension host. Beyond these limits only {@link SchemaChecker.checkApart} gives an answer. */
export const hastyLimits: CheckLimits = { maxNodes: 10_000, totalMs: 800, nativeMs: 50 };

/** Schemas with more parts are checked in the other process wherever that is possible. */
export const smallNodes = 1_000;

export class LayeredChecker implements SchemaChecker, Disposable {
  readonly #here = new AjvSchemaChecker(hastyLimits);
  readonly #apart: Pick<SchemaProcess, 'check' | 'dispose'>;
  /** False: too large, or it took too long here once. */
  readonly #light = new WeakMap<JsonSchema, boolean>();

  constructor(apart: Pick<SchemaProcess, 'check' | 'dispose'>) {
    this.#apart = apart;
  }

  check(schema: JsonSchema, value: unknown): readonly string[] {
    return violationsOf(this.#here.check(schema, value));
  }

  async checkApart(schema: JsonSchema, value: unknown): Promise<readonly string[]> {
    const attempt = this.#isLight(schema) ? this.#here.checkBriefly(schema, value) : undefined;
    if (attempt !== undefined && attempt.kind !== 'tooMuch') {
      return violationsOf(attempt);
    }
    this.#light.set(schema, false);
    return violationsOf(await this.#apart.check(schema, value));
  }

  dispose(): void {
    this.#apart.dispose();
  }

  #isLight(schema: JsonSchema): boolean {
    const isLight = this.#light.get(schema) ?? hasAtMost(schema, smallNodes);
    this.#light.set(schema, isLight);
    return isLight;
  }
}

function violationsOf(attempt: Attempt): readonly string[] {
  if (attempt.kind !== 'checked') {
    throw attempt.error;
  }
  return attempt.violations;
}
