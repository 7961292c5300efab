/** What a file of settings says: JSON with comments, as the editor takes it. */
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { isObject } from '../../base/json.ts';

export type SettingsText =
  | {
      /** Of a setting by its whole name. */
      readonly valueOf: (setting: string) => unknown;
    }
  | {
      /** Completes a sentence that begins with the file. */
      readonly problem: string;
    };

/** @param text of settings.json, or of a workspace's own file, which has its settings in a member */
export function readSettingsText(text: string): SettingsText {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch {
    return { problem: 'is nested too deeply' }; // the parser calls itself for each level
  }
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    const what = printParseErrorCode(first.error)
      .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
      .toLowerCase();
    return { problem: `is no JSON: line ${line}: ${what}` };
  }
  const settings = isObject(value) && isObject(value['settings']) ? value['settings'] : value;
  return { valueOf: (setting) => (isObject(settings) ? settings[setting] : undefined) };
}
