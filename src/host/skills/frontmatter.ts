/** The YAML frontmatter of a SKILL.md, and how it differs from what the entry says. Pure. */
import { t } from '../../base/l10n.ts';
import { parseDocument } from 'yaml';
import { isObject, type JsonObject, stableStringify } from '../../base/json.ts';

/** Characters; what people write has some hundred. */
const maxLength = 16 * 1024;

/** A field that is not the same; undefined where one side lacks it. */
export interface FieldDifference {
  readonly field: string;
  readonly entry: unknown;
  readonly file: unknown;
}

/** @returns the fields, or what is wrong: completes "Its SKILL.md …" */
export function readFrontmatter(text: string): JsonObject | string {
  const block = /^---[ \t]*\r?\n(?<yaml>[\s\S]*?)^---[ \t]*$/mu.exec(
    text.replace(/^\u{feff}/u, '').slice(0, maxLength),
  );
  if (block?.index !== 0) {
    return t('does not begin with frontmatter between two lines of ---');
  }
  // Duplicate keys are errors; tags that JSON does not have, such as dates, are warnings.
  const document = parseDocument(block.groups?.['yaml'] ?? '', {
    schema: 'core',
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    return t('has frontmatter that is not plain YAML: {0}', problem.message);
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return isObject(value) ? value : t('has frontmatter that is not a list of fields');
  } catch {
    return t('has frontmatter that repeats itself too often');
  }
}

/** Field by field, as JSON values without regard to order (SKL-36, SKL-37). Empty: both say the same. */
export function differencesOf(entry: JsonObject, file: JsonObject): readonly FieldDifference[] {
  const fields = new Set([...Object.keys(entry), ...Object.keys(file)]);
  return [...fields]
    .map((field) => ({ field, entry: entry[field], file: file[field] }))
    .filter(
      (both) =>
        Object.hasOwn(entry, both.field) !== Object.hasOwn(file, both.field) ||
        stableStringify([both.entry]) !== stableStringify([both.file]),
    );
}
