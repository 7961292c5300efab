import assert from 'node:assert/strict';
import { jsonPieces } from '../../../src/webview/jsonPieces.ts';

const kinds = (json: string): readonly (readonly [string, string])[] =>
  [...jsonPieces(json)].map(({ kind, text }) => [kind, text]);

describe('jsonPieces', () => {
  it('tells names, texts, numbers and words apart, and where they are', () => {
    const json = '{"a" : ["b\\"c", -1.5e3, true],\n "n": null}';
    assert.deepEqual(kinds(json), [
      ['name', '"a"'],
      ['string', '"b\\"c"'],
      ['number', '-1.5e3'],
      ['word', 'true'],
      ['name', '"n"'],
      ['word', 'null'],
    ]);
    for (const { start, text } of jsonPieces(json)) {
      assert.equal(json.slice(start, start + text.length), text);
    }
  });

  it('takes a text that was cut for one piece, also in the middle of an escape', () => {
    const quotes = String.raw`\"`.repeat(150_000);
    for (const cut of [`"${quotes}`, `"${quotes}\\`, `"${quotes}\\\n`, '"']) {
      assert.deepEqual(kinds(`[1,${cut}`), [
        ['number', '1'],
        ['string', cut],
      ]);
    }
  });
});
