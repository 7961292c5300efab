/** Reads one server-sent event stream to its end (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import { toError } from '../../base/async.ts';

/** Characters of one event. */
export const maxEventChars = 64 * 1024 * 1024;

/** What has to be remembered of a stream to go on with it over another connection. */
export class StreamPosition {
  /** Of this stream alone: there is no cursor over streams (HTTP-16). */
  lastEventId: string | undefined;
  /** Milliseconds; the server's wish for the next attempt (HTTP-18). */
  retryMs: number | undefined;
  /** Events seen over all connections. */
  events = 0;
}

/**
 * Calls `onData` with each event of the name `message`, which is also the name of those that have
 * none. Other events and events without data (priming, HTTP-17) only move the position.
 * @param onEnd called once; with the error of a stream that did not end in good order
 */
export function readEvents(
  response: IncomingMessage,
  position: StreamPosition,
  onData: (data: string) => void,
  onEnd: (error: Error | undefined) => void,
): void {
  let isOver = false;
  const end = (error: Error | undefined): void => {
    if (!isOver) {
      isOver = true;
      onEnd(error);
    }
  };
  const fail = (error: unknown): void => {
    response.destroy();
    end(toError(error));
  };
  const parser = createParser({
    maxBufferSize: maxEventChars,
    onId: (id) => {
      position.lastEventId = id === '' ? undefined : id;
      position.events += 1;
    },
    onRetry: (ms) => {
      position.retryMs = ms;
    },
    onEvent: ({ event, data }) => {
      position.events += 1;
      if (data !== '' && (event === undefined || event === 'message')) {
        onData(data);
      }
    },
    onError: (error) => {
      // Unknown fields are for the parser to skip; only a limit ends the stream.
      if (error.type === 'max-buffer-size-exceeded') {
        fail(new Error(`An event is larger than ${maxEventChars} characters`));
      }
    },
  });
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    try {
      parser.feed(text);
    } catch (error) {
      fail(error);
    }
  });
  response.on('end', () => end(undefined));
  response.on('error', end);
  response.on('close', () => end(new Error('The connection broke off')));
}
