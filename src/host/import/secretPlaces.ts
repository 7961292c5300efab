/**
 * Finds texts in an imported entry that may be secrets, by their field's name and by their shape, and replaces those
 * that the user confirms by variables. A guess, for the user to judge: a description of the entry shows the original
 * text.
 */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { percentDecoded } from '../../base/percentEncoding.ts';
import { looksSecret, secretShapes } from '../launch/secrets.ts';

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
}

/**
 * One literal word of a command line. A text with a blank, a quote or another character that a shell or an interpreter
 * acts on may be a script, and no part of a script is ever hidden.
 */
const word = /^[^\s;|&$`<>(){}[\]"'\\]+$/u;

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

/** @param insteadOf the replacement of a place; undefined leaves it unchanged */
export function withoutSecrets(
  entry: JsonObject,
  places: readonly SecretPlace[],
  insteadOf: (place: SecretPlace) => string | undefined,
): JsonObject {
  const result = structuredClone(entry);
  const byField = Map.groupBy(places, ({ field }) => field);
  for (const ofText of byField.values()) {
    const path = ofText[0]?.path ?? [];
    const key = path.at(-1) ?? '';
    const parent = path.slice(0, -1).reduce<unknown>(memberOf, result);
    const text = memberOf(parent, key);
    if (isContainer(parent) && isString(text)) {
      parent[key] = replacedIn(text, ofText, insteadOf);
    }
  }
  return result;
}

function replacedIn(
  text: string,
  places: readonly SecretPlace[],
  insteadOf: (place: SecretPlace) => string | undefined,
): string {
  const parts: string[] = [];
  let end = 0;
  for (const place of places.toSorted((a, b) => a.start - b.start)) {
    const instead = insteadOf(place) ?? text.slice(place.start, place.end);
    parts.push(text.slice(end, place.start), instead);
    end = place.end;
  }
  return [...parts, text.slice(end)].join('');
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
    return looksSecret(name) ? whole(text, at) : shaped(text, at);
  });
}

interface Where {
  readonly field: string;
  readonly path: readonly string[];
  readonly name: string;
}

/** All of a text from `from` on, without a scheme such as `Bearer` (RFC 9110 section 11.4). */
function whole(text: string, at: Where, from = 0, isRequired = false): readonly SecretPlace[] {
  const rest = text.slice(from);
  if (rest.includes('${')) {
    return shaped(text, at);
  }
  const scheme = /^\s*(?:Bearer|Basic|Token|ApiKey|Bot)\s+/iu.exec(rest)?.[0].length ?? 0;
  const value = rest.slice(scheme);
  return harmless.test(value.trim())
    ? []
    : [{ ...at, start: from + scheme, end: text.length, text: value, value, isRequired }];
}

/** @param isTaken for each character, whether it is part of another place */
function shaped(
  text: string,
  at: Where,
  isTaken = new Uint8Array(text.length),
): readonly SecretPlace[] {
  const found: SecretPlace[] = [];
  for (const shape of secretShapes) {
    for (const match of text.matchAll(shape)) {
      const [start, end] = match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
      if (!isTaken.subarray(start, end).includes(1)) {
        isTaken.fill(1, start, end);
        const value = text.slice(start, end);
        found.push({ ...at, start, end, text: value, value, isRequired: false });
      }
    }
  }
  return found;
}

/** `--token abc`, `--token=abc`, `TOKEN=abc`, and `Authorization: Bearer abc` after `--header`. */
function inArguments(entry: JsonObject): readonly SecretPlace[] {
  const { args } = entry;
  const texts = Array.isArray(args) ? (args as readonly unknown[]) : [];
  return texts.flatMap((text, index) => {
    if (!isString(text)) {
      return [];
    }
    const at = { field: `args[${index}]`, path: ['args', String(index)] };
    const [, start = '', name] = /^((?:-{0,2}([A-Za-z_][\w.-]*)(?:=|:\s*)))/u.exec(text) ?? [];
    if (name !== undefined && looksSecret(name)) {
      return whole(text, { ...at, name }, start.length).filter(({ value }) => word.test(value));
    }
    if (!word.test(text)) {
      return [];
    }
    const before = texts[index - 1];
    const isOption = isString(before) && /^--?[A-Za-z][\w.-]*$/u.test(before);
    if (isOption && !text.startsWith('-') && looksSecret(before)) {
      return whole(text, { ...at, name: before.replace(/^-+/u, '') });
    }
    return shaped(text, { ...at, name: `argument-${index + 1}` });
  });
}

/** Parameters by name; the rest by shape. */
function inUrl(entry: JsonObject): readonly SecretPlace[] {
  const { url } = entry;
  if (!isString(url)) {
    return [];
  }
  const at = { field: 'url', path: ['url'] };
  const found: SecretPlace[] = [];
  const isTaken = new Uint8Array(url.length);
  for (const match of url.matchAll(/[?&]([^?=&#]+)=([^&#]+)/dgu)) {
    const [start, end] = match.indices?.[2] ?? [0, 0];
    const [, name = '', value = ''] = match;
    if (looksSecret(name) && !value.includes('${') && !harmless.test(value)) {
      found.push({ ...at, name, start, end, text: value, value, isRequired: false });
      isTaken.fill(1, start, end);
    }
  }
  return [...found, ...shaped(url, { ...at, name: 'url' }, isTaken)];
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
  const at = { field: `${group}.${field}`, path: [group, field], name };
  return isString(secret) ? whole(secret, at, 0, true) : [];
}

function inProxy({ proxy }: JsonObject): readonly SecretPlace[] {
  const match = isString(proxy) ? /^https?:\/\/[^:@/]*:(.+)@/dsu.exec(proxy) : null;
  const [start, end] = match?.indices?.[1] ?? [0, 0];
  const value = match?.[1] ?? '';
  return value === '' || value.includes('${')
    ? []
    : [
        {
          field: 'proxy',
          path: ['proxy'],
          name: 'proxy-password',
          start,
          end,
          text: value,
          // A URL has it encoded; the value of a variable is the password itself.
          value: percentDecoded(value),
          isRequired: true,
        },
      ];
}
