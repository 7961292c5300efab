/** Every text of the extension in every language that it has: none is missed, and none stays that nothing shows. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const languages = ['de', 'zh-cn'];

function texts(file: string): Readonly<Record<string, string>> {
  const read: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(path.join(root, file), 'utf8'),
  );
  return read;
}

/** Of a call of `vscode.l10n.t`, or of that of base/l10n.ts: the text up to the end of its literal. */
const call = /\b(?:l10n\.)?t\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`$\\]*)`)\s*[,)]/gu;
const anyCall = /(?<!function )\bt\(/gu;
/** Suggestions of the host are translated as they are: there, each literal that is a sentence. */
const translatedByRoom = path.join('host', 'diagnosis') + path.sep;
const sentence = /'((?:[^'\\\n]|\\.)*[.?])'/gu;

function shownBySource(): ReadonlySet<string> {
  const folder = path.join(root, 'src');
  const shown = new Set<string>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) {
      continue;
    }
    const text = readFileSync(path.join(folder, file), 'utf8');
    if (file.startsWith(translatedByRoom)) {
      for (const [, literal = ''] of text.matchAll(sentence)) {
        shown.add(unescaped(literal));
      }
      continue;
    }
    if (!text.includes('l10n')) {
      continue;
    }
    const literals = [...text.matchAll(call)];
    assert.equal(
      literals.length,
      text.match(anyCall)?.length ?? 0,
      `${file}: a text is no literal`,
    );
    for (const [, single, double, back] of literals) {
      shown.add(unescaped(single ?? double ?? back ?? ''));
    }
  }
  return shown;
}

/** Of an error that the user reads: a text that is not translated. Who cancels reads nothing. */
const untranslated = /new McpError\(\s*'(?!cancelled')\w+',\s*['`][A-Z"][^'`].*/gu;

describe('the texts of errors', () => {
  it('are translated where the editor is known, and in files that have other texts for people', () => {
    const folder = path.join(root, 'src');
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(folder, file), 'utf8'))
      .filter((text) => /from '(?:vscode|.*\/base\/l10n\.ts)'/u.test(text))
      .flatMap((text) => text.match(untranslated) ?? [])
      // What is too large is told to servers in the same words.
      .filter((text) => !/\$\{(?:refusal|reason)\}/u.test(text));
    assert.deepEqual(found, []);
  });
});

function unescaped(literal: string): string {
  return literal.replaceAll(/\\(.)/gu, (_, one: string) => (one === 'n' ? '\n' : one));
}

/** What a translation has to keep: places for values, commands and code. */
function fixedParts(text: string): readonly string[] {
  return (text.match(/\{\d\}|\(command:[^)]*\)|\$\{[^}]*\}|`[^`]*`/gu) ?? []).toSorted();
}

describe('the pictures of the walkthrough', () => {
  for (const picture of ['add', 'consent']) {
    it(`${picture}: has the texts of the source, with values as parts of their own`, () => {
      const shown = [...shownBySource()];
      const svg = readFileSync(path.join(root, `media/walkthrough/${picture}.svg`), 'utf8');
      const drawn = [...svg.matchAll(/<text [^>]*>(.*)<\/text>/gu)].map(([, text = '']) => {
        let values = 0;
        return text.replaceAll(/<tspan>[^<]*<\/tspan>/gu, () => `{${values++}}`);
      });
      assert.ok(drawn.length > 5);
      const unknown = drawn.filter(
        (text) =>
          !shown.includes(text) &&
          // A fact is "label: value", and the editor cuts what it has no room for.
          !shown.includes(text.replace(/: \{0\}$/u, '')) &&
          !(text.endsWith('…') && shown.some((whole) => whole.startsWith(text.slice(0, -1)))),
      );
      assert.deepEqual(unknown, []);
    });
  }
});

for (const language of languages) {
  describe(`the texts in ${language}`, () => {
    it('are those of the source, each with its values', () => {
      const bundle = texts(`l10n/bundle.l10n.${language}.json`);
      assert.deepEqual(Object.keys(bundle).toSorted(), [...shownBySource()].toSorted());
      for (const [text, translated] of Object.entries(bundle)) {
        assert.deepEqual(fixedParts(translated), fixedParts(text), text);
      }
    });

    it('are those of package.json, each with its commands and code', () => {
      const [own, translated] = [texts('package.nls.json'), texts(`package.nls.${language}.json`)];
      assert.deepEqual(Object.keys(translated), Object.keys(own));
      for (const [key, text] of Object.entries(own)) {
        assert.deepEqual(fixedParts(translated[key] ?? ''), fixedParts(text), key);
      }
    });
  });
}
