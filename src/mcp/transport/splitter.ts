/**
 * Splits the bytes of a channel at a delimiter and decodes each piece. A piece that is too large is skipped up to its
 * end. Its beginning and its end are kept: they tell whose reply it was.
 *
 * The work is linear in the bytes: chunks of an incomplete piece are kept and joined when it ends, and all whole pieces
 * of a chunk are decoded together.
 */
import type { MemoryAccount } from '../../base/memory.ts';
import { ChunkBuffer } from './chunkBuffer.ts';
import { sizeText } from './limits.ts';

/** Bytes kept of the beginning, and of the end, of a skipped piece. */
export const keptBytes = 1_024;

export interface Skipped {
  readonly head: string;
  readonly tail: string;
  /** Completes "The answer …". */
  readonly reason: string;
}

export interface SplitterOptions {
  readonly delimiter: '\n' | '\n\n';
  readonly maxBytes: number;
  /** Part of the message about the limit: how to change it. */
  readonly limitHint?: string | undefined;
  /** The server's memory account: a piece that does not fit is skipped, too. */
  readonly memory?: MemoryAccount | undefined;
  readonly onText: (text: string) => void;
  /** Called as soon as a piece is too large. */
  readonly onTooLarge: (reason: string, head: string) => void;
  /** Called at the end of a piece that was too large. */
  readonly onSkipped: (skipped: Skipped) => void;
}

export class Splitter {
  readonly #options: SplitterOptions;
  readonly #delimiter: Buffer;
  /** The piece whose end has not arrived yet. */
  readonly #parts: ChunkBuffer;
  /** Bytes of that piece, including skipped ones. */
  #partsBytes = 0;
  /** Beginning and end so far of a piece that is being skipped, and the reason. */
  #skipped: { readonly head: Buffer; tail: Buffer; readonly reason: string } | undefined;

  constructor(options: SplitterOptions) {
    this.#options = options;
    this.#delimiter = Buffer.from(options.delimiter);
    this.#parts = new ChunkBuffer(options.memory);
  }

  /** Whether the incomplete piece is too large already. */
  get isSkipping(): boolean {
    return this.#skipped !== undefined;
  }

  /** Takes the next bytes. They are kept without a copy: the caller must not change them later. */
  push(chunk: Buffer): void {
    let start = 0;
    if (this.#partsBytes > 0) {
      const end = chunk.indexOf(this.#delimiter);
      if (end === -1) {
        this.#keep(chunk);
        return;
      }
      this.#keep(chunk.subarray(0, end));
      this.end();
      start = end + this.#delimiter.length;
    }
    const last = chunk.lastIndexOf(this.#delimiter);
    if (last >= start) {
      for (const text of chunk.toString('utf8', start, last).split(this.#options.delimiter)) {
        this.#take(text);
      }
      start = last + this.#delimiter.length;
    }
    if (start < chunk.length) {
      this.#keep(chunk.subarray(start));
    }
  }

  /** Takes what has arrived as a whole piece. */
  end(): void {
    if (this.#partsBytes === 0) {
      return;
    }
    const skipped = this.#skipped;
    if (skipped === undefined) {
      this.#partsBytes = 0;
      this.#take(this.#parts.take().toString('utf8'));
    } else {
      const { head, tail, reason } = skipped;
      this.clear();
      this.#options.onSkipped({ head: head.toString(), tail: tail.toString(), reason });
    }
  }

  /** Forgets the incomplete piece. */
  clear(): void {
    this.#parts.clear();
    this.#partsBytes = 0;
    this.#skipped = undefined;
  }

  #keep(part: Buffer): void {
    this.#partsBytes += part.length;
    if (this.#skipped !== undefined) {
      this.#skipped.tail = endOf([this.#skipped.tail, part]);
      return;
    }
    const { maxBytes, memory, onTooLarge } = this.#options;
    const hasRoom = this.#parts.add(part);
    const isTooLarge = this.#partsBytes > maxBytes;
    if (isTooLarge || !hasRoom) {
      const reason = isTooLarge ? this.#tooLarge : (memory?.refusal ?? '');
      const all = this.#parts.all();
      const head = startOf(all);
      this.#skipped = { head, tail: endOf(all), reason };
      this.#parts.clear();
      onTooLarge(reason, head.toString());
    }
  }

  #take(text: string): void {
    const { maxBytes, onText, onTooLarge, onSkipped } = this.#options;
    // A UTF-16 unit takes at most three bytes of UTF-8.
    if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) {
      const skipped = skippedText(text, this.#tooLarge);
      onTooLarge(skipped.reason, skipped.head);
      onSkipped(skipped);
    } else {
      onText(text);
    }
  }

  get #tooLarge(): string {
    return `is larger than ${sizeText(this.#options.maxBytes, this.#options.limitHint)}`;
  }
}

/** A message that is there as a whole, and is not used. */
export function skippedBytes(bytes: Buffer, reason: string): Skipped {
  return { head: startOf([bytes]).toString(), tail: endOf([bytes]).toString(), reason };
}

/** The same for a decoded one. */
export function skippedText(text: string, reason: string): Skipped {
  return { head: text.slice(0, keptBytes), tail: text.slice(-keptBytes), reason };
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
