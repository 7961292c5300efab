/**
 * Runs in the process for slow checks: answers each request on its channel. schemaProcess.ts starts and limits the
 * process.
 */
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { AjvSchemaChecker, type Attempt, patientLimits } from './jsonSchema.ts';

/** The argument that makes the program serve checks. */
export const schemaProcessMark = 'mcp-host-schemas';

/** Schemas that the process caches; beyond that it drops all of them. */
const maxKnown = 100;

export interface SchemaQuestion {
  /** The same for the same schema. */
  readonly schemaId: number;
  readonly schema: JsonSchema;
  readonly value: unknown;
}

/** An error loses its class on the channel. */
export type SchemaAnswer =
  | { readonly kind: 'checked'; readonly violations: readonly string[] }
  | { readonly kind: 'unusable' | 'tooMuch'; readonly message: string };

/** Serves until the channel is closed, which ends the process. */
export function serveSchemas(): void {
  const checker = new AjvSchemaChecker(patientLimits);
  const known = new Map<number, JsonSchema>();
  process.on('message', ({ schemaId, schema, value }: SchemaQuestion) => {
    if (known.size >= maxKnown) {
      known.clear();
    }
    const one = known.get(schemaId) ?? schema;
    known.set(schemaId, one);
    process.send?.(toAnswer(checker.check(one, value)));
  });
  process.once('disconnect', () => process.exit());
}

function toAnswer(attempt: Attempt): SchemaAnswer {
  return attempt.kind === 'checked'
    ? attempt
    : { kind: attempt.kind, message: attempt.error.message };
}
