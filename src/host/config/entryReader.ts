/**
 * Reads one entry of a setting field by field. A field of the wrong type makes the entry unusable; an unknown field
 * does not. Both are reported, with what would be right.
 */
import { t } from '../../base/l10n.ts';
import { isObject, isString, type JsonObject } from '../../base/json.ts';

/** What is said of fields that others know, or that stand elsewhere. */
export type Hints = ReadonlyMap<string, () => string>;

/** What a text in the settings must look like beyond its type. */
export interface TextRule {
  readonly pattern: RegExp;
  /** What is said of another text. */
  readonly must: () => string;
}

export const nonEmpty: TextRule = {
  pattern: /\S/u,
  must: () => t('must be a text that is not empty'),
};

/** A text of exactly one variable, whose value is in no settings file: they are synchronized, shared and committed. */
export const secretVariable: TextRule = {
  pattern: /^\$\{(?:input|env):[^{}]+\}$/u,
  must: () => plainSecret('"${input:…}"'),
};

/** @param example what to write instead */
export function plainSecret(example: string): string {
  return t(
    'must not hold a secret in plain text: write {0} here and define that input in `mcpHost.inputs` with "password": true, or use "${env:…}"',
    example,
  );
}

/** @param isFatal the entry cannot be used */
type Report = (field: string | undefined, message: string, isFatal: boolean) => void;

export class EntryReader {
  readonly #raw: JsonObject;
  readonly #report: Report;
  /** The fields that were looked at. */
  readonly #known = new Set<string>();
  #isUsable = true;

  constructor(raw: JsonObject, report: Report) {
    this.#raw = raw;
    this.#report = report;
  }

  /**
   * Reads an object inside of the entry field by field.
   * @param what completes "must be …"
   * @param how.mistakes what a mistake in the object means for the entry. Absent: the same as in the entry itself
   * @param how.elsewhere hints for fields that others know
   * @returns undefined where there is no such object
   */
  section<T>(
    field: string,
    what: string,
    read: (inner: EntryReader) => T,
    how: {
      readonly mistakes?: 'harmless' | 'fatal';
      readonly elsewhere?: Hints;
    } = {},
  ): T | undefined {
    const raw = this.raw(field);
    const { mistakes, elsewhere } = how;
    const report = (path: string, message: string, isFatal: boolean): void =>
      (mistakes === undefined ? isFatal : mistakes === 'fatal')
        ? this.fail(path, message)
        : this.warn(path, message);
    if (raw === undefined) {
      return undefined;
    }
    if (!isObject(raw)) {
      report(field, t('must be {0}, not {1}', what, typeName(raw)), true);
      return undefined;
    }
    const inner = new EntryReader(raw, (at, message, isFatal) =>
      report(at === undefined ? field : `${field}.${at}`, message, isFatal),
    );
    const value = read(inner);
    inner.warnOfOthers(elsewhere);
    return value;
  }

  /** Reports a field that is not there. */
  require(field: string): void {
    if (!this.has(field)) {
      this.fail(field, t('is missing'));
    }
  }

  /** False once a problem was found that makes the entry unusable. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  has(field: string): boolean {
    this.#known.add(field);
    return Object.hasOwn(this.#raw, field) && this.#raw[field] !== undefined;
  }

  /** The value as the settings have it. */
  raw(field: string): unknown {
    return this.has(field) ? this.#raw[field] : undefined;
  }

  /** Reports a problem that makes the entry unusable. */
  fail(field: string | undefined, message: string): void {
    this.#isUsable = false;
    this.#report(field, message, true);
  }

  /** Reports a problem that leaves the entry usable. */
  warn(field: string | undefined, message: string): void {
    this.#report(field, message, false);
  }

  text(field: string, rule?: TextRule): string | undefined {
    const value = this.raw(field);
    return value === undefined ? undefined : this.textAt(field, value, rule);
  }

  /** Checks a value that was found somewhere inside the entry. */
  textAt(path: string, value: unknown, rule?: TextRule): string | undefined {
    if (!isString(value)) {
      this.fail(
        path,
        ['number', 'boolean'].includes(typeof value)
          ? t('must be a text (write "{0}"), not {1}', String(value), typeName(value))
          : t('must be a text, not {0}', typeName(value)),
      );
      return undefined;
    }
    if (rule !== undefined && !rule.pattern.test(value)) {
      this.fail(path, rule.must());
      return undefined;
    }
    return value;
  }

  boolean(field: string): boolean | undefined {
    const value = this.raw(field);
    if (value === undefined || typeof value === 'boolean') {
      return value;
    }
    this.fail(field, t('must be true or false, not {0}', typeName(value)));
    return undefined;
  }

  /** One of `allowed`; `synonyms` maps words of other programs to ours, for the message. */
  oneOf<T extends string>(
    field: string,
    allowed: readonly T[],
    synonyms: ReadonlyMap<string, T> = new Map(),
  ): T | undefined {
    const value = this.raw(field);
    if (value === undefined) {
      return undefined;
    }
    const found = allowed.find((word) => word === value);
    if (found === undefined) {
      const meant = isString(value) ? (synonyms.get(value) ?? nearest(value, allowed)) : undefined;
      this.fail(field, t('must be {0}', orList(allowed)) + didYouMean(meant, JSON.stringify));
    }
    return found;
  }

  texts(field: string): readonly string[] | undefined {
    const value = this.raw(field);
    if (value === undefined) {
      return undefined;
    }
    if (!Array.isArray(value)) {
      const hint = isString(value) ? t(': write {0}', JSON.stringify([value])) : '';
      this.fail(field, t('must be a list of texts, not {0}', typeName(value)) + hint);
      return undefined;
    }
    return value
      .map((item: unknown, index) => this.textAt(`${field}[${index}]`, item))
      .filter((item) => item !== undefined);
  }

  object(field: string): JsonObject | undefined {
    const value = this.raw(field);
    if (value === undefined || isObject(value)) {
      return value;
    }
    this.fail(field, t('must be an object, not {0}', typeName(value)));
    return undefined;
  }

  /** Reports fields that nobody has read; call it last. `elsewhere` has hints for those that others know. */
  warnOfOthers(elsewhere: Hints = new Map()): void {
    for (const field of Object.keys(this.#raw).filter((one) => !this.#known.has(one))) {
      const hint =
        t('is not a known field and has no effect') + didYouMean(nearest(field, this.#known));
      this.warn(field, elsewhere.get(field)?.() ?? hint);
    }
  }
}

/** Every value of an entry with its dotted path, so that no field is left out. */
export function leavesOf(
  value: unknown,
  at = '',
): readonly { readonly field: string; readonly value: unknown }[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => leavesOf(item, itemField(at, value, index)));
  }
  return isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) =>
        leavesOf(inner, at === '' ? name : `${at}.${name}`),
      )
    : [{ field: at, value }];
}

/** The path of an item of a list. A single authority may stand in the settings without a list around it. */
export function itemField(list: string, { length }: readonly unknown[], index: number): string {
  return list === 'tls.ca' && length === 1 ? list : `${list}[${index}]`;
}

/** `; did you mean …?`, or nothing. */
export function didYouMean(
  word: string | undefined,
  show: (word: string) => string = (text) => `\`${text}\``,
): string {
  return word === undefined ? '' : t('; did you mean {0}?', show(word));
}

/** A hint for a field that has another name here. */
export function renamed(field: string): () => string {
  return () => t('has no effect') + didYouMean(field);
}

/** What a value is, with its article. */
export function typeName(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return t('a list');
  }
  const names: Readonly<Record<string, string>> = {
    string: t('a text'),
    object: t('an object'),
    number: t('a number'),
  };
  return names[typeof value] ?? t('a boolean');
}

function orList(words: readonly string[]): string {
  const quoted = words.map((word) => JSON.stringify(word));
  return quoted.length < 2
    ? quoted.join('')
    : t('{0} or {1}', quoted.slice(0, -1).join(', '), quoted.at(-1) ?? '');
}

/** @returns the nearest of `known`, or undefined when none is near enough */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  // Up to three changes in a long word, fewer in a short one: more would suggest unrelated words.
  const most = Math.min(3, Math.ceil(word.length / 3));
  const near = [...known]
    .filter((one) => Math.abs(one.length - word.length) <= most)
    .map((one) => ({ one, distance: distanceOf(wanted, one.toLowerCase()) }))
    .filter(({ distance }) => distance <= most);
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.one;
}

/** Letters in another order are one change: `ulr` is nearest to `url`. */
function distanceOf(a: string, b: string): number {
  return a !== b && inOrder(a) === inOrder(b) ? 1 : editDistance(a, b);
}

function inOrder(word: string): string {
  return Array.from(word).toSorted().join('');
}

/** Insertions, deletions and replacements (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const letter of a) {
    const next = [(row[0] ?? 0) + 1];
    for (const [index, other] of Array.from(b).entries()) {
      const [left = 0, above = 0, before = 0] = [next[index], row[index + 1], row[index]];
      next.push(Math.min(left + 1, above + 1, before + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
