/**
 * Reads the icons that servers declare for themselves and for listed items, and keeps those that may be
 * shown (https://modelcontextprotocol.io/specification/2025-11-25/basic#icons). Fetches nothing; whoever
 * fetches checks whether the address belongs to the server.
 */
import { isObject, isString, isStringArray } from '../base/json.ts';
import type { Icon } from './types/content.ts';

/** Limits: characters of a URL, characters of a data URL, and icons per item. */
const maxUrl = 2_048;
const maxData = 262_144;
const maxIcons = 16;
/** Sizes of one icon. */
const maxSizes = 32;

/** The valid icons in `value`, without malformed members; undefined when there are none. */
export function readIcons(value: unknown): readonly Icon[] | undefined {
  const icons = (Array.isArray(value) ? value : [])
    .slice(0, maxIcons)
    .map(readIcon)
    .filter((icon) => icon !== undefined);
  return icons.length === 0 ? undefined : icons;
}

function readIcon(value: unknown): Icon | undefined {
  if (!isObject(value) || !isString(value['src']) || !isAllowed(value['src'])) {
    return undefined;
  }
  const { src, mimeType, sizes, theme } = value;
  const known = isStringArray(sizes)
    ? sizes.slice(0, maxSizes).filter((size) => /^(?:\d+x\d+|any)$/u.test(size))
    : [];
  return {
    src,
    ...(isString(mimeType) && { mimeType }),
    ...(known.length > 0 && { sizes: known }),
    ...((theme === 'light' || theme === 'dark') && { theme }),
  };
}

/** ICON-02: no other scheme, no user name or password in the address, only images as data. */
function isAllowed(src: string): boolean {
  if (/^data:/iu.test(src)) {
    return src.length <= maxData && /^data:image\/[\w.+-]+;base64,[\w+/=]+$/iu.test(src);
  }
  const url = src.length <= maxUrl ? URL.parse(src) : null;
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}
