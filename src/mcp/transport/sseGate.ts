/**
 * Lets events through to a parser and passes over those that are too large, on a stream that brings what belongs to
 * many: one of them must not cost the others. Of a large one it keeps the beginning and the end, of which the error
 * reply is made that stands for it.
 */
import type { RpcMessage } from '../rpc/message.ts';
import { errorReply } from './sizeLimit.ts';

/** Characters that are kept of the beginning, and of the end; and what an event may have besides its data. */
export const keptChars = 1_100;
/** An event that is so many times as large as the limit has no end. */
const endless = 4;
/** Two ends of lines, one after the other. */
const blankLine = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))/u;
const idLine = /[\r\n](id:[^\r\n]*)[\r\n]/u;
/** What stands before and between the lines of the data: other fields, comments. */
const betweenData = /[\r\n]+(?:data: ?|(?:id|event|retry)?:[^\r\n]*)?/gu;

export interface GateOptions {
  /** Characters of one event. */
  readonly maxChars: number;
  /** Of each event that was passed over: what stands for the reply in it, if it was one. */
  readonly onSkipped: (reply: RpcMessage | undefined) => void;
  /** There is no end of it: called once. */
  readonly onEndless: () => void;
  /** Completes "The answer …". */
  readonly reason: string;
}

export class EventGate {
  readonly #parser: { feed(text: string): void; reset(): void };
  readonly #options: GateOptions;
  /** Of the event that is under way. */
  #chars = 0;
  #head = '';
  #tail = '';
  #isSkipping = false;
  #isOver = false;
  /** With which what has come ends, at most three: a blank line may come in two pieces. */
  #lineEnds = '';

  constructor(parser: { feed(text: string): void; reset(): void }, options: GateOptions) {
    this.#parser = parser;
    this.#options = options;
  }

  feed(text: string): void {
    let rest = text;
    while (rest !== '' && !this.#isOver) {
      const found = blankLine.exec(this.#lineEnds + rest);
      const end =
        found === null ? rest.length : found.index + found[0].length - this.#lineEnds.length;
      this.#take(rest.slice(0, end), found !== null);
      if (found === null) {
        this.#lineEnds = /[\r\n]{0,3}$/u.exec((this.#lineEnds + rest).slice(-3))?.[0] ?? '';
        return;
      }
      this.#endEvent();
      rest = rest.slice(end);
    }
  }

  #take(piece: string, isWhole: boolean): void {
    const { maxChars } = this.#options;
    this.#chars += piece.length;
    if (this.#head.length < keptChars) {
      this.#head = `${this.#head}${piece}`.slice(0, keptChars);
    }
    // Also of what is not too large yet: there may be little left of it when it is.
    this.#tail = piece.length < keptChars ? `${this.#tail}${piece}`.slice(-keptChars) : piece;
    if (!this.#isSkipping && this.#chars > maxChars + keptChars) {
      this.#isSkipping = true;
      this.#parser.reset();
    }
    if (!this.#isSkipping) {
      this.#parser.feed(piece);
      return;
    }
    if (!isWhole && this.#chars > endless * maxChars) {
      this.#isOver = true;
      this.#options.onEndless();
    }
  }

  #endEvent(): void {
    if (this.#isSkipping) {
      const head = `\n${this.#head}`;
      const tail = this.#tail.slice(-keptChars);
      // It has been seen: a server that is asked for what followed the one before would send it again.
      const [, id] = idLine.exec(tail) ?? idLine.exec(head) ?? [];
      if (id !== undefined) {
        this.#parser.feed(`${id}\n\n`);
      }
      const [start = '', end = ''] = [head, tail].map((text) => text.replaceAll(betweenData, '\n'));
      this.#options.onSkipped(errorReply(start, end, this.#options.reason));
    }
    this.#isSkipping = false;
    this.#chars = 0;
    this.#head = '';
    this.#tail = '';
    this.#lineEnds = '';
  }
}
