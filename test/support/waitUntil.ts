/** Waits for a state instead of for some time. */
import { delay } from '../../src/base/async.ts';

/** Resolves when `isTrue` returns true; fails after `limitMs` milliseconds, saying what was waited for. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean,
  limitMs = 8_000,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!isTrue()) {
    if (performance.now() > end) {
      throw new Error(`Waited in vain for: ${what}`);
    }
    await delay(5);
  }
}

/** Lets everything run that waits for nothing but its turn. */
export async function turns(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
