/**
 * The reason why a file could not be read, without its path: if a variable held the content of the file
 * instead of its name, the path is a secret.
 */
import { isObject } from './json.ts';

/** An error whose text is the code alone, as in "ENOENT". @see https://nodejs.org/api/errors.html#errorcode */
export function withoutPath(error: unknown): Error {
  const code = isObject(error) ? error['code'] : undefined;
  const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/u.test(code);
  return new Error(isCode ? code : 'the file could not be read');
}
