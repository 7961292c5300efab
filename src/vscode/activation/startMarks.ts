/**
 * Marks on the timeline of the extension host, from which the time to load and to activate can be read. This is the
 * first import of the composition root, so the first mark is the first thing its bundle does.
 */
function mark(step: 'loading' | 'active'): void {
  performance.mark(`mcpHost/${step}`);
}

/** Call it at the end of `activate`. */
export function markActive(): void {
  mark('active');
}

mark('loading');
