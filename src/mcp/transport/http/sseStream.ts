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
/** What each line of an event that is not whole yet takes in memory, about, besides its characters. */
const lineBytes = 100;
/** No header can hold a longer id. */
const maxIdChars = 8_192;

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
      // What is too large now is too large the next time.
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
  readonly gate: GateOptions;
  /** The parser could not be loaded. */
  readonly onUnreadable: (error: Error) => void;
}

/** Most replies are one plain event in one chunk: the parser is loaded for the first thing that is not. */
class EventReader {
  readonly #response: IncomingMessage;
  readonly #position: StreamPosition;
  readonly #sink: EventSink;
  #parser: EventGate | undefined;
  #loading: Promise<void> | undefined;
  /** What came before the parser did. */
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
    // Nobody listens for errors: each line of an unknown field would make one. What is too large is the gate's matter.
    const parser = createParser({
      onId: (id) => this.#takeId(id),
      onRetry: (ms) => {
        this.#position.retryMs = ms;
      },
      onEvent: ({ event, data }) => this.#take(event, data),
    });
    this.#parser = new EventGate(parser, this.#sink.gate);
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
