/** Closes what a helper opened for a test, when the test is over. */

interface Closable {
  close(): Promise<void>;
}

const opened = new Set<Closable>();

export function closedAfterTest<T extends Closable>(one: T): T {
  opened.add(one);
  return one;
}

/** The last one first. For mocha's `--require`, before the hooks that look for what is left open. */
export const mochaHooks = {
  async afterEach(): Promise<void> {
    const all = [...opened];
    opened.clear();
    for (const one of all.toReversed()) {
      await one.close();
    }
  },
};
