/**
 * A time limit for synchronous work on untrusted data: a regular expression in a server's schema can run practically
 * for ever, and nothing in the same thread could stop it.
 */
import { createContext, Script } from 'node:vm';

export type Timed<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'tooLong' };

const slot: { run: () => void } = { run: () => undefined };
let context: object | undefined;
const script = new Script('run()');

/**
 * Runs `work` until it ends or `ms` milliseconds are over. Do not use objects that stopped work was changing. Throws
 * what `work` throws.
 */
export function runWithin<T>(ms: number, work: () => T): Timed<T> {
  let outcome: Timed<T> = { kind: 'tooLong' };
  slot.run = () => {
    outcome = { kind: 'done', value: work() };
  };
  context ??= createContext(slot);
  try {
    script.runInContext(context, { timeout: ms });
  } catch (error) {
    if (!isTimeout(error)) {
      throw error;
    }
  } finally {
    slot.run = () => undefined;
  }
  return outcome;
}

function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
