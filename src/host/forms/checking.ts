/** The checks of one form, within a time that they share. */
import { setImmediate } from 'node:timers/promises';
import { settlesWithin } from '../../base/async.ts';
import { McpError } from '../../mcp/errors.ts';
import type { SchemaChecker } from '../schemas/schemaChecker.ts';

/** @param maxMs from now on, for all checks together; those after it fail as `unsupported` */
export function checkWithin(checker: SchemaChecker, maxMs: number): SchemaChecker {
  const end = performance.now() + maxMs;
  return {
    check: async (schema, value) => {
      // A light check runs in this thread: other work gets its turn in between.
      await setImmediate();
      const violations = checker.check(schema, value);
      if (!(await settlesWithin(violations, end - performance.now()))) {
        throw new McpError('unsupported', `Checking the form took longer than ${maxMs} ms`);
      }
      return violations;
    },
  };
}
