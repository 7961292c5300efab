/**
 * What a server process writes, line by line: messages on standard output, log lines on standard error. Owns no stream
 * and knows no process.
 */
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { ellipsis } from '../../../base/text.ts';
import type { MessageLimits } from '../limits.ts';
import { deliverInstead, type MessageSink, readMessages, reportTooLarge } from '../messageText.ts';
import { Splitter } from '../splitter.ts';

const byteOrderMark = '\uFEFF';
/** Characters kept of a line on standard error; the rest is dropped. */
const maxLineChars = 8_192;

/**
 * Reads the messages on standard output, one per line (STDIO-03). A line that is not a message is reported and skipped
 * (STDIO-05).
 */
export function createLineReader(
  listener: Pick<MessageSink, 'message' | 'problem'>,
  { maxMessageBytes: maxBytes, limitHint, memory }: MessageLimits,
): Splitter {
  const sink: MessageSink = { ...listener, memory, what: 'a line on standard output' };
  return new Splitter({
    delimiter: '\n',
    maxBytes,
    limitHint,
    memory,
    // .NET writers put a byte order mark first.
    onText: (line) => readMessages(line.startsWith(byteOrderMark) ? line.slice(1) : line, sink),
    onTooLarge: (reason, head) => reportTooLarge(reason, head, sink),
    onSkipped: (skipped) => deliverInstead(skipped, sink),
  });
}

/** Turns standard error into log lines. Interprets nothing: it may hold logging of any kind (STDIO-06). */
export class StderrLines {
  readonly #emit: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #isCut = false;

  constructor(emit: (line: string) => void) {
    this.#emit = emit;
  }

  push(chunk: Buffer): void {
    this.#take(this.#decoder.write(chunk));
  }

  end(): void {
    this.#take(`${this.#decoder.end()}\n`);
  }

  #take(text: string): void {
    // A lone carriage return ends a line too: progress bars use it to redraw.
    const pieces = text.split(/[\r\n]+/);
    const last = pieces.length - 1;
    for (const [index, piece] of pieces.entries()) {
      this.#append(piece);
      if (index < last) {
        this.#endLine();
      }
    }
  }

  #append(piece: string): void {
    const room = maxLineChars - this.#rest.length;
    this.#isCut ||= piece.length > room;
    this.#rest += piece.slice(0, Math.max(0, room));
  }

  #endLine(): void {
    const line = stripVTControlCharacters(this.#rest).trimEnd();
    const isCut = this.#isCut;
    this.#rest = '';
    this.#isCut = false;
    if (line !== '') {
      this.#emit(isCut ? `${line}${ellipsis}` : line);
    }
  }
}
