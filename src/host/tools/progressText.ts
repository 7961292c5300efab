/** How far a call is, in one line: the server's own words, made safe by the caller, and its position. */
import type { Progress } from '../../mcp/era/session.ts';

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
