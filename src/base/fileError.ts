/**
 * Why a file could not be read, without its path: where a variable was to name a file and held its content, the
 * path is a secret. It says nothing about how that is told.
 */
import { isObject } from './json.ts';

/** An error whose text is the code alone, as in "ENOENT". @see https://nodejs.org/api/errors.html#errorcode */
export function withoutPath(error: unknown): Error {
  const code = isObject(error) ? error['code'] : undefined;
  const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/u.test(code);
  return new Error(isCode ? code : 'the file could not be read');
}
