/**
 * What a server process writes, line by line: messages on standard output, log lines on standard error. Owns no stream
 * and knows no process.
 */
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { ellipsis } from '../../../base/text.ts';
import { ChunkBuffer } from '../chunkBuffer.ts';
import { type MessageLimits, sizeText } from '../limits.ts';
import {
  keptBytes,
  type MessageSink,
  readMessages,
  replaceReply,
  reportSkipped,
  type Skipped,
} from '../messageText.ts';

const byteOrderMark = '\uFEFF';
const lineFeed = 0x0a;
/** Characters kept of a line on standard error; the rest is dropped. */
const maxLineChars = 8_192;

/**
 * Reads the messages on standard output, one per line (STDIO-03). A line that is not a message, or too large, is
 * reported and skipped (STDIO-05).
 *
 * The work is linear in the bytes: chunks of an incomplete line are kept and joined when it ends, and all whole lines
 * of a chunk are decoded together.
 */
export class MessageLines {
  readonly #sink: MessageSink;
  readonly #limits: MessageLimits;
  /** The line whose end has not arrived yet. */
  readonly #parts: ChunkBuffer;
  /** Bytes of that line, including skipped ones. */
  #partsBytes = 0;
  /** The line that is being skipped, with its end so far, and whether its request got an error already. */
  #skipped: (Omit<Skipped, 'tail'> & { tail: Buffer; readonly isReplaced: boolean }) | undefined;

  constructor(listener: Pick<MessageSink, 'message' | 'problem'>, limits: MessageLimits) {
    this.#limits = limits;
    this.#parts = new ChunkBuffer(limits.memory);
    this.#sink = { ...listener, memory: limits.memory, what: 'a line on standard output' };
  }

  /** Takes the next bytes. They are kept without a copy: the caller must not change them later. */
  push(chunk: Buffer): void {
    let start = 0;
    if (this.#partsBytes > 0) {
      const end = chunk.indexOf(lineFeed);
      if (end === -1) {
        this.#keep(chunk);
        return;
      }
      this.#keep(chunk.subarray(0, end));
      this.end();
      start = end + 1;
    }
    const last = chunk.lastIndexOf(lineFeed);
    if (last >= start) {
      for (const text of chunk.toString('utf8', start, last).split('\n')) {
        this.#take(text);
      }
      start = last + 1;
    }
    if (start < chunk.length) {
      this.#keep(chunk.subarray(start));
    }
  }

  /** Takes what has arrived as a whole line. */
  end(): void {
    const skipped = this.#skipped;
    this.#partsBytes = 0;
    this.#skipped = undefined;
    if (skipped === undefined) {
      this.#take(this.#parts.take().toString('utf8'));
    } else if (!skipped.isReplaced) {
      replaceReply({ ...skipped, tail: skipped.tail.toString() }, this.#sink);
    }
  }

  #keep(part: Buffer): void {
    this.#partsBytes += part.length;
    if (this.#skipped !== undefined) {
      this.#skipped.tail = endOf([this.#skipped.tail, part]);
      return;
    }
    const { maxMessageBytes, limitHint, memory } = this.#limits;
    const hasRoom = this.#parts.add(part);
    const isTooLarge = this.#partsBytes > maxMessageBytes;
    if (isTooLarge || !hasRoom) {
      const all = this.#parts.all();
      const reason = isTooLarge
        ? `is larger than ${sizeText(maxMessageBytes, limitHint)}`
        : (memory?.refusal ?? '');
      const start = { head: startOf(all).toString(), reason };
      const tail = endOf(all);
      this.#parts.clear();
      // At once: the line may have no end.
      reportSkipped(start, this.#sink);
      const isReplaced = replaceReply({ ...start, tail: '' }, this.#sink);
      this.#skipped = { ...start, tail, isReplaced };
    }
  }

  #take(line: string): void {
    // .NET writers put a byte order mark first.
    readMessages(line.startsWith(byteOrderMark) ? line.slice(1) : line, this.#sink);
  }
}

/** Returns copies: the chunk behind a piece can be large. */
function startOf(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(
    parts.slice(0, keptBytes).map((part) => part.subarray(0, keptBytes)),
  ).subarray(0, keptBytes);
}

function endOf(parts: readonly Buffer[]): Buffer {
  const ends = parts.slice(-keptBytes).map((part) => part.subarray(-keptBytes));
  return Buffer.from(Buffer.concat(ends).subarray(-keptBytes));
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
