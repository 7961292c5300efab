/**
 * Turns the bytes of a pipe into JSON-RPC messages, one per line (STDIO-03). A line that is not a message
 * is reported and skipped; it never ends the stream (STDIO-05).
 *
 * The work is linear in the bytes: chunks of an incomplete line are kept and joined when it ends, and all
 * whole lines of a chunk are decoded together. Owns no stream and knows no process.
 */
import type { MemoryAccount } from '../../../base/memory.ts';
import { ellipsis, truncated } from '../../../base/text.ts';
import { envelopeProblem, type RpcMessage } from '../../types/message.ts';
import { isTooDeep, objectionTo } from '../jsonText.ts';
import { deliverBatch, deliverInstead, deliverShallow, isRpcMessage } from '../messageText.ts';
import { ChunkBuffer } from '../chunkBuffer.ts';
import { defaultMaxSize, errorReply, sizeText } from '../sizeLimit.ts';
import type { Batch } from '../transport.ts';

/** Characters of a skipped line that a report quotes. */
const excerptChars = 200;
/** Bytes kept of the beginning, and of the end, of a skipped line. */
const keptBytes = 1_024;
const newline = 0x0a;
const byteOrderMark = '\uFEFF';

export interface LineDecoderOptions {
  /** `batch`: set for a member of an array (BASE-08). */
  readonly onMessage: (message: RpcMessage, batch?: Batch) => void;
  /** Called for each skipped line, with a sentence for the log and the line, or its beginning. */
  readonly onProblem: (text: string, line?: string) => void;
  /** A longer line is skipped up to its end. */
  readonly maxLineBytes?: number | undefined;
  /** Part of the message about the limit: how to change it. */
  readonly limitHint?: string | undefined;
  /** The server's memory account: a line that does not fit is skipped, too. */
  readonly memory?: MemoryAccount | undefined;
}

export class LineDecoder {
  readonly #onMessage: LineDecoderOptions['onMessage'];
  readonly #onProblem: LineDecoderOptions['onProblem'];
  readonly #maxLineBytes: number;
  readonly #limitHint: string | undefined;
  readonly #memory: MemoryAccount | undefined;
  /** The line whose newline has not arrived yet. */
  readonly #parts: ChunkBuffer;
  /** Bytes of that line, including skipped ones. */
  #partsBytes = 0;
  /** Beginning and end so far of a line that is being skipped, and the reason. */
  #skipped: { readonly head: Buffer; tail: Buffer; readonly reason: string } | undefined;

  constructor(options: LineDecoderOptions) {
    this.#onMessage = options.onMessage;
    this.#onProblem = options.onProblem;
    this.#maxLineBytes = options.maxLineBytes ?? defaultMaxSize;
    this.#limitHint = options.limitHint;
    this.#memory = options.memory;
    this.#parts = new ChunkBuffer(options.memory);
  }

  /** Takes the next bytes. They are kept without a copy: the caller must not change them later. */
  push(chunk: Buffer): void {
    let start = 0;
    if (this.#partsBytes > 0) {
      const end = chunk.indexOf(newline);
      if (end === -1) {
        this.#keep(chunk);
        return;
      }
      this.#keep(chunk.subarray(0, end));
      this.#finishLine();
      start = end + 1;
    }
    const last = chunk.lastIndexOf(newline);
    if (last >= start) {
      this.#takeLines(chunk.toString('utf8', start, last));
      start = last + 1;
    }
    if (start < chunk.length) {
      this.#keep(start === 0 ? chunk : chunk.subarray(start));
    }
  }

  /** Ends the stream: a last line without a newline counts as a line. */
  end(): void {
    if (this.#partsBytes > 0) {
      this.#finishLine();
    }
  }

  #keep(part: Buffer): void {
    this.#partsBytes += part.length;
    if (this.#skipped !== undefined) {
      this.#skipped.tail = endOf([this.#skipped.tail, part]);
      return;
    }
    const hasRoom = this.#parts.add(part);
    const isTooLong = this.#partsBytes > this.#maxLineBytes;
    if (isTooLong || !hasRoom) {
      const reason = isTooLong ? this.#tooLong : (this.#memory?.refusal ?? '');
      const all = this.#parts.all();
      this.#skipped = { head: startOf(all), tail: endOf(all), reason };
      this.#parts.clear();
    }
  }

  #finishLine(): void {
    const bytes = this.#partsBytes;
    const skipped = this.#skipped;
    this.#partsBytes = 0;
    this.#skipped = undefined;
    if (skipped !== undefined) {
      this.#skipLongLine(bytes, skipped.head.toString(), skipped.tail.toString(), skipped.reason);
      return;
    }
    this.#takeLine(this.#parts.take().toString('utf8'));
  }

  #takeLines(text: string): void {
    let start = 0;
    for (;;) {
      const end = text.indexOf('\n', start);
      if (end === -1) {
        break;
      }
      this.#takeLine(text.slice(start, end));
      start = end + 1;
    }
    this.#takeLine(start === 0 ? text : text.slice(start));
  }

  #takeLine(line: string): void {
    if (line === '' || line === '\r') {
      return;
    }
    // A UTF-16 unit takes at most three bytes of UTF-8.
    if (line.length * 3 > this.#maxLineBytes && Buffer.byteLength(line) > this.#maxLineBytes) {
      const bytes = Buffer.byteLength(line);
      this.#skipLongLine(bytes, line.slice(0, keptBytes), line.slice(-keptBytes), this.#tooLong);
      return;
    }
    const objection = objectionTo(line, this.#memory);
    if (objection !== undefined) {
      deliverInstead(line, objection, { message: this.#onMessage, problem: this.#onProblem });
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#takeUnparsable(line);
      return;
    }
    this.#takeValue(value, line);
  }

  /**
   * Handles a line that is not JSON: junk, blanks, or a message after the byte order mark that .NET writers
   * put first.
   */
  #takeUnparsable(line: string): void {
    if (line.startsWith(byteOrderMark) && !line.startsWith(byteOrderMark, 1)) {
      this.#takeLine(line.slice(byteOrderMark.length));
    } else if (line.trim() !== '') {
      this.#onProblem(
        `Skipped a line on standard output that is not JSON: ${excerpt(line)}`,
        startOfText(line),
      );
    }
  }

  #takeValue(value: unknown, line: string): void {
    const sink = { message: this.#onMessage, problem: this.#onProblem };
    if (isTooDeep(line)) {
      deliverShallow(value, sink);
    } else if (isRpcMessage(value)) {
      this.#onMessage(value);
    } else if (Array.isArray(value)) {
      deliverBatch(value, sink);
    } else {
      const problem = envelopeProblem(value) ?? '';
      this.#onProblem(
        `Skipped a line on standard output that is not a JSON-RPC message (${problem}): ${excerpt(line)}`,
        startOfText(line),
      );
    }
  }

  get #tooLong(): string {
    return `is larger than ${sizeText(this.#maxLineBytes, 'bytes', this.#limitHint)}`;
  }

  /** If the line is a reply, its request gets an error reply instead. */
  #skipLongLine(bytes: number, head: string, tail: string, reason: string): void {
    const start = `${head}${ellipsis}`;
    this.#onProblem(
      `Skipped a line of ${bytes} bytes on standard output, which ${reason}. It begins: ${excerpt(start)}`,
      startOfText(start),
    );
    const reply = errorReply(head, tail, reason);
    if (reply !== undefined) {
      this.#onMessage(reply);
    }
  }
}

function startOfText(line: string): string {
  return truncated(line, keptBytes).trimEnd();
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

function excerpt(line: string): string {
  return truncated(line.trim(), excerptChars);
}
