import assert from 'node:assert/strict';
import { readIcons } from '../../../src/mcp/iconSources.ts';
import { checkItem } from '../../../src/mcp/listItems.ts';

const png = 'data:image/png;base64,iVBORw0KGgo=';
const web = 'https://example.com/icon.svg';

describe('readIcons', () => {
  it('ICON-02: keeps https and images in data URIs', () => {
    assert.deepEqual(readIcons([{ src: web }, { src: png }]), [{ src: web }, { src: png }]);
  });

  for (const src of [
    'http://example.com/icon.png',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'command:workbench.action.quit',
    'https://me@example.com/icon.png',
    'https://:secret@example.com/icon.png',
    'data:text/html;base64,PGI+',
    'data:image/svg+xml,<svg onload="alert(1)"/>',
    `data:image/png;base64,${'A'.repeat(300_000)}`,
    `https://example.com/${'a'.repeat(3_000)}`,
    'icon.png',
    '',
    7,
    undefined,
  ]) {
    it(`ICON-02: refuses ${String(src).slice(0, 60)}`, () => {
      assert.equal(readIcons([{ src }]), undefined);
    });
  }

  it('ICON-04: keeps sizes and themes that can be read', () => {
    assert.deepEqual(
      readIcons([
        {
          src: web,
          mimeType: 'image/svg+xml',
          sizes: ['any', '48x48', 'big', '1x'],
          theme: 'dark',
        },
        { src: web, mimeType: 1, sizes: '48x48', theme: 'blue', more: true },
      ]),
      [
        { src: web, mimeType: 'image/svg+xml', sizes: ['any', '48x48'], theme: 'dark' },
        { src: web },
      ],
    );
  });

  it('ICON-03: takes no more than a few', () => {
    assert.equal(readIcons(Array.from({ length: 1_000 }, () => ({ src: png })))?.length, 16);
  });

  for (const [list, item] of [
    ['tools', { name: 'x', inputSchema: {} }],
    ['prompts', { name: 'x' }],
    ['resources', { name: 'x', uri: 'a:1' }],
    ['resourceTemplates', { name: 'x', uriTemplate: 'a:{b}' }],
  ] as const) {
    it(`ICON-05: ${list} have icons, and lose no more than those that are refused`, () => {
      const icons = [{ src: 'http://example.com/' }, { src: png, theme: 'light' }, null];
      assert.deepEqual(checkItem(list, { ...item, icons }), {
        kind: 'item',
        item: { ...item, icons: [{ src: png, theme: 'light' }] },
      });
      assert.deepEqual(checkItem(list, { ...item, icons: [{}] }), { kind: 'item', item });
    });
  }
});
