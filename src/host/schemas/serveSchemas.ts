/**
 * What runs in the process for schemas that take long: answers each question that comes over its channel. Who starts
 * the process, and bounds it, is schemaProcess.ts.
 */
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { AjvSchemaChecker, type Attempt, patientLimits } from './jsonSchema.ts';

/** The argument that the process is started with, so that the program knows that it is to serve. */
export const schemaProcessMark = 'mcp-host-schemas';

/** Schemas that the process remembers; then it forgets all of them. */
const maxKnown = 100;

export interface SchemaQuestion {
  /** The same for the same schema. */
  readonly schemaId: number;
  readonly schema: JsonSchema;
  readonly value: unknown;
}

/** An error loses its class on the way. */
export type SchemaAnswer =
  | { readonly kind: 'checked'; readonly violations: readonly string[] }
  | { readonly kind: 'unusable' | 'tooMuch'; readonly message: string };

/** Until the channel is closed, and with it the process ends. */
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
