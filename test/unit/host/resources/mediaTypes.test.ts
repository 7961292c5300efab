import assert from 'node:assert/strict';
import { extensionOf, fileNameFor } from '../../../../src/host/resources/mediaTypes.ts';

describe('extensionOf', () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['text/markdown', 'md'],
    ['TEXT/HTML; charset=utf-8', 'html'],
    ['application/ld+json', 'json'],
    ['image/svg+xml', 'svg'],
    ['application/atom+xml', 'xml'],
    ['text/x-c++', 'cpp'],
    ['text/x-go', 'go'],
    ['application/x-unheard-of', undefined],
    ['', undefined],
  ];
  for (const [mediaType, extension] of rows) {
    it(`"${mediaType}" → ${extension}`, () => assert.equal(extensionOf(mediaType), extension));
  }
});

describe('fileNameFor', () => {
  const rows: readonly (readonly [string, string | undefined, string])[] = [
    ['file:///home/me/notes.md', 'text/plain', 'notes.md'],
    ['demo://resource/static/7', 'image/png', '7.png'],
    ['demo://resource/static/7', undefined, '7'],
    ['https://example.com/a/b/?q=1#x', 'text/html', 'b.html'],
    ['memo:shopping%20list', 'text/markdown', 'shopping list.md'],
    ['file:///a/100%.txt', undefined, '100_.txt'],
    ['file:///a/..%2f..%2fetc%2fpasswd', 'text/plain', '_.._etc_passwd.txt'],
    ['file:///a/.env', 'text/plain', 'env.txt'],
    ['file:///a/..', undefined, 'resource'],
    ['x://', undefined, 'resource'],
    ['', 'application/json', 'resource.json'],
    ['file:///a/%E2%80%AEgnp.exe', undefined, '_gnp.exe'],
    ['file:///a/a%00b%0Ac', 'text/plain', 'a_b_c.txt'],
    ['file:///r%C3%A9sum%C3%A9.pdf', 'application/pdf', 'résumé.pdf'],
    ['git://repo/v1.2.3', 'application/json', 'v1.2.3.json'],
    ['file:///a/x.7z', 'application/octet-stream', 'x.7z'],
  ];
  for (const [uri, mediaType, name] of rows) {
    it(`RES-04: ${JSON.stringify(uri)} as ${mediaType} → ${name}`, () =>
      assert.equal(fileNameFor(uri, mediaType), name));
  }

  it('keeps names short and keeps the extension', () => {
    const name = fileNameFor(`file:///${'x'.repeat(5000)}.json`, 'application/json');
    assert.equal(name.length, 100);
    assert.ok(name.endsWith('.json'));
  });
});
