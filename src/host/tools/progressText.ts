/** How far a call is, in one line: the server's own words, made safe by the caller, and its position; and how long it took. */
import type { Progress } from '../../mcp/session/session.ts';

/** @param shown makes the server's words fit to be shown */
export function progressText(
  { progress, total, message }: Progress,
  shown: (text: string) => string,
): string {
  const position = total === undefined ? String(progress) : `${progress}/${total}`;
  if (message === undefined) {
    return position;
  }
  // The status of a task comes with no position of its own.
  return progress === 0 && total === undefined ? shown(message) : `${shown(message)} (${position})`;
}

/** `340 ms`, `12.3 s`, `45 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) {
    return `${Math.round(ms)} ms`;
  }
  const seconds = ms / 1_000;
  if (seconds < 60) {
    return `${Number(seconds.toFixed(1))} s`;
  }
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
