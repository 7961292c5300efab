/**
 * Adds entries to the text of a settings.json and leaves every other character unchanged, even comments inside our
 * settings, which the editor drops when it writes a setting.
 */
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  type Node,
  parse,
  type ParseError,
  parseTree,
  stripComments,
} from 'jsonc-parser';
import { isObject, type JsonObject, stableStringify } from '../../base/json.ts';
import type { ImportedInput } from './importedServer.ts';

/** The entries to add. One of a name that is used replaces that entry; ids of inputs are not used yet. */
export interface NewEntries {
  readonly servers: Readonly<Record<string, JsonObject>>;
  readonly inputs: readonly ImportedInput[];
}

/** The two settings, as the editor reports them. */
export interface CurrentSettings {
  readonly servers: unknown;
  readonly inputs: unknown;
}

const keys = { servers: 'mcpHost.servers', inputs: 'mcpHost.inputs' } as const;

/**
 * @param prefix the path of the settings in the file: nothing, or `settings` of a workspace file
 * @returns undefined when the editor's settings do not come from this text, or it is no JSON
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
  let result = text;
  for (const input of entries.inputs) {
    result = added(result, [...prefix, keys.inputs], undefined, input);
  }
  for (const [name, entry] of Object.entries(entries.servers)) {
    result = added(result, [...prefix, keys.servers], name, entry);
  }
  return result;
}

/** @param name of a member of an object; absent: appends the value to a list */
function added(
  text: string,
  path: readonly string[],
  name: string | undefined,
  value: JsonObject,
): string {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const parent = tree && findNodeAtLocation(tree, [...path]);
  const last = parent?.children?.at(-1);
  const isNew = name === undefined || (parent && findNodeAtLocation(parent, [name])) === undefined;
  if (parent !== undefined && last !== undefined && isNew) {
    return atEnd(text, parent, last, name, value);
  }
  const options = { formattingOptions: formattingOf(text), isArrayInsertion: name === undefined };
  if (parent !== undefined) {
    return applyEdits(text, modify(text, [...path, name ?? -1], value, options));
  }
  const whole = name === undefined ? [value] : Object.fromEntries([[name, value]]);
  return applyEdits(text, modify(text, [...path], whole, options));
}

/**
 * After all comments in it. `modify` would insert the new member before a comment behind the last one, which would then
 * seem to describe it, and would reformat the old member.
 */
function atEnd(
  text: string,
  parent: Node,
  last: Node,
  name: string | undefined,
  value: JsonObject,
): string {
  const { insertSpaces, tabSize, eol } = formattingOf(text);
  const unit = insertSpaces ? ' '.repeat(tabSize) : '\t';
  const end = last.offset + last.length;
  const close = parent.offset + parent.length - 1;
  const between = text.slice(end, close).trimEnd();
  const comma = stripComments(between).includes(',') ? '' : ',';
  const lineStart = text.lastIndexOf('\n', last.offset) + 1;
  const [blanks = ''] = /^[ \t]*/u.exec(text.slice(lineStart)) ?? [];
  const isFirstOfLine = lineStart + blanks.length === last.offset;
  const indent = isFirstOfLine ? blanks : blanks + unit;
  const key = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const json = JSON.stringify(value, undefined, unit).replaceAll('\n', `${eol}${indent}`);
  const member = `${comma}${between}${eol}${indent}${key}${json}${eol}`;
  return text.slice(0, end) + member + indent.slice(unit.length) + text.slice(close);
}

interface Layout {
  readonly insertSpaces: boolean;
  readonly tabSize: number;
  readonly eol: string;
}

/** Another profile has another file; and where both are empty, no comment can be lost. */
function isSame(settings: JsonObject, current: CurrentSettings): boolean {
  const { servers, inputs } = current;
  return (
    (servers !== undefined || inputs !== undefined) &&
    stableStringify([settings[keys.servers], settings[keys.inputs]]) ===
      stableStringify([servers, inputs])
  );
}

function formattingOf(text: string): Layout {
  const [, indent = '  '] = /^([ \t]+)\S/mu.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 4 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
