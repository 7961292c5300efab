/**
 * Adds entries to the text of a settings.json and leaves every other character as it is: comments inside
 * our settings, too, which the editor drops when a setting is written as a whole.
 */
import { applyEdits, type FormattingOptions, modify, parse, type ParseError } from 'jsonc-parser';
import { isObject, type JsonObject, stableStringify } from '../../base/json.ts';
import type { ImportedInput } from './importedServer.ts';

/** What is added. Names and ids are not there yet. */
export interface NewEntries {
  readonly servers: Readonly<Record<string, JsonObject>>;
  readonly inputs: readonly ImportedInput[];
}

/** The two settings, as the editor says that they are. */
export interface CurrentSettings {
  readonly servers: unknown;
  readonly inputs: unknown;
}

const keys = { servers: 'mcpHost.servers', inputs: 'mcpHost.inputs' } as const;

/**
 * @param prefix where in the file the settings begin: nothing, or `settings` of a workspace file
 * @returns undefined when the text is not where the editor has these settings from, or is no JSON
 */
export function addToSettings(
  text: string,
  prefix: readonly string[],
  current: CurrentSettings,
  entries: NewEntries,
): string | undefined {
  const errors: ParseError[] = [];
  let settings: unknown = parse(text, errors, { allowTrailingComma: true });
  for (const key of prefix) {
    settings = isObject(settings) ? settings[key] : undefined;
  }
  if (errors.length > 0 || !isObject(settings) || !isSame(settings, current)) {
    return undefined;
  }
  const options = { formattingOptions: formattingOf(text) };
  let result = text;
  const inputs = settings[keys.inputs];
  if (Array.isArray(inputs)) {
    for (const input of entries.inputs) {
      const edits = modify(result, [...prefix, keys.inputs, -1], input, {
        ...options,
        isArrayInsertion: true,
      });
      result = applyEdits(result, edits);
    }
  } else if (entries.inputs.length > 0) {
    const edits = modify(result, [...prefix, keys.inputs], entries.inputs, options);
    result = applyEdits(result, edits);
  }
  for (const [name, entry] of Object.entries(entries.servers)) {
    const edits = modify(result, [...prefix, keys.servers, name], entry, options);
    result = applyEdits(result, edits);
  }
  return result;
}

/** Another profile has another file; and where neither has anything, no comment can be lost. */
function isSame(settings: JsonObject, current: CurrentSettings): boolean {
  const { servers, inputs } = current;
  return (
    (servers !== undefined || inputs !== undefined) &&
    stableStringify([settings[keys.servers], settings[keys.inputs]]) ===
      stableStringify([servers, inputs])
  );
}

function formattingOf(text: string): FormattingOptions {
  const [, indent = '  '] = /^([ \t]+)\S/mu.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 4 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
