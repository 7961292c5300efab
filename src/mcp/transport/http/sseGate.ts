/**
 * Lets events through to a parser and ends, or passes over, those that are too large: the parser keeps all of an event
 * until its end, each of its lines apart. On a stream that brings what belongs to many, one of them must not cost the
 * others. Of a large one it keeps the beginning and the end, of which the error reply is made that stands for it.
 */
import type { RpcMessage } from '../../types/message.ts';
import { errorReply } from '../sizeLimit.ts';

/** Characters that are kept of the beginning, and of the end; and what an event may have besides its data. */
export const keptChars = 1_100;
/** Lines of one event. Each takes a hundred bytes until the event is whole, however short it is. */
export const maxEventLines = 100_000;
/** An event that is so many times as large as the limit has no end. */
const endless = 4;
/** Two ends of lines, one after the other. */
const blankLine = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))/u;
const blankLines = ['\n\n', '\r\r\n', '\r\n\r\n', '\r\r'];
const idLine = /[\r\n](id:[^\r\n]*)[\r\n]/u;
/** What stands before and between the lines of the data: other fields, comments. */
const betweenData = /[\r\n]+(?:data: ?|(?:id|event|retry)?:[^\r\n]*)?/gu;

export interface GateOptions {
  /** Characters of one event. */
  readonly maxChars: number;
  /** Why an event of this size goes no further, undefined while it does; completes "The answer …". */
  readonly objectionTo: (chars: number, lines: number) => string | undefined;
  /** Of each event that was passed over: what stands for the reply in it, if it was one. Absent: none is. */
  readonly onSkipped: ((reason: string, reply: RpcMessage | undefined) => void) | undefined;
  /** There is no end of it, or it cannot be passed over: called once. */
  readonly onEndless: (reason: string) => void;
}

export class EventGate {
  readonly #parser: { feed(text: string): void; reset(): void };
  readonly #options: GateOptions;
  /** Of the event that is under way. */
  #chars = 0;
  #lines = 0;
  #head = '';
  #tail = '';
  /** Why it is passed over. */
  #objection: string | undefined;
  #isOver = false;
  /** With which what has come ends, at most three: a blank line may come in two pieces. */
  #lineEnds = '';

  constructor(parser: { feed(text: string): void; reset(): void }, options: GateOptions) {
    this.#parser = parser;
    this.#options = options;
  }

  feed(text: string): void {
    let rest = text;
    let end = this.#lastEnd(text);
    while (rest !== '' && !this.#isOver) {
      end ??= this.#firstEnd(rest);
      this.#take(rest.slice(0, end ?? rest.length), end !== undefined);
      if (end === undefined) {
        this.#lineEnds = /[\r\n]{0,3}$/u.exec((this.#lineEnds + rest).slice(-3))?.[0] ?? '';
        return;
      }
      this.#endEvent();
      rest = rest.slice(end);
      end = undefined;
    }
  }

  /** Of many small events, which are taken as one: none of them can be too large. */
  #lastEnd(text: string): number | undefined {
    const { maxChars } = this.#options;
    const isSmall =
      this.#chars + text.length <= maxChars && this.#lines + text.length <= maxEventLines;
    if (!isSmall || this.#objection !== undefined) {
      return undefined;
    }
    const ends = blankLines.flatMap((blank) => {
      const at = text.lastIndexOf(blank);
      return at === -1 ? [] : [at + blank.length];
    });
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  #firstEnd(text: string): number | undefined {
    const found = blankLine.exec(this.#lineEnds + text);
    return found === null ? undefined : found.index + found[0].length - this.#lineEnds.length;
  }

  #take(piece: string, isWhole: boolean): void {
    const { maxChars, objectionTo, onSkipped, onEndless } = this.#options;
    this.#chars += piece.length;
    this.#lines += linesIn(piece);
    if (this.#head.length < keptChars) {
      this.#head = `${this.#head}${piece}`.slice(0, keptChars);
    }
    // Also of what is not too large yet: there may be little left of it when it is.
    this.#tail = piece.length < keptChars ? `${this.#tail}${piece}`.slice(-keptChars) : piece;
    if (this.#objection === undefined) {
      this.#objection = objectionTo(this.#chars, this.#lines);
      if (this.#objection === undefined) {
        this.#parser.feed(piece);
        return;
      }
      this.#parser.reset();
    }
    const isEndless =
      !isWhole && (this.#chars > endless * maxChars || this.#lines > endless * maxEventLines);
    if (onSkipped === undefined || isEndless) {
      this.#isOver = true;
      onEndless(this.#objection);
    }
  }

  #endEvent(): void {
    if (this.#objection !== undefined && !this.#isOver) {
      const head = `\n${this.#head}`;
      const tail = this.#tail.slice(-keptChars);
      // It has been seen: a server that is asked for what followed the one before would send it again.
      const [, id] = idLine.exec(tail) ?? idLine.exec(head) ?? [];
      if (id !== undefined) {
        this.#parser.feed(`${id}\n\n`);
      }
      const [start = '', end = ''] = [head, tail].map((text) => text.replaceAll(betweenData, '\n'));
      const reply = errorReply(start, end, this.#objection);
      this.#options.onSkipped?.(this.#objection, reply);
    }
    this.#objection = undefined;
    this.#chars = 0;
    this.#lines = 0;
    this.#head = '';
    this.#tail = '';
    this.#lineEnds = '';
    this.#options.objectionTo(0, 0);
  }
}

/** How many ends of lines are in it; two for each CRLF. */
function linesIn(text: string): number {
  return countOf('\n', text) + countOf('\r', text);
}

function countOf(char: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) {
    count += 1;
  }
  return count;
}
