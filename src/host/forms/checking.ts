/** Checks of one form, within a time that they share. */
import { setImmediate } from 'node:timers/promises';
import { settlesWithin } from '../../base/async.ts';
import { McpError } from '../../mcp/errors.ts';
import type { SchemaChecker } from '../schemas/schemaChecker.ts';

/**
 * @param maxMs from now on, for all checks together
 * @returns a function that makes a check. It throws McpError `unsupported` when that takes longer, and makes none later.
 */
export function timeLimit(maxMs: number): <T>(check: () => Promise<T>) => Promise<T> {
  const end = performance.now() + maxMs;
  return async (check) => {
    // A light check runs in this thread: other work gets its turn in between.
    await setImmediate();
    const leftMs = end - performance.now();
    const made = leftMs > 0 ? check() : undefined;
    if (made === undefined || !(await settlesWithin(made, leftMs))) {
      throw new McpError('unsupported', `Checking the form took longer than ${maxMs} ms`);
    }
    return made;
  };
}

/** A checker with that limit. */
export function checkWithin(checker: SchemaChecker, maxMs: number): SchemaChecker {
  const limited = timeLimit(maxMs);
  return { check: (schema, value) => limited(() => checker.check(schema, value)) };
}
