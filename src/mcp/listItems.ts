/**
 * The check of one item of a list. A required member that is missing costs the item; an optional
 * member of the wrong type (serializers write null for none) costs that member.
 *
 * Written out member by member: for the first 10,000 items of a process this takes a fifth of the
 * time that tables of checks take.
 */
import { type JsonObject, isObject, isString } from '../base/json.ts';
import { readIcons } from './icons.ts';
import type { Prompt, Resource, ResourceTemplate, Tool } from './types/lists.ts';

/** List → its items. */
export interface ListItems {
  readonly tools: Tool;
  readonly prompts: Prompt;
  readonly resources: Resource;
  readonly resourceTemplates: ResourceTemplate;
}

export type ListName = keyof ListItems;

export type CheckedItem<T> =
  | { readonly kind: 'item'; readonly item: T }
  | { readonly kind: 'malformed'; readonly reason: string };

export function checkItem<L extends ListName>(list: L, value: unknown): CheckedItem<ListItems[L]> {
  const item = isObject(value) && !isTidy(value) ? tidied(value) : value;
  return isItem(list, item)
    ? { kind: 'item', item }
    : { kind: 'malformed', reason: problemOf(list, item) ?? 'it is malformed' };
}

function isItem<L extends ListName>(list: L, value: unknown): value is ListItems[L] {
  return problemOf(list, value) === undefined;
}

function problemOf(list: ListName, item: unknown): string | undefined {
  if (!isObject(item)) {
    return 'it is not an object';
  }
  const nameProblem = problemOfMember('name', item['name'], isText(item['name']));
  switch (list) {
    case 'tools': {
      // Any object: servers leave out `"type": "object"`, or send no members at all (TOOL-18).
      const schema = item['inputSchema'];
      return nameProblem ?? problemOfMember('inputSchema', schema, isObject(schema));
    }
    case 'prompts': {
      // A prompt without one of its arguments would be another prompt.
      const args = item['arguments'];
      return nameProblem ?? problemOfMember('arguments', args, isArguments(args));
    }
    case 'resources':
      return problemOfMember('uri', item['uri'], isText(item['uri'])) ?? nameProblem;
    case 'resourceTemplates': {
      const template = item['uriTemplate'];
      return problemOfMember('uriTemplate', template, isText(template)) ?? nameProblem;
    }
  }
}

function problemOfMember(member: string, value: unknown, isFine: boolean): string | undefined {
  if (isFine) {
    return undefined;
  }
  return `its "${member}" ${value === undefined ? 'is missing' : 'is malformed'}`;
}

/** The optional members of all lists; none means something else in another. Icons are always looked at. */
function isTidy(item: JsonObject): boolean {
  return (
    isTextOrAbsent(item['title']) &&
    isTextOrAbsent(item['description']) &&
    isObjectOrAbsent(item['annotations']) &&
    isObjectOrAbsent(item['_meta']) &&
    isObjectOrAbsent(item['outputSchema']) &&
    isTextOrAbsent(item['mimeType']) &&
    item['icons'] === undefined &&
    (item['size'] === undefined || typeof item['size'] === 'number') &&
    item['arguments'] !== null
  );
}

/** The item without the members that keep it from being tidy, and with the icons that may be shown. */
function tidied(item: JsonObject): JsonObject {
  const icons = readIcons(item['icons']);
  const untidy = Object.entries(item).filter(([member, value]) => !isTidy({ [member]: value }));
  // A copy of the whole, since some members are no entries (types/argumentHeaders.ts).
  const rest: Record<string, unknown> = { ...item };
  for (const [member] of untidy) {
    delete rest[member];
  }
  return { ...rest, ...(icons && { icons }) };
}

function isText(value: unknown): boolean {
  return isString(value) && value !== '';
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isString(value);
}

function isObjectOrAbsent(value: unknown): boolean {
  return value === undefined || isObject(value);
}

function isArguments(value: unknown): boolean {
  return (
    value === undefined ||
    (Array.isArray(value) &&
      value.every((argument) => isObject(argument) && isText(argument['name'])))
  );
}
