/**
 * The check of one item of a list. A required member that is missing costs the item; an optional
 * member of the wrong type (serializers write null for none) costs that member.
 */
import { type JsonObject, isObject, isString } from '../base/json.ts';
import type { Prompt, Resource, ResourceTemplate, Tool } from './types/lists.ts';

/** List → its items. */
export interface ListItems {
  readonly tools: Tool;
  readonly prompts: Prompt;
  readonly resources: Resource;
  readonly resourceTemplates: ResourceTemplate;
}

export type ListName = keyof ListItems;

type Check = (value: unknown) => boolean;

/** Maps, not objects: a server may name a member `__proto__`. */
interface Shape {
  readonly required: ReadonlyMap<string, Check>;
  readonly optional: ReadonlyMap<string, Check>;
}

const isText: Check = (value) => isString(value) && value !== '';
const isNumber: Check = (value) => typeof value === 'number';
const isArguments: Check = (value) =>
  Array.isArray(value) && value.every((argument) => isObject(argument) && isText(argument['name']));

const described: readonly (readonly [string, Check])[] = [
  ['title', isString],
  ['description', isString],
  ['annotations', isObject],
  ['icons', Array.isArray],
  ['_meta', isObject],
];

const shapes: Readonly<Record<ListName, Shape>> = {
  tools: {
    // Any object: servers leave out `"type": "object"`, or send no members at all (TOOL-18).
    required: new Map([
      ['name', isText],
      ['inputSchema', isObject],
    ]),
    optional: new Map([...described, ['outputSchema', isObject]]),
  },
  prompts: {
    required: new Map([['name', isText]]),
    optional: new Map(described),
  },
  resources: {
    required: new Map([
      ['uri', isText],
      ['name', isText],
    ]),
    optional: new Map([...described, ['mimeType', isString], ['size', isNumber]]),
  },
  resourceTemplates: {
    required: new Map([
      ['uriTemplate', isText],
      ['name', isText],
    ]),
    optional: new Map([...described, ['mimeType', isString]]),
  },
};

export type CheckedItem<T> =
  | { readonly kind: 'item'; readonly item: T }
  | { readonly kind: 'malformed'; readonly reason: string };

export function checkItem<L extends ListName>(list: L, value: unknown): CheckedItem<ListItems[L]> {
  const item = isObject(value) ? withoutMisfits(value, list) : value;
  return isItem(list, item)
    ? { kind: 'item', item }
    : { kind: 'malformed', reason: problemOf(list, item) ?? 'it is malformed' };
}

function isItem<L extends ListName>(list: L, value: unknown): value is ListItems[L] {
  return problemOf(list, value) === undefined;
}

function problemOf(list: ListName, value: unknown): string | undefined {
  if (!isObject(value)) {
    return 'it is not an object';
  }
  for (const [name, check] of shapes[list].required) {
    if (!check(value[name])) {
      return `its "${name}" ${value[name] === undefined ? 'is missing' : 'is malformed'}`;
    }
  }
  // A prompt without one of its arguments would be another prompt.
  const isPromptWithoutNames =
    list === 'prompts' && value['arguments'] !== undefined && !isArguments(value['arguments']);
  return isPromptWithoutNames ? 'its "arguments" are malformed' : undefined;
}

/** The object itself where nothing is wrong, which is the rule. */
function withoutMisfits(value: JsonObject, list: ListName): JsonObject {
  const { optional } = shapes[list];
  let result: Record<string, unknown> | undefined;
  for (const name in value) {
    const member = value[name];
    const isEmptyArguments = member === null && name === 'arguments';
    if (isEmptyArguments || optional.get(name)?.(member) === false) {
      result ??= { ...value };
      delete result[name];
    }
  }
  return result ?? value;
}
