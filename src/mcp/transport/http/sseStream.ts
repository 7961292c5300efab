/** Reads one server-sent event stream to its end (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { toError } from '../../../base/async.ts';
import type { RpcMessage } from '../../types/message.ts';
import { onOver } from './httpBody.ts';
import { httpModule } from './httpModules.ts';
import type { HttpLimits } from './httpLimits.ts';
import { sizeText } from '../sizeLimit.ts';
import { EventGate, type GateOptions, keptChars, maxEventLines } from './sseGate.ts';
import { type OnPlainEvent, readPlainEvents } from './ssePlain.ts';

const lineFeed = 0x0a;
/** Approximate memory of each line of an incomplete event, in addition to its characters. */
const lineBytes = 100;
/** No header can hold a longer id. */
const maxIdChars = 8_192;

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
  /** For a shared stream: called for each event that was too large. Absent: such an event ends the stream. */
  readonly onSkipped?: ((text: string) => void) | undefined;
}

/**
 * Reads the events of a response. Events without data (priming, HTTP-17) and unwanted events only move the
 * position. An event counts when it is complete: the server resends one that was cut off.
 */
export function readEvents(
  response: IncomingMessage,
  position: StreamPosition,
  { maxEventChars, limitHint, memory }: Pick<HttpLimits, 'maxEventChars' | 'limitHint' | 'memory'>,
  { onData, onEnd, onOther, onSkipped }: StreamListener,
): void {
  let isOver = false;
  const held = memory?.hold();
  const end = (error: Error | undefined): void => {
    if (!isOver) {
      isOver = true;
      held?.set(0);
      onEnd(error);
    }
  };
  const gate: GateOptions = {
    maxChars: maxEventChars,
    objectionTo: (chars, lines) => {
      if (chars > maxEventChars + keptChars) {
        return `is larger than ${sizeText(maxEventChars, 'characters', limitHint)}`;
      }
      if (lines > maxEventLines) {
        return `has more than ${maxEventLines} lines`;
      }
      if (held?.set(chars + lines * lineBytes) === false) {
        held.set(0);
        return memory?.refusal;
      }
      return undefined;
    },
    onSkipped:
      onSkipped &&
      ((reason: string, reply: RpcMessage | undefined): void => {
        held?.set(0);
        onSkipped(`An event was skipped: it ${reason}`);
        if (reply !== undefined) {
          onData(JSON.stringify(reply));
        }
      }),
    onEndless: (reason) => {
      // An event that is too large would be too large again after a resume.
      position.lastEventId = undefined;
      end(new Error(`an event ${reason}`));
      response.destroy();
    },
  };
  const reader = new EventReader(response, position, {
    onData,
    onOther,
    gate,
    onUnreadable: (error) => {
      end(error);
      response.destroy();
    },
  });
  response.on('data', (chunk: Buffer) => {
    // Ignore data that was in flight when a listener or the limit ended the stream.
    if (!isOver) {
      reader.push(chunk);
    }
  });
  onOver(response, (error) => reader.whenRead(() => end(error)));
}

interface EventSink {
  readonly onData: (data: string) => void;
  readonly onOther: ((event: string, data: string) => void) | undefined;
  readonly gate: GateOptions;
  /** Called if the parser could not be loaded. */
  readonly onUnreadable: (error: Error) => void;
}

/** Most replies are one plain event in one chunk: the parser is loaded only for the first event that is not. */
class EventReader {
  readonly #response: IncomingMessage;
  readonly #position: StreamPosition;
  readonly #sink: EventSink;
  #parser: EventGate | undefined;
  #loading: Promise<void> | undefined;
  /** Text that came before the parser was loaded. */
  #unread = '';
  #decoder: StringDecoder | undefined;

  constructor(response: IncomingMessage, position: StreamPosition, sink: EventSink) {
    this.#response = response;
    this.#position = position;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    if (this.#loading !== undefined || !endsWithBlankLine(chunk)) {
      this.#decoder ??= new StringDecoder('utf8');
      this.#parse(this.#decoder.write(chunk));
      return;
    }
    const text = chunk.toString('utf8');
    const read = readPlainEvents(text, this.#sink.gate.maxChars, this.#onPlain);
    if (read < text.length) {
      // The empty line has no meaning; it stops the parser from removing a byte order mark at this place.
      this.#parse(read === 0 ? text : `\n${text.slice(read)}`);
    }
  }

  /** Calls `run` at once, or when the parser is loaded and has read everything so far. */
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
    // No `onError`: each line with an unknown field would create an error. The gate handles sizes.
    const parser = createParser({
      onId: (id) => this.#takeId(id),
      onRetry: (ms) => {
        this.#position.retryMs = ms;
      },
      onEvent: ({ event, data }) => this.#take(event, data),
    });
    this.#parser = new EventGate(parser, this.#sink.gate);
    const { destroyed, errored, readableEnded } = this.#response;
    // If we ended the stream ourselves, nobody needs the rest.
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
