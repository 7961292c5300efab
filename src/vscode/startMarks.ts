/**
 * Marks on the timeline of the extension host, from which the time to load and to activate can be read.
 * The first import of the composition root, so that the first mark is the first thing its bundle does.
 */
function mark(step: 'loading' | 'active'): void {
  performance.mark(`mcpHost/${step}`);
}

/** To be called when all of `activate` is done. */
export function markActive(): void {
  mark('active');
}

mark('loading');
