/**
 * Time that passes at once, and else as ever: a limit that a test wants to see, or not to see, need not be shorter than
 * a busy machine is slow.
 */
interface Timer {
  readonly handle: NodeJS.Timeout;
  readonly dueAt: number;
  readonly run: () => void;
}

/** @param use is given what lets so many milliseconds pass: whatever is due by then is run before it returns */
export async function withTimeJumps(
  use: (pass: (ms: number) => void) => Promise<void>,
): Promise<void> {
  const { setTimeout, clearTimeout } = globalThis;
  const now = performance.now.bind(performance);
  const pending = new Map<unknown, Timer>();
  let passedMs = 0;
  const here = (): number => now() + passedMs;
  const start = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout => {
    if (args.length > 0) {
      return setTimeout(run, ms, ...args); // Node's own, of an HTTP client: time passes for ours alone
    }
    const once = (): void => {
      pending.delete(handle);
      run();
    };
    const handle = setTimeout(once, ms);
    pending.set(handle, { handle, dueAt: here() + ms, run: once });
    return handle;
  };
  const end: typeof clearTimeout = (timer) => {
    pending.delete(timer);
    clearTimeout(timer);
  };
  Object.assign(globalThis, { setTimeout: start, clearTimeout: end });
  performance.now = here;
  try {
    await use((ms) => {
      passedMs += ms;
      for (const { handle, dueAt, run } of pending.values()) {
        if (dueAt <= here()) {
          clearTimeout(handle);
          run();
        }
      }
    });
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    performance.now = now;
  }
}
