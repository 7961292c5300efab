/**
 * Whether the bytes of an icon are an image that may be drawn: by their content, not by their declared type. Small, and
 * as PNG or WebP not animated. Pure.
 */

export type IconExtension = 'png' | 'jpg' | 'webp' | 'svg';

/** Bytes of one icon. */
export const maxIconBytes = 192 * 1024;
/** Pixels of a side: a larger image takes the editor's memory and shows no more. */
const maxSide = 1_024;

/** The file extension for it; undefined for an image that is not drawn (ICON-01, ICON-04). */
export function iconExtension(bytes: Uint8Array): IconExtension | undefined {
  if (bytes.byteLength > maxIconBytes) {
    return undefined;
  }
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [extension, sizeOf] of [
    ['png', pngSize],
    ['jpg', jpegSize],
    ['webp', webpSize],
  ] as const) {
    const size = sizeOf(data);
    if (size !== undefined) {
      return size.every((side) => side > 0 && side <= maxSide) ? extension : undefined;
    }
  }
  return isSvg(data) ? 'svg' : undefined;
}

/** Width and height. Undefined for another format, and for an animated image. */
type Size = readonly [number, number] | undefined;

const pngSignature = '89504e470d0a1a0a';

function pngSize(data: Buffer): Size {
  const isPng =
    data.length >= 33 &&
    data.toString('hex', 0, 8) === pngSignature &&
    data.toString('latin1', 12, 16) === 'IHDR';
  return isPng && !isAnimatedPng(data) ? [data.readUInt32BE(16), data.readUInt32BE(20)] : undefined;
}

/** The chunk acTL comes before the first chunk of image data. */
function isAnimatedPng(data: Buffer): boolean {
  for (let at = 8; at + 8 <= data.length; at += 12 + data.readUInt32BE(at)) {
    const type = data.toString('latin1', at + 4, at + 8);
    if (type === 'acTL' || type === 'IDAT') {
      return type === 'acTL';
    }
  }
  return false;
}

function jpegSize(data: Buffer): Size {
  if (data.length < 4 || data.toString('hex', 0, 3) !== 'ffd8ff') {
    return undefined;
  }
  let at = 2;
  while (at + 9 <= data.length && data[at] === 0xff) {
    const marker = data[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1; // fill
    } else if (isFrame(marker)) {
      return [data.readUInt16BE(at + 7), data.readUInt16BE(at + 5)];
    } else {
      at += 2 + data.readUInt16BE(at + 2);
    }
  }
  return undefined;
}

/** Start of a frame, SOF0 to SOF15; C4, C8 and CC are other markers. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function webpSize(data: Buffer): Size {
  const isWebp =
    data.length >= 30 &&
    data.toString('latin1', 0, 4) === 'RIFF' &&
    data.toString('latin1', 8, 12) === 'WEBP';
  if (!isWebp) {
    return undefined;
  }
  switch (data.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return [data.readUInt16LE(26) & 0x3fff, data.readUInt16LE(28) & 0x3fff];
    case 'VP8L': {
      const bits = data.readUInt32LE(21);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case 'VP8X': {
      const isAnimated = ((data[20] ?? 0) & 0x02) !== 0;
      return isAnimated ? undefined : [data.readUIntLE(24, 3) + 1, data.readUIntLE(27, 3) + 1];
    }
    default:
      return undefined;
  }
}

/**
 * Its content is not checked: rows of the editor draw icons as background images, in which a browser runs no script and
 * loads nothing (https://www.w3.org/TR/SVG2/conform.html#secure-animated-mode). Only a document type is refused: it
 * could declare entities that expand exponentially.
 */
function isSvg(data: Buffer): boolean {
  const text = textOf(data)?.trimStart();
  return text !== undefined && /^<svg[\s>]/u.test(withoutProlog(text));
}

/**
 * Removes the XML declaration and comments. Not by one expression: comments may hold beginnings of other comments, and
 * each would double its time.
 */
function withoutProlog(text: string): string {
  let at = text.startsWith('<?xml') ? behind(text, '?>', 0) : 0;
  while (text.startsWith('<!--', at)) {
    at = behind(text, '-->', at + 4);
  }
  return text.slice(at);
}

/** Where the text continues after `end` and blanks; its length where there is no `end`. */
function behind(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  if (found < 0) {
    return text.length;
  }
  let at = found + end.length;
  while (/\s/u.test(text.charAt(at))) {
    at += 1;
  }
  return at;
}

/** Undefined for bytes that are not UTF-8. */
function textOf(data: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch {
    return undefined;
  }
}
