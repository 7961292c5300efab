/** Reads one server-sent event stream to its end (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { MessageLimits } from '../limits.ts';
import { errorReply } from '../messageText.ts';
import { type Skipped, skippedText, Splitter } from '../splitter.ts';
import { onOver } from './httpBody.ts';
import { httpModule } from './httpModules.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Limit of lines in one event: the parser takes a hundred bytes for each, however short it is. */
export const maxEventLines = 100_000;
/** The first line has no end before it, and the limit is of ends. */
const tooManyLines = maxEventLines + 2;
/** No header can hold a longer id. */
const maxIdChars = 8_192;
const idLine = /^id: ?([^\n]*)$/mu;
/** What comes before and between the lines of the data: other fields, comments. */
const betweenData = /(?:^|\n+)(?:data: ?|(?:id|event|retry)?:[^\n]*)/gu;

/** The state needed to resume a stream over another connection. */
export class StreamPosition {
  /** Of this stream only: no cursor spans streams (HTTP-16). Undefined if the stream cannot be resumed. */
  lastEventId: string | undefined;
  /** Milliseconds before the next attempt, set by the server (HTTP-18). */
  retryMs: number | undefined;
  /** Milliseconds that the last response asked to wait (`Retry-After`), if it did. */
  putOffMs: number | undefined;
  /** Number of events over all connections. */
  events = 0;
}

/** Receives the events of a stream. */
export interface StreamListener {
  /** Called with the data of each `message` event; events without a name count as such. */
  readonly onData: (data: string) => void;
  /** Called once; with an error if the stream did not end cleanly. */
  readonly onEnd: (error: Error | undefined) => void;
  /** Called with the name and the data of events with another name. */
  readonly onOther?: (event: string, data: string) => void;
  /** Called with a sentence for each event that was too large. If it was a reply, `onData` gets an error reply. */
  readonly onSkipped: (text: string) => void;
}

/**
 * Reads the events of a response. Events without data (priming, HTTP-17) and unwanted events only move the
 * position. An event counts when it is complete: the server resends one that was cut off.
 */
export function readEvents(
  response: IncomingMessage,
  position: StreamPosition,
  { maxMessageBytes: maxBytes, limitHint, memory }: MessageLimits,
  { onData, onEnd, onOther, onSkipped }: StreamListener,
): void {
  const takeId = (id: string): void => {
    position.lastEventId = toHeaderValue(id);
    position.events += 1;
  };
  // No `onError`: each line with an unknown field would create an error.
  const parser = createParser({
    onId: takeId,
    onRetry: (ms) => {
      position.retryMs = ms;
    },
    onEvent: ({ event = 'message', data }) => {
      position.events += 1;
      if (event !== 'message') {
        onOther?.(event, data);
      } else if (data !== '') {
        onData(data);
      }
    },
  });
  const report = (reason: string): void => onSkipped(`Skipped an event that ${reason}`);
  const skip = ({ head, tail, reason }: Skipped): void => {
    // The skipped event counts as seen: otherwise a server would send it again after a reconnect.
    const [, id] = idLine.exec(tail) ?? idLine.exec(head) ?? [];
    if (id !== undefined) {
      takeId(id);
    }
    const [start = '', end = ''] = [head, tail].map((text) => text.replaceAll(betweenData, '\n'));
    const reply = errorReply(start, end, reason);
    if (reply !== undefined) {
      onData(JSON.stringify(reply));
    }
  };
  const events = new Splitter({
    delimiter: '\n\n',
    maxBytes,
    limitHint,
    memory,
    onText: (text) => {
      // A shorter text cannot have that many lines.
      if (text.length > maxEventLines && text.split('\n', tooManyLines).length === tooManyLines) {
        const skipped = skippedText(text, `has more than ${maxEventLines} lines`);
        report(skipped.reason);
        skip(skipped);
      } else {
        parser.feed(`${text}\n\n`);
      }
    },
    onTooLarge: report,
    onSkipped: skip,
  });
  const lineEnds = new LineEnds();
  response.on('data', (chunk: Buffer) => events.push(lineEnds.normalized(chunk)));
  onOver(response, (error) => {
    if (events.isSkipping) {
      position.lastEventId = undefined; // it would be too large again after a resume
    }
    events.clear();
    onEnd(error);
  });
}

/** Turns each end of a line (LF, CRLF, CR) into LF, so that two in a row are a blank line. */
class LineEnds {
  #isAfterReturn = false;
  #isFeedHeld = false;

  /** Holds back a line feed at the end that may be half of a blank line. */
  normalized(chunk: Buffer): Buffer {
    let bytes = this.#isAfterReturn && chunk[0] === lineFeed ? chunk.subarray(1) : chunk;
    this.#isAfterReturn = chunk.at(-1) === carriageReturn;
    if (bytes.includes(carriageReturn)) {
      bytes = Buffer.from(bytes.toString('latin1').replaceAll(/\r\n?/gu, '\n'), 'latin1');
    }
    if (this.#isFeedHeld) {
      bytes = Buffer.concat([Buffer.of(lineFeed), bytes]);
    }
    this.#isFeedHeld = bytes.at(-1) === lineFeed && bytes.at(-2) !== lineFeed;
    return this.#isFeedHeld ? bytes.subarray(0, -1) : bytes;
  }
}

/** Encodes as UTF-8, as the standard requires; undefined if no header can hold the id, or if it was reset. */
function toHeaderValue(id: string): string | undefined {
  if (id === '' || id.length > maxIdChars) {
    return undefined;
  }
  const value = Buffer.from(id, 'utf8').toString('latin1');
  try {
    httpModule().validateHeaderValue('last-event-id', value);
    return value;
  } catch {
    return undefined;
  }
}
