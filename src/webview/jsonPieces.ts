/** JSON, also such that was cut off, as the pieces that get a colour. Takes time in proportion to its length. */

export interface JsonPiece {
  readonly kind: 'name' | 'string' | 'number' | 'word';
  readonly text: string;
  /** Where it begins. */
  readonly start: number;
}

/** What is between the pieces is punctuation and blanks. */
export function* jsonPieces(json: string): Generator<JsonPiece, void> {
  // A string ends with the text at the latest. Were its end needed, each quote in `\"\"\"…` of a string
  // that was cut would be tried as the beginning of another one.
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
