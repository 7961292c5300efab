/**
 * Reads server-sent events as nearly all servers write them: whole, each field once and on one line, with a
 * space after the colon. A parser for everything that the standard allows costs more than the rest of the
 * reading, so it gets only the other events.
 */

export type OnPlainEvent = (
  event: string | undefined,
  id: string | undefined,
  data: string,
) => void;

const lineFeed = 0x0a;

interface PlainEvent {
  event?: string;
  id?: string;
  data?: string;
}

/**
 * Calls `onEvent` for each plain event from the beginning of `text` on.
 * @param text ends with a blank line, and begins where an event may begin
 * @param maxChars limit of one event
 * @returns the index of the first event that is not plain; the length of the text if all are
 */
export function readPlainEvents(text: string, maxChars: number, onEvent: OnPlainEvent): number {
  if (text.includes('\r')) {
    return 0; // it may end a line, or be part of a line end
  }
  let start = 0;
  while (start < text.length) {
    const found: PlainEvent = {};
    const end = readFields(text, start, found);
    const { event, id, data } = found;
    if (end === -1 || data === undefined || end - start > maxChars) {
      return start;
    }
    start = end;
    onEvent(event, id, data);
  }
  return start;
}

/** @returns the index after the blank line; -1 for an event that is not plain */
function readFields(text: string, start: number, found: PlainEvent): number {
  let at = start;
  while (text.charCodeAt(at) !== lineFeed) {
    const end = text.indexOf('\n', at);
    if (found.data === undefined && text.startsWith('data: ', at)) {
      found.data = text.slice(at + 6, end);
    } else if (found.event === undefined && text.startsWith('event: ', at)) {
      found.event = text.slice(at + 7, end);
    } else if (found.id === undefined && text.startsWith('id: ', at)) {
      found.id = text.slice(at + 4, end);
    } else {
      return -1;
    }
    at = end + 1;
  }
  // An id with a NUL must be ignored; the parser does that.
  return found.id?.includes('\0') === true ? -1 : at + 1;
}
