/** Reads one server-sent event stream to its end (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import type { EventSourceParser } from 'eventsource-parser';
import { toError } from '../../base/async.ts';
import type { RpcMessage } from '../rpc/message.ts';
import { onOver } from './httpBody.ts';
import { httpModule } from './httpModules.ts';
import type { HttpLimits } from './httpLimits.ts';
import { sizeText } from './sizeLimit.ts';
import { EventGate, type GateOptions, keptChars } from './sseGate.ts';
import { type OnPlainEvent, readPlainEvents } from './ssePlain.ts';

const lineFeed = 0x0a;

/** What has to be remembered of a stream to go on with it over another connection. */
export class StreamPosition {
  /** Of this stream alone: there is no cursor over streams (HTTP-16). Undefined when it cannot be resumed. */
  lastEventId: string | undefined;
  /** Milliseconds; the server's wish for the next attempt (HTTP-18). */
  retryMs: number | undefined;
  /** Milliseconds; how long the last attempt was put off for, where it was (`Retry-After`). */
  putOffMs: number | undefined;
  /** Events seen over all connections. */
  events = 0;
}

/** Who reads a stream. */
export interface StreamListener {
  /** Gets the data of each event of the name `message`, which is also the name of those that have none. */
  readonly onData: (data: string) => void;
  /** Called once; with the error of a stream that did not end in good order. */
  readonly onEnd: (error: Error | undefined) => void;
  /** Gets the name and the data of events of other names. */
  readonly onOther?: (event: string, data: string) => void;
  /** Of a stream that brings what belongs to many: told of each event that was too large. Absent, it is the end. */
  readonly onSkipped?: ((text: string) => void) | undefined;
}

/**
 * Events without data (priming, HTTP-17), and those that nobody wants, only move the position. An event counts when it
 * is complete: what was cut off within one is sent again.
 */
export function readEvents(
  response: IncomingMessage,
  position: StreamPosition,
  { maxEventChars, limitHint }: Pick<HttpLimits, 'maxEventChars' | 'limitHint'>,
  { onData, onEnd, onOther, onSkipped }: StreamListener,
): void {
  let isOver = false;
  const end = (error: Error | undefined): void => {
    if (!isOver) {
      isOver = true;
      onEnd(error);
    }
  };
  const tooLarge = (): string =>
    `is larger than ${sizeText(maxEventChars, 'characters', limitHint)}`;
  const onTooLarge = (): void => {
    // What is too large now is too large the next time.
    position.lastEventId = undefined;
    end(new Error(`an event ${tooLarge()}`));
    response.destroy();
  };
  const skip = onSkipped && {
    maxChars: maxEventChars,
    reason: tooLarge(),
    onSkipped: (reply: RpcMessage | undefined): void => {
      onSkipped(`An event was skipped: it ${tooLarge()}`);
      if (reply !== undefined) {
        onData(JSON.stringify(reply));
      }
    },
    onEndless: onTooLarge,
  };
  const reader = new EventReader(response, position, maxEventChars, {
    onData,
    onOther,
    onTooLarge,
    skip,
    onUnreadable: (error) => {
      end(error);
      response.destroy();
    },
  });
  response.on('data', (chunk: Buffer) => {
    // Data that is under way when a listener or the limit ends the stream is not for anyone.
    if (!isOver) {
      reader.push(chunk);
    }
  });
  onOver(response, (error) => reader.whenRead(() => end(error)));
}

interface EventSink {
  readonly onData: (data: string) => void;
  readonly onOther: ((event: string, data: string) => void) | undefined;
  readonly onTooLarge: () => void;
  readonly skip: GateOptions | undefined;
  /** The parser could not be loaded. */
  readonly onUnreadable: (error: Error) => void;
}

/** Most replies are one plain event in one chunk: the parser is loaded for the first thing that is not. */
class EventReader {
  readonly #response: IncomingMessage;
  readonly #position: StreamPosition;
  readonly #maxEventChars: number;
  readonly #sink: EventSink;
  #parser: Pick<EventSourceParser, 'feed'> | undefined;
  #loading: Promise<void> | undefined;
  /** What came before the parser did. */
  #unread = '';
  #decoder: StringDecoder | undefined;

  constructor(
    response: IncomingMessage,
    position: StreamPosition,
    maxEventChars: number,
    sink: EventSink,
  ) {
    this.#response = response;
    this.#position = position;
    this.#maxEventChars = maxEventChars;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    if (this.#loading !== undefined || !endsWithBlankLine(chunk)) {
      this.#decoder ??= new StringDecoder('utf8');
      this.#parse(this.#decoder.write(chunk));
      return;
    }
    const text = chunk.toString('utf8');
    const read = readPlainEvents(text, this.#maxEventChars, this.#onPlain);
    if (read < text.length) {
      // A line that is empty says nothing, but where it is the first, no byte order mark can follow.
      this.#parse(read === 0 ? text : `\n${text.slice(read)}`);
    }
  }

  /** Calls `run` at once, or when the parser is there and has read what has come. */
  whenRead(run: () => void): void {
    if (this.#loading === undefined || this.#parser !== undefined) {
      run();
    } else {
      void this.#loading.then(run);
    }
  }

  #parse(text: string): void {
    if (this.#parser !== undefined) {
      this.#parser.feed(text);
      return;
    }
    this.#unread += text;
    this.#response.pause();
    this.#loading ??= this.#load().catch((error: unknown) =>
      this.#sink.onUnreadable(toError(error)),
    );
  }

  async #load(): Promise<void> {
    const { createParser } = await import('eventsource-parser');
    const { skip } = this.#sink;
    const parser = createParser({
      maxBufferSize: this.#maxEventChars + (skip === undefined ? 0 : keptChars),
      onId: (id) => this.#takeId(id),
      onRetry: (ms) => {
        this.#position.retryMs = ms;
      },
      onEvent: ({ event, data }) => this.#take(event, data),
      onError: (error) => {
        // Unknown fields are for the parser to skip; only a limit ends the stream.
        if (error.type === 'max-buffer-size-exceeded') {
          this.#sink.onTooLarge();
        }
      },
    });
    this.#parser = skip === undefined ? parser : new EventGate(parser, skip);
    const { destroyed, errored, readableEnded } = this.#response;
    // What we have ended ourselves meanwhile is for nobody any more.
    const isGivenUp = destroyed && errored === null && !readableEnded;
    if (!isGivenUp) {
      this.#parser.feed(this.#unread);
    }
    this.#unread = '';
    this.#response.resume();
  }

  readonly #onPlain: OnPlainEvent = (event, id, data) => {
    if (id !== undefined) {
      this.#takeId(id);
    }
    this.#take(event, data);
  };

  #takeId(id: string): void {
    this.#position.lastEventId = toHeaderValue(id);
    this.#position.events += 1;
  }

  #take(event: string | undefined, data: string): void {
    this.#position.events += 1;
    if (event !== undefined && event !== '' && event !== 'message') {
      this.#sink.onOther?.(event, data);
    } else if (data !== '') {
      this.#sink.onData(data);
    }
  }
}

/** Then no character is cut in two either. */
function endsWithBlankLine(chunk: Buffer): boolean {
  const { length } = chunk;
  return chunk[length - 1] === lineFeed && chunk[length - 2] === lineFeed;
}

/** UTF-8, as the standard wants it; undefined for an id that no header can hold, or that was taken back. */
function toHeaderValue(id: string): string | undefined {
  if (id === '') {
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
