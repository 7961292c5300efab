import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTranslator, t } from '../../../src/base/l10n.ts';
import { parsePasted } from '../../../src/host/import/pasted.ts';

const root = path.join(import.meta.dirname, '../../..');
const english = (text: string, ...values: readonly (string | number)[]): string =>
  text.replaceAll(/\{(\d)\}/gu, (_, index: number) => String(values[index]));

describe('texts for people', () => {
  afterEach(() => setTranslator(english));

  it('are English without a language, with their values, which are not read as texts', () => {
    assert.equal(t('{1} of {0}, {2} and ${input:x}', '{1}', 2), '2 of {1}, {2} and ${input:x}');
  });

  it('are in the language of the editor where the host makes them', () => {
    const bundle: Readonly<Record<string, string>> = JSON.parse(
      readFileSync(path.join(root, 'l10n/bundle.l10n.de.json'), 'utf8'),
    );
    setTranslator((text, ...values) => english(bundle[text] ?? text, ...values));
    const { problems } = parsePasted('{"hello": "x"}', { platform: 'linux', env: {} });
    assert.deepEqual(problems, ['enthält keinen Server: Ein Server hat `command` oder `url`']);
  });

  it('are not made while a file is loaded, which is before a language is known', async () => {
    setTranslator((text) => assert.fail(text));
    for (const room of ['base', 'host', 'mcp']) {
      const folder = path.join(root, 'src', room);
      for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        const { href } = pathToFileURL(path.join(folder, file));
        if (file.endsWith('.ts') && readFileSync(new URL(href), 'utf8').includes('/l10n.ts')) {
          // A copy of its own, which no other test has loaded.
          await import(`${href}?again`);
        }
      }
    }
  });
});
