import assert from 'node:assert/strict';
import { chooseIcon } from '../../../../src/host/icons/chooseIcon.ts';
import type { Icon } from '../../../../src/mcp/types/content.ts';

const chosen = (theme: 'light' | 'dark', ...icons: readonly Icon[]): string | undefined =>
  chooseIcon(icons, theme)?.src;

describe('chooseIcon', () => {
  it('ICON-04: takes the one for the theme, then one for any, then the other', () => {
    const light: Icon = { src: 'light', theme: 'light' };
    const dark: Icon = { src: 'dark', theme: 'dark' };
    const any: Icon = { src: 'any' };
    assert.equal(chosen('dark', light, any, dark), 'dark');
    assert.equal(chosen('light', dark, any), 'any');
    assert.equal(chosen('light', dark), 'dark');
  });

  it('ICON-04: takes the size that comes closest, rather too large than too small', () => {
    const small: Icon = { src: 'small', sizes: ['16x16'] };
    const fitting: Icon = { src: 'fitting', sizes: ['8x8', '48x48'] };
    const large: Icon = { src: 'large', sizes: ['512x512'] };
    const vector: Icon = { src: 'vector', sizes: ['any'] };
    assert.equal(chosen('dark', small, large), 'large');
    assert.equal(chosen('dark', large, fitting, small), 'fitting');
    assert.equal(chosen('dark', fitting, vector), 'vector');
  });

  it('takes none of a type that is not drawn, and the first of equals', () => {
    assert.equal(chosen('dark', { src: 'a', mimeType: 'image/gif' }), undefined);
    assert.equal(
      chosen(
        'dark',
        { src: 'a', mimeType: 'image/avif' },
        { src: 'b', mimeType: 'IMAGE/PNG; x=1' },
      ),
      'b',
    );
    assert.equal(chosen('dark', { src: 'a' }, { src: 'b' }), 'a');
    assert.equal(chooseIcon(undefined, 'dark'), undefined);
  });
});
