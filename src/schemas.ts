/**
 * Entry point of the bundle that holds ajv. The extension loads it when a schema is first checked,
 * and imports it by type only. The thread for schemas that take long is the same program.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { LayeredChecker } from './host/schemas/layeredChecker.ts';
import { schemaThreadMark, SchemaThread, serveSchemas } from './host/schemas/schemaThread.ts';
import type { SchemaChecker } from './host/ports.ts';

export function createSchemaChecker(): SchemaChecker {
  return new LayeredChecker(new SchemaThread());
}

if (parentPort !== null && workerData === schemaThreadMark) {
  serveSchemas(parentPort);
}
