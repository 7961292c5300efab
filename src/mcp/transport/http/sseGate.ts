/**
 * Passes events to a parser, and skips or ends those that are too large, because the parser keeps each line
 * of an event until the event ends. On a stream shared by many requests, one large event must not end the
 * others. The gate keeps the beginning and the end of a large event, to make the error reply that replaces
 * it.
 */
import type { RpcMessage } from '../../types/message.ts';
import { errorReply } from '../sizeLimit.ts';

/** Characters kept of the beginning and of the end; also what an event may have in addition to its data. */
export const keptChars = 1_100;
/** Limit of lines in one event. Each takes a hundred bytes until the event is complete, however short it is. */
export const maxEventLines = 100_000;
/** An event this many times the limit counts as endless. */
const endless = 4;
/** Two line ends in a row. */
const blankLine = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))/u;
const blankLines = ['\n\n', '\r\r\n', '\r\n\r\n', '\r\r'];
const idLine = /[\r\n](id:[^\r\n]*)[\r\n]/u;
/** What comes before and between the lines of the data: other fields, comments. */
const betweenData = /[\r\n]+(?:data: ?|(?:id|event|retry)?:[^\r\n]*)?/gu;

export interface GateOptions {
  /** Characters of one event. */
  readonly maxChars: number;
  /** Why an event of this size is refused; undefined while it is not. Completes "The answer …". */
  readonly objectionTo: (chars: number, lines: number) => string | undefined;
  /** Called for each skipped event, with the error reply if it held a reply. Absent: no event is skipped. */
  readonly onSkipped: ((reason: string, reply: RpcMessage | undefined) => void) | undefined;
  /** Called once when the event is endless, or cannot be skipped. */
  readonly onEndless: (reason: string) => void;
}

export class EventGate {
  readonly #parser: { feed(text: string): void; reset(): void };
  readonly #options: GateOptions;
  /** Size of the current event. */
  #chars = 0;
  #lines = 0;
  #head = '';
  #tail = '';
  /** Why the current event is skipped. */
  #objection: string | undefined;
  #isOver = false;
  /** The line ends at the end of what has come, at most three: a blank line may arrive in two chunks. */
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

  /** For many small events, which are taken together: none of them can be too large. */
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
    // Also kept while the event is within the limit: when it exceeds it, little of it may be left.
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
      // The skipped event counts as seen: otherwise a server would send it again after a reconnect.
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

/** Number of line ends in the text; a CRLF counts as two. */
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
