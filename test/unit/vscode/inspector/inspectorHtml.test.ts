import assert from 'node:assert/strict';
import { inspectorPage } from '../../../../src/vscode/inspector/inspectorHtml.ts';

const nonce = '0123456789abcdef';
const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';

const page = inspectorPage({
  server: { id: `id-${hostile}`, name: hostile },
  nonce,
  script: 'start()',
  language: 'en',
  t: (text: unknown, ...values: unknown[]) =>
    String(text).replaceAll(/\{(\d)\}/gu, (_, index) => String(values[Number(index)])),
});

/** What each element of this name begins with. */
function tags(name: string): readonly string[] {
  return page.match(new RegExp(`<${name}(?:\\s[^>]*)?>`, 'giu')) ?? [];
}

describe('inspectorPage', () => {
  it('SEC-09 (legacy): a policy before everything else allows this style and this script alone', () => {
    const [policy] = tags('meta').filter((tag) => tag.includes('Content-Security-Policy'));
    const [, content = ''] = /content="([^"]*)"/u.exec(policy ?? '') ?? [];
    const plain = content.replaceAll('&#39;', "'");
    assert.deepEqual(plain.split('; '), [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
    ]);
    assert.ok(page.indexOf('Content-Security-Policy') < page.search(/<(?:style|script|title)/u));
  });

  it('SEC-09 (legacy): has what the policy allows, and nothing that it would have to be relaxed for', () => {
    assert.deepEqual(tags('script'), [`<script nonce="${nonce}">`]);
    assert.deepEqual(tags('style'), [`<style nonce="${nonce}">`]);
    for (const name of ['link', 'img', 'iframe', 'object', 'base', 'form', 'a']) {
      assert.deepEqual(tags(name), [], name);
    }
    const all = tags('[a-z]\\w*');
    assert.ok(all.length > 30);
    for (const tag of all) {
      assert.doesNotMatch(tag.replaceAll(/"[^"]*"/gu, ''), /\s(?:on\w+|style|src|href)=/u);
    }
    assert.doesNotMatch(page, /https?:|url\(|@import|unsafe-/u);
  });

  it('SEC-09 (legacy): shows the names of a server as text', () => {
    assert.ok(!page.includes('<img'));
    assert.ok(!page.includes(hostile));
    assert.match(page, /data-name="&#34;&#62;&#60;script&#62;/u);
    assert.match(page, /data-server="id-&#34;&#62;/u);
  });
});
