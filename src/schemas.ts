/**
 * Entry point of the bundle that holds ajv. The extension loads it when a schema is first checked,
 * and imports it by type only.
 */
import { AjvSchemaChecker } from './host/schemas/jsonSchema.ts';
import type { SchemaChecker } from './host/ports.ts';

export function createSchemaChecker(): SchemaChecker {
  return new AjvSchemaChecker();
}
