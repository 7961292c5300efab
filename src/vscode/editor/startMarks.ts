/**
 * Marks on the timeline of the extension host, from which the time to load and to activate can be read, and what
 * the process has worked by then: on a busy machine the clock says more of others than of us.
 * The first import of the composition root, so that the first mark is the first thing its bundle does.
 */
function mark(step: 'loading' | 'active'): void {
  performance.mark(`mcpHost/${step}`, { detail: process.cpuUsage() });
}

/** To be called when all of `activate` is done. */
export function markActive(): void {
  mark('active');
}

mark('loading');
