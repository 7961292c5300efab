/** How long something keeps the processor busy: what a busy machine makes of the clock is no part of it. */

export function cpuMsOf(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
