/**
 * Finds texts in an imported entry that may be secrets, by their field's name and by their shape, and replaces those
 * that the user confirms by variables. A guess, for the user to judge: a description of the entry shows the original
 * text.
 */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { percentDecoded } from '../../base/percentEncoding.ts';
import { looksSecret } from '../../base/secretNames.ts';
import { secretShapes } from '../launch/secrets.ts';

/** A part of one text of an entry. */
export interface SecretPlace {
  /** Dotted path of the text, such as `env.TOKEN` or `args[2]`. */
  readonly field: string;
  /** Keys and indices that lead to the text. */
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
  /** The text as written. */
  readonly text: string;
  /** Its meaning: the same, except for the encoding of a URL. */
  readonly value: string;
  /** Its name: that of the variable, header, option or parameter. */
  readonly name: string;
  /** Our settings accept only a variable here. */
  readonly isRequired: boolean;
  /** Stands for a value of the user's own, who is asked for it. */
  readonly isPlaceholder: boolean;
}

/**
 * One literal word of a command line. A text with a blank, a quote or another character that a shell or an interpreter
 * acts on may be a script, and no part of a script is ever hidden.
 */
const word = /^[^\s;|&$`<>(){}[\]"'\\]+$/u;

/** What documentation writes where a user's own value belongs: `<YOUR_API_KEY>`, `sk-...`, `xxxx`, `your-token-here`. */
const placeholder =
  /^(?:<[^<>]{1,80}>|\[[A-Z][A-Z_ -]*\]|(?:[\w-]*[-_])?x{3,}|[\w-]*(?:\.{3}|…)|(?:\w+[-_ ])?your[-_ ].{0,60}|(?:replace|change|insert)[-_ ]?me|todo)$/iu;

/** Values that are no secret under any name. */
const harmless = /^(?:|true|false|yes|no|on|off|null|none|\d{1,4})$/iu;

export function findSecrets(entry: JsonObject): readonly SecretPlace[] {
  return [
    ...named(entry, 'env'),
    ...named(entry, 'headers'),
    ...inArguments(entry),
    ...inUrl(entry),
    ...requiredIn(entry, 'oauth', 'clientSecret', 'client-secret'),
    ...requiredIn(entry, 'tls', 'passphrase', 'tls-passphrase'),
    ...inProxy(entry),
  ];
}

export function withoutSecrets(
  entry: JsonObject,
  places: readonly SecretPlace[],
  insteadOf: (place: SecretPlace) => string,
): JsonObject {
  const result = structuredClone(entry);
  for (const ofText of Map.groupBy(places, ({ field }) => field).values()) {
    const path = ofText[0]?.path ?? [];
    const key = path.at(-1) ?? '';
    const parent = path.slice(0, -1).reduce<unknown>(memberOf, result);
    const text = memberOf(parent, key);
    if (isContainer(parent) && isString(text)) {
      const parts: string[] = [];
      let end = 0;
      for (const place of ofText.toSorted((a, b) => a.start - b.start)) {
        parts.push(text.slice(end, place.start), insteadOf(place));
        ({ end } = place);
      }
      parent[key] = [...parts, text.slice(end)].join('');
    }
  }
  return result;
}

/** For an array, the item at an index. */
function memberOf(value: unknown, key: string): unknown {
  return isContainer(value) ? value[key] : undefined;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function named(entry: JsonObject, group: 'env' | 'headers'): readonly SecretPlace[] {
  const values = entry[group];
  return Object.entries(isObject(values) ? values : {}).flatMap(([name, text]) => {
    if (!isString(text)) {
      return [];
    }
    const at = { field: `${group}.${name}`, path: [group, name], name };
    return looksSecret(name) || placeholder.test(text.trim()) ? rest(text, at) : shaped(text, at);
  });
}

type Where = Pick<SecretPlace, 'field' | 'path' | 'name'> & { readonly isRequired?: boolean };

function placeAt(whole: string, start: number, end: number, at: Where): SecretPlace {
  const text = whole.slice(start, end);
  const isPlaceholder = placeholder.test(text.trim());
  return { isRequired: false, ...at, start, end, text, value: text, isPlaceholder };
}

/** All of a text from `from` on, without a scheme such as `Bearer` (RFC 9110 section 11.4). */
function rest(text: string, at: Where, from = 0): readonly SecretPlace[] {
  const all = text.slice(from);
  if (all.includes('${')) {
    return shaped(text, at);
  }
  const scheme = /^\s*(?:Bearer|Basic|Token|ApiKey|Bot)\s+/iu.exec(all)?.[0].length ?? 0;
  const place = placeAt(text, from + scheme, text.length, at);
  return harmless.test(place.value.trim()) ? [] : [place];
}

/** @param known places that were found already */
function shaped(
  text: string,
  at: Where,
  known: readonly SecretPlace[] = [],
): readonly SecretPlace[] {
  const isTaken = new Uint8Array(text.length);
  known.forEach(({ start, end }) => isTaken.fill(1, start, end));
  const found = [...known];
  for (const match of secretShapes.flatMap((shape) => [...text.matchAll(shape)])) {
    const [start, end] = match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
    if (!isTaken.subarray(start, end).includes(1)) {
      isTaken.fill(1, start, end);
      found.push(placeAt(text, start, end, at));
    }
  }
  return found;
}

/** `--token abc`, `--token=abc`, `TOKEN=abc`, and `Authorization: Bearer abc` after `--header`. */
function inArguments({ args }: JsonObject): readonly SecretPlace[] {
  const texts = Array.isArray(args) ? (args as readonly unknown[]) : [];
  return texts.flatMap((text, index) => {
    if (!isString(text)) {
      return [];
    }
    const at = { field: `args[${index}]`, path: ['args', String(index)] };
    const [start, name] = /^-{0,2}([A-Za-z_][\w.-]*)(?:=|:\s*)/u.exec(text) ?? [];
    if (start !== undefined && name !== undefined && looksSecret(name)) {
      return rest(text, { ...at, name }, start.length).filter(
        ({ value, isPlaceholder }) => isPlaceholder || word.test(value),
      );
    }
    const isPlaceholder = placeholder.test(text);
    if (!word.test(text) && !isPlaceholder) {
      return [];
    }
    const before = texts[index - 1];
    const isOption = isString(before) && /^--?[A-Za-z][\w.-]*$/u.test(before);
    if (isOption && !text.startsWith('-') && (looksSecret(before) || isPlaceholder)) {
      return rest(text, { ...at, name: before.replace(/^-+/u, '') });
    }
    if (isPlaceholder) {
      return rest(text, { ...at, name: `argument-${index + 1}` });
    }
    return shaped(text, { ...at, name: `argument-${index + 1}` });
  });
}

/** Parameters by name; what stands for a value of the user's own; the rest by shape. */
function inUrl({ url }: JsonObject): readonly SecretPlace[] {
  if (!isString(url)) {
    return [];
  }
  const at = { field: 'url', path: ['url'] };
  const parameters = [...url.matchAll(/[?&]([^?=&#]+)=([^&#]+)/dgu)].flatMap((match) => {
    const [start, end] = match.indices?.[2] ?? [0, 0];
    const [, name = '', value = ''] = match;
    const isSecret = looksSecret(name) && !value.includes('${') && !harmless.test(value);
    return isSecret ? [placeAt(url, start, end, { ...at, name })] : [];
  });
  const known = new Set(parameters.map(({ start }) => start));
  const placeholders = [...url.matchAll(/[^/?&=#]+/dgu)].flatMap((match) => {
    const [start, end] = match.indices?.[0] ?? [0, 0];
    const text = percentDecoded(match[0]);
    // A server may well be at /todo.
    const isOne = placeholder.test(text) && !/^todo$/iu.test(text) && !known.has(start);
    return isOne
      ? [{ ...placeAt(url, start, end, { ...at, name: text }), isPlaceholder: true }]
      : [];
  });
  return shaped(url, { ...at, name: 'url' }, [...parameters, ...placeholders]);
}

/** What our settings accept only as a variable. */
function requiredIn(
  entry: JsonObject,
  group: string,
  field: string,
  name: string,
): readonly SecretPlace[] {
  const values = entry[group];
  const secret = isObject(values) ? values[field] : undefined;
  const at = { field: `${group}.${field}`, path: [group, field], name, isRequired: true };
  return isString(secret) ? rest(secret, at) : [];
}

function inProxy({ proxy }: JsonObject): readonly SecretPlace[] {
  const text = isString(proxy) ? proxy : '';
  const [start, end] = /^https?:\/\/[^:@/]*:(.+)@/dsu.exec(text)?.indices?.[1] ?? [0, 0];
  const at = { field: 'proxy', path: ['proxy'], name: 'proxy-password', isRequired: true };
  const place = placeAt(text, start, end, at);
  return place.text === '' || place.text.includes('${')
    ? []
    : // A URL has it encoded; the value of a variable is the password itself.
      [{ ...place, value: percentDecoded(place.text) }];
}
