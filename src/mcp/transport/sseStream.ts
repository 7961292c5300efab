/** Reads one server-sent event stream to its end (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
import { type IncomingMessage, validateHeaderValue } from 'node:http';
import { createParser } from 'eventsource-parser';
import { onOver } from './httpBody.ts';
import type { HttpLimits } from './httpLimits.ts';
import { sizeText } from './sizeLimit.ts';

/** What has to be remembered of a stream to go on with it over another connection. */
export class StreamPosition {
  /** Of this stream alone: there is no cursor over streams (HTTP-16). Undefined when it cannot be resumed. */
  lastEventId: string | undefined;
  /** Milliseconds; the server's wish for the next attempt (HTTP-18). */
  retryMs: number | undefined;
  /** Events seen over all connections. */
  events = 0;
}

/**
 * Calls `onData` with each event of the name `message`, which is also the name of those that have
 * none. Other events and events without data (priming, HTTP-17) only move the position. An event
 * counts when it is complete: what was cut off within one is sent again.
 * @param onEnd called once; with the error of a stream that did not end in good order
 * @param onOther called with the name and the data of events of other names
 */
export function readEvents(
  response: IncomingMessage,
  position: StreamPosition,
  { maxEventChars, limitHint }: Pick<HttpLimits, 'maxEventChars' | 'limitHint'>,
  onData: (data: string) => void,
  onEnd: (error: Error | undefined) => void,
  onOther?: (event: string, data: string) => void,
): void {
  let isOver = false;
  const end = (error: Error | undefined): void => {
    if (!isOver) {
      isOver = true;
      onEnd(error);
    }
  };
  const parser = createParser({
    maxBufferSize: maxEventChars,
    onId: (id) => {
      position.lastEventId = toHeaderValue(id);
      position.events += 1;
    },
    onRetry: (ms) => {
      position.retryMs = ms;
    },
    onEvent: ({ event, data }) => {
      position.events += 1;
      if (event !== undefined && event !== 'message') {
        onOther?.(event, data);
      } else if (data !== '') {
        onData(data);
      }
    },
    onError: (error) => {
      // Unknown fields are for the parser to skip; only a limit ends the stream.
      if (error.type === 'max-buffer-size-exceeded') {
        // What is too large now is too large the next time.
        position.lastEventId = undefined;
        const limit = sizeText(maxEventChars, 'characters', limitHint);
        end(new Error(`an event is larger than ${limit}`));
        response.destroy();
      }
    },
  });
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    // Data that is under way when a listener or the limit ends the stream is not for anyone.
    if (!isOver) {
      parser.feed(text);
    }
  });
  onOver(response, end);
}

/** UTF-8, as the standard wants it; undefined for an id that no header can hold, or that was taken back. */
function toHeaderValue(id: string): string | undefined {
  if (id === '') {
    return undefined;
  }
  const value = Buffer.from(id, 'utf8').toString('latin1');
  try {
    validateHeaderValue('last-event-id', value);
    return value;
  } catch {
    return undefined;
  }
}
