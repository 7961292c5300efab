/** How the host checks values. */
import type { JsonSchema } from '../../mcp/types/lists.ts';

/** Implemented by the schema bundle (ajv), which is loaded on first use. */
export interface SchemaChecker {
  /** One sentence per violation, empty when the value matches. @throws McpError `unsupported` for an unusable schema */
  check(schema: JsonSchema, value: unknown): readonly string[];
  /**
   * The same, without blocking, also for schemas that take too long for {@link check}. @throws McpError `unsupported`
   */
  checkApart(schema: JsonSchema, value: unknown): Promise<readonly string[]>;
}
