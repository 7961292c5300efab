/** The violations of a schema by a value, in sentences. */
import type { ErrorObject } from 'ajv';
import { isObject } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';

/** Violations beyond these are only counted. */
const maxTold = 20;
/** Duplicates are removed only up to this number. */
const maxCompared = 100;
/** Characters of a sentence. */
const maxChars = 300;

export function toSentences(errors: readonly ErrorObject[]): readonly string[] {
  const sentences = [...new Set(errors.slice(0, maxCompared).map(toSentence))];
  const untold = sentences.length - maxTold + Math.max(0, errors.length - maxCompared);
  return untold <= 0
    ? sentences
    : [...sentences.slice(0, maxTold), `and ${untold} more violations`];
}

function toSentence({ instancePath, message = '', keyword, params }: ErrorObject): string {
  const place = instancePath === '' ? 'the value' : `"${toPath(instancePath)}"`;
  const what = message === '' ? `violates "${keyword}"` : message;
  const detail = details.get(keyword);
  const shown: unknown = detail !== undefined && isObject(params) ? params[detail] : undefined;
  return cut(`${place} ${what}${shown === undefined ? '' : `: ${JSON.stringify(shown)}`}`);
}

/** JSON Pointer (RFC 6901) → dotted path. */
function toPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

/** Which parameter has what ajv's message leaves out, by keyword. */
const details: ReadonlyMap<string, string> = new Map([
  ['additionalProperties', 'additionalProperty'],
  ['unevaluatedProperties', 'unevaluatedProperty'],
  ['enum', 'allowedValues'],
  ['const', 'allowedValue'],
]);

/** The part of a text that a sentence shows. */
export function cut(text: string): string {
  return truncated(text, maxChars);
}
