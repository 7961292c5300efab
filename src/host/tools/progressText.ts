/**
 * The progress of a call in one line: the server's message, sanitized by the caller, and the position; and its
 * duration.
 */
import type { Progress } from '../../mcp/session/session.ts';

/** @param shown sanitizes the server's message */
export function progressText(
  { progress, total, message }: Progress,
  shown: (text: string) => string,
): string {
  const position = total === undefined ? String(progress) : `${progress}/${total}`;
  if (message === undefined) {
    return position;
  }
  // The status of a task has no position.
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
