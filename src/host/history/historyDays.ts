/** How long calls are kept; beside the rest of the history, which is loaded with the first call that is kept. */

export const historyDaysLimits = { least: 1, most: 365, unsaid: 30 } as const;

/** @param value of the user's setting `mcpHost.history.days` */
export function historyDays(value: unknown): number {
  const { least, most, unsaid } = historyDaysLimits;
  const isDays = typeof value === 'number' && value >= least && value <= most;
  return isDays ? value : unsaid;
}
