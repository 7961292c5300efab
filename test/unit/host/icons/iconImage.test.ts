import assert from 'node:assert/strict';
import { iconExtension, maxIconBytes } from '../../../../src/host/icons/iconImage.ts';

function png(width: number, height: number, ...chunks: readonly string[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...chunks.map((type) => chunk(type, Buffer.alloc(8))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
}

function jpeg(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(height, 0);
  size.writeUInt16BE(width, 2);
  return Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    Buffer.from('ffc0001108', 'hex'),
    size,
    Buffer.alloc(12),
  ]);
}

function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', side: number, flags = 0): Buffer {
  const data = Buffer.alloc(40);
  data.write('RIFF', 0);
  data.write('WEBP', 8);
  data.write(kind, 12);
  if (kind === 'VP8 ') {
    data.writeUInt16LE(side, 26);
    data.writeUInt16LE(side, 28);
  } else if (kind === 'VP8L') {
    data.writeUInt32LE(((side - 1) | ((side - 1) << 14)) >>> 0, 21);
  } else {
    data[20] = flags;
    data.writeUIntLE(side - 1, 24, 3);
    data.writeUIntLE(side - 1, 27, 3);
  }
  return data;
}

function svg(body: string, head = ''): Buffer {
  return Buffer.from(
    `${head}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${body}</svg>`,
  );
}

describe('iconExtension', () => {
  it('ICON-01: knows PNG, JPEG, WebP and SVG by their bytes', () => {
    assert.equal(iconExtension(png(16, 16, 'IDAT')), 'png');
    assert.equal(iconExtension(jpeg(32, 32)), 'jpg');
    for (const kind of ['VP8 ', 'VP8L', 'VP8X'] as const) {
      assert.equal(iconExtension(webp(kind, 48)), 'webp', kind);
    }
    assert.equal(iconExtension(svg('<path d="M0 0h16"/>')), 'svg');
    assert.equal(
      iconExtension(
        svg(
          '<use href="#a"/><path fill="url(#b)"/>',
          '\u{feff}<?xml version="1.0"?>\n<!-- x -->\n',
        ),
      ),
      'svg',
    );
  });

  it('ICON-04 (2026): draws nothing else, whatever it is called', () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('GIF89a'),
      Buffer.from('<html><svg></svg></html>'),
      Buffer.from('{"icon": true}'),
      Buffer.from('89504e470d0a1a0a', 'hex'),
      Buffer.from('ffd8ffe0', 'hex'),
      Buffer.concat([svg('').subarray(0, 20), Buffer.from([0xff, 0xfe])]),
    ]) {
      assert.equal(iconExtension(bytes), undefined, bytes.toString('latin1'));
    }
  });

  it('ICON-04 (2026): bounds bytes, sides and frames', () => {
    assert.equal(iconExtension(png(1_024, 1_024, 'IDAT')), 'png');
    assert.equal(iconExtension(png(1_025, 16, 'IDAT')), undefined);
    assert.equal(iconExtension(png(0, 16, 'IDAT')), undefined);
    assert.equal(iconExtension(jpeg(16, 5_000)), undefined);
    assert.equal(iconExtension(webp('VP8X', 2_000)), undefined);
    assert.equal(iconExtension(png(16, 16, 'acTL', 'IDAT')), undefined);
    assert.equal(iconExtension(webp('VP8X', 16, 0x02)), undefined);
    assert.equal(iconExtension(Buffer.alloc(maxIconBytes + 1, png(16, 16))), undefined);
  });

  it('ICON-04 (2026): takes no SVG with entities, and nothing that only speaks of SVG', () => {
    const entities = '<!DOCTYPE svg [<!ENTITY a "b">]>';
    assert.equal(iconExtension(svg('&a;', entities)), undefined);
    assert.equal(iconExtension(svg('', '<!-- <svg> --><p>--><svg>')), undefined);
    assert.equal(iconExtension(svg('<path/>', '<!-- <svg> --> <?xml version="1.0"?>')), undefined);
    assert.equal(iconExtension(svg('<path/>', '<!---->\n'.repeat(1_000))), 'svg');
  });
});
