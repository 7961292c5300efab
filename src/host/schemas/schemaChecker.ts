/** How the host checks values. */
import type { JsonSchema } from '../../mcp/types/lists.ts';

/** Implemented by the schema bundle (ajv), which is loaded on first use. */
export interface SchemaChecker {
  /** One sentence per violation, empty when the value fits. @throws McpError `unsupported` for a schema that cannot be used. */
  check(schema: JsonSchema, value: unknown): readonly string[];
  /**
   * The same for schemas of any size that {@link check} says of that they take too long, holding
   * nobody up meanwhile. @throws McpError `unsupported`
   */
  checkApart(schema: JsonSchema, value: unknown): Promise<readonly string[]>;
}
