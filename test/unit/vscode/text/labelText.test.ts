import assert from 'node:assert/strict';
import {
  excerpt,
  manyLines,
  markdownWords,
  oneLine,
  quoted,
} from '../../../../src/vscode/text/labelText.ts';

const family = '\u{1f469}\u200d\u{1f467}';

const lines: readonly (readonly [what: string, text: string, shown: string])[] = [
  ['an icon', '$(trash) $(sync~spin)', '$ (trash) $ (sync~spin)'],
  ['a command link', '[x](command:a.b)', '[x] (command:a.b)'],
  ['a link that hides in blanks', '[x]\n(command:a.b)', '[x] (command:a.b)'],
  ['an icon that hides in a zero-width character', '$\u200b(trash)', '$\ufffd(trash)'],
  ['line ends and tabs', 'a\r\nb\n\n\tc\u2028d', 'a b c d'],
  ['bidirectional controls', 'a\u202eb\u2066c\u200fd\u061ce', 'a\ufffdb\ufffdc\ufffdd\ufffde'],
  ['zero-width characters', 'a\u200bb\u200dc\ufeffd\u00ade', 'a\ufffdb\ufffdc d\ufffde'],
  ['control characters', 'a\u0000b\u001b[31mc\u007f', 'a\ufffdb\ufffd[31mc\ufffd'],
  ['letters that are drawn as nothing', 'a\u3164b\u2800c\u115f', 'a\ufffdb\ufffdc\ufffd'],
  ['text that is hidden in tags', 'a\u{e0041}\u{e0042}', 'a\ufffd\ufffd'],
  ['a variation of nothing', 'a\ufe0fb\ufe01', 'a\ufffdb\ufffd'],
  ['Persian and Hindi, with their joiners', 'می\u200cخ क्\u200dष', 'می\u200cخ क्\u200dष'],
  ['half a character', 'a\ud83d', 'a\ufffd'],
  ['blanks at the ends', '  a  ', 'a'],
  [
    'words, umlauts, emoji',
    `Gr\u00fc\u00dfe \u2764\ufe0f ${family}`,
    `Gr\u00fc\u00dfe \u2764\ufe0f ${family}`,
  ],
];

describe('server text', () => {
  for (const [what, text, shown] of lines) {
    it(`HOST-06: on one line, shows ${what}`, () => assert.equal(oneLine(text), shown));
  }

  it('HOST-06: is cut at a length, never inside a character, and quickly', () => {
    assert.equal(oneLine('x'.repeat(300), 10), `${'x'.repeat(9)}\u2026`);
    assert.equal(oneLine('\u{1f600}'.repeat(10), 4), '\u{1f600}\u2026');
    assert.equal(oneLine(' '.repeat(5_000_000)), '');
    assert.equal(oneLine('$('.repeat(2_000_000)).length, 200);
  });

  it('HOST-06: keeps line ends in several lines, and nothing else that hides', () => {
    assert.equal(manyLines('a\r\nb\rc\n\td\u202e\u0007'), 'a\nb\nc\n\td\ufffd\ufffd');
    assert.equal(manyLines('x'.repeat(3_000)).length, 2_000);
  });

  it('gives an excerpt that is neither too long nor too high, and says how much is missing', () => {
    assert.deepEqual(excerpt(' a\nb ', 10, 2), { text: 'a\nb', left: 0 });
    assert.deepEqual(excerpt('a\nb\nc', 10, 2), { text: 'a\nb', left: 2 });
    assert.deepEqual(excerpt('a\r\nb\r\nc', 10, 3), { text: 'a\nb\nc', left: 0 });
    assert.deepEqual(excerpt('abcdef', 4, 2), { text: 'abcd', left: 2 });
    assert.deepEqual(excerpt('\n'.repeat(5_000), 4, 2), { text: '', left: 0 });
    const flood = excerpt(`a${'\n'.repeat(5_000)}b`, 500, 10);
    assert.equal(flood.text, 'a');
    assert.ok(flood.left > 0);
  });

  it('HOST-06: as words of Markdown, forms no link, image, code or block', () => {
    assert.equal(
      markdownWords('[x](command:y) <https://a.example> https://b.example'),
      '\\[x\\]\\(command\\:y\\) \\<https\\:\\/\\/a\\.example\\> https\\:\\/\\/b\\.example',
    );
    assert.equal(
      markdownWords('# a\n- b\n    c\n`d` ![e]'),
      '\\# a  \n\\- b  \n\u{a0}\u{a0}\u{a0}\u{a0}c  \n\\`d\\` \\!\\[e\\]',
    );
  });

  it('HOST-06: in a quotation, no line passes for the dialog’s own', () => {
    assert.equal(quoted('Server: good\n\nAllow it'), '│ Server: good\n│ \n│ Allow it');
  });
});
