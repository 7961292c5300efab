/**
 * Turns the standard error of a process into log lines, limited in length.
 * Interprets nothing: standard error may hold logging of any kind (STDIO-06).
 */
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { ellipsis } from '../../../base/text.ts';

/** Characters kept of a line; the rest is dropped. */
const maxLineChars = 8_192;

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
