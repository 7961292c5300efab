/**
 * Work that calls a checker: written once as a generator, for a caller that needs the result at once, and for one that
 * can wait while the checks run in another process.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import { setImmediate } from 'node:timers/promises';
import { settlesWithin } from '../../base/async.ts';
import { McpError } from '../../mcp/errors.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';

/** Yields a value and a schema; receives one sentence for each violation. */
export type Checking<T> = Generator<
  { readonly schema: JsonSchema; readonly value: unknown },
  T,
  readonly string[]
>;

/** @throws what the work throws, including the checker's `unsupported` unless the work catches it */
export function checkHere<T>(work: Checking<T>, checker: SchemaChecker): T {
  let step = work.next();
  while (step.done !== true) {
    const { schema, value } = step.value;
    step = answered(work, () => checker.check(schema, value));
  }
  return step.value;
}

/**
 * The same without blocking.
 * @param maxMs for all checks together
 * @throws also McpError `unsupported` when it takes longer
 */
export async function checkApart<T>(
  work: Checking<T>,
  checker: SchemaChecker,
  maxMs: number,
): Promise<T> {
  const end = performance.now() + maxMs;
  let step = work.next();
  while (step.done !== true) {
    const { schema, value } = step.value;
    const outcome = checker.checkApart(schema, value).then(
      (violations) => () => violations,
      (error: unknown) => () => {
        throw error;
      },
    );
    if (!(await settlesWithin(outcome, end - performance.now()))) {
      throw new McpError('unsupported', `Checking the form took longer than ${maxMs} ms`);
    }
    step = answered(work, await outcome);
    // A light check runs in this thread: other work gets its turn in between.
    await setImmediate();
  }
  return step.value;
}

function answered<T>(
  work: Checking<T>,
  check: () => readonly string[],
): ReturnType<Checking<T>['next']> {
  let violations: readonly string[];
  try {
    violations = check();
  } catch (error) {
    return work.throw(error);
  }
  return work.next(violations);
}
