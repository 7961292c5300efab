/**
 * The violations of a schema by a value, in sentences. Schema and value are a server's, and may hold megabytes at each
 * place that a sentence names: only what is shown is read, and the rest is not copied.
 */
import type { ErrorObject } from 'ajv';
import { isObject, isString } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';

/** Violations beyond these are only counted. */
const maxTold = 20;
/** Duplicates are removed only up to this number. */
const maxCompared = 1_000;

/** Characters of a sentence. */
const maxChars = 300;
/** A longer path or message of ajv is a string that is not yet joined in memory. */
const maxWhole = 5_000;

export function toSentences(errors: readonly ErrorObject[]): readonly string[] {
  const sentences = [...new Set(errors.slice(0, maxCompared).map(toSentence))];
  const untold = sentences.length - maxTold + Math.max(0, errors.length - maxCompared);
  return untold <= 0
    ? sentences
    : [...sentences.slice(0, maxTold), `and ${untold} more violations`];
}

function toSentence(error: ErrorObject): string {
  const { message = '', keyword } = error;
  const isPlain = message !== '' && message.length <= maxWhole;
  const what = isPlain ? message : `violates "${keyword}"`;
  return cut(`${placeOf(error.instancePath)} ${what}${toDetail(error)}`);
}

function placeOf(pointer: string): string {
  if (pointer.length > maxWhole) {
    return 'a part of the value';
  }
  return pointer === '' ? 'the value' : `"${toPath(pointer)}"`;
}

/** JSON Pointer (RFC 6901) → dotted path. */
function toPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

/** What ajv's message leaves out. */
function toDetail({ keyword, params }: ErrorObject): string {
  if (!isObject(params)) {
    return '';
  }
  switch (keyword) {
    case 'additionalProperties':
      return `: ${toJson(params['additionalProperty'])}`;
    case 'unevaluatedProperties':
      return `: ${toJson(params['unevaluatedProperty'])}`;
    case 'enum':
      return `: ${toJson(params['allowedValues'])}`;
    case 'const':
      return `: ${toJson(params['allowedValue'])}`;
    default:
      return '';
  }
}

/** The value as JSON, or at least as much of it as a sentence can show. */
export function toJson(value: unknown, room: number = maxChars): string {
  if (isString(value)) {
    return JSON.stringify(value.length > room ? value.slice(0, Math.max(0, room)) : value);
  }
  if (Array.isArray(value)) {
    return `[${joined(value, room, toJson)}]`;
  }
  if (isObject(value)) {
    const member = (name: string, left: number): string =>
      `${toJson(name, left)}:${toJson(value[name], left)}`;
    return `{${joined(Object.keys(value), room, member)}}`;
  }
  return JSON.stringify(value) ?? '';
}

function joined<T>(
  items: readonly T[],
  room: number,
  write: (item: T, room: number) => string,
): string {
  let text = '';
  for (const item of items) {
    if (text.length > room) {
      break;
    }
    text += `${text === '' ? '' : ','}${write(item, room - text.length)}`;
  }
  return text;
}

/** The part of a text that a sentence shows. */
export function cut(text: string): string {
  return truncated(text, maxChars);
}
