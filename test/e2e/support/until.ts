// Waiting for what a browser test wants to see. It knows neither the page nor the extension.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** The longest a state is waited for, unless the caller knows better. */
export const patienceMs = 60_000;

const pauseMs = 50;

/** Asks `read` again and again until `accept` likes the answer; fails with the last answer. */
export async function until<T>(
  what: string,
  read: () => Promise<T>,
  accept: (value: T) => boolean = Boolean,
  timeoutMs = patienceMs,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (Date.now() > deadline) {
      assert.fail(
        `Waited ${timeoutMs / 1000} s for ${what}; the last was ${JSON.stringify(value)}`,
      );
    }
    await delay(pauseMs);
  }
}

/**
 * Reads again and again until `check` has nothing against what was read: what a test asserts about a page, a file or a
 * server that may be a moment behind. Fails with what `check` threw last.
 */
export async function eventually<T>(
  read: () => Promise<T>,
  check: (value: T) => void,
  timeoutMs = patienceMs,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    try {
      check(value);
      return value;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await delay(pauseMs);
  }
}

/** Whether something came about, such as what a click should bring in time. */
export async function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}
