/** The server's name for itself, in either era. For display only: it is only a claim (META-10). */
import { type JsonObject, isObject, isString } from '../../base/json.ts';
import { readIcons } from '../icons.ts';
import type { Implementation } from '../types/methods.ts';

/** Servers omit either member, or the whole object. */
export function readImplementation(value: unknown): Implementation {
  const info: JsonObject = isObject(value) ? value : {};
  const text = (name: string): string | undefined => {
    const member = info[name];
    return isString(member) && member !== '' ? member : undefined;
  };
  return {
    name: text('name') ?? 'unnamed',
    version: text('version') ?? 'unknown',
    title: text('title'),
    description: text('description'),
    websiteUrl: text('websiteUrl'),
    icons: readIcons(info['icons']),
  };
}
