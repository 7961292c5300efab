/**
 * Entry point of the bundle that holds ajv. The extension loads it when a schema is first checked, and imports it by
 * type only. The process for slow schemas runs the same program.
 */
import { type SchemaChecker, LayeredChecker } from '../host/schemas/schemaChecker.ts';
import type { Disposable } from '../base/disposable.ts';
import type { OrphanWatch } from '../mcp/ownProcess.ts';
import { SchemaProcess, schemaProcessMark, serveSchemas } from '../host/schemas/schemaProcess.ts';

/** @param orphans ends the process if this one is killed during a check */
export function createSchemaChecker(orphans?: OrphanWatch): SchemaChecker & Disposable {
  return new LayeredChecker(new SchemaProcess({ orphans }));
}

// The editor's own process has a channel, too, but another argument.
if (process.argv[2] === schemaProcessMark) {
  serveSchemas();
}
