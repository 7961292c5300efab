/** Splits JSON, even truncated JSON, into pieces that get a colour. Takes linear time. */

export interface JsonPiece {
  readonly kind: 'name' | 'string' | 'number' | 'word';
  readonly text: string;
  /** Where it begins. */
  readonly start: number;
}

/** Punctuation and blanks are between the pieces. */
export function* jsonPieces(json: string): Generator<JsonPiece, void> {
  // A string may end with the text. If its closing quote were required, each quote in `\"\"\"…` of a truncated string
  // would be tried as the beginning of another one.
  const token =
    /("(?:[^"\\]|\\.)*(?:"|\\?$))(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/gsu;
  for (const { 0: whole, 1: string, 2: colon, index: start } of json.matchAll(token)) {
    if (string === undefined) {
      yield { kind: /^[tfn]/u.test(whole) ? 'word' : 'number', text: whole, start };
    } else {
      yield { kind: colon === undefined ? 'string' : 'name', text: string, start };
    }
  }
}
