/**
 * Checks one item of a list. If a required member is missing, the item is dropped. If an optional member
 * has the wrong type (serializers write null for none), only that member is dropped.
 */
import { isObject, isString, type JsonObject } from '../base/json.ts';
import { readIcons } from './iconSources.ts';
import { extensionOf, skillsExtension } from './extensions.ts';
import { readSkill } from './skillEntries.ts';
import type { Prompt, Resource, ResourceTemplate, Tool } from './types/lists.ts';
import type { Method, ServerCapabilities } from './types/methods.ts';
import type { Skill } from './types/skills.ts';

/** Limit of characters in a name, a URI or a URI template: far more than any in use, and still fast to process. */
export const maxNameChars = 2_048;
export const maxUriChars = 16_384;

/** List → its items. */
export interface ListItems {
  readonly tools: Tool;
  readonly prompts: Prompt;
  readonly resources: Resource;
  readonly resourceTemplates: ResourceTemplate;
  readonly skills: Skill;
}

export type ListName = keyof ListItems;
/** The lists of the base protocol. */
export type BaseListName = Exclude<ListName, 'skills'>;

export const listMethods = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  skills: 'skills/list',
} as const satisfies Readonly<Record<ListName, Method>>;

export type CheckedItem<T> =
  | { readonly kind: 'item'; readonly item: T }
  | { readonly kind: 'malformed'; readonly reason: string };

export function checkItem<L extends ListName>(list: L, value: unknown): CheckedItem<ListItems[L]> {
  const skill = list === 'skills' ? readSkill(value) : undefined;
  if (isString(skill)) {
    return { kind: 'malformed', reason: skill };
  }
  const item = skill ?? (isObject(value) ? tidied(value) : value);
  return isItem(list, item)
    ? { kind: 'item', item }
    : { kind: 'malformed', reason: problemOf(list, item) };
}

function isItem<L extends ListName>(list: L, item: unknown): item is ListItems[L] {
  return isObject(item) && malformedMember(list, item) === undefined;
}

/** The first required member that is malformed. */
function malformedMember(list: ListName, item: JsonObject): string | undefined {
  if (list === 'resources' && !isText(item['uri'], maxUriChars)) {
    return 'uri';
  }
  if (list === 'resourceTemplates' && !isText(item['uriTemplate'], maxUriChars)) {
    return 'uriTemplate';
  }
  if (!isText(item['name'], maxNameChars)) {
    return 'name';
  }
  // Accepts any object: servers leave out `"type": "object"`, or send no members at all (TOOL-18).
  if (list === 'tools' && !isObject(item['inputSchema'])) {
    return 'inputSchema';
  }
  // A prompt without one of its arguments would be another prompt.
  return list === 'prompts' && !isArguments(item['arguments']) ? 'arguments' : undefined;
}

/** The members that have a limit. */
const limits: ReadonlyMap<string, number> = new Map([
  ['name', maxNameChars],
  ['uri', maxUriChars],
  ['uriTemplate', maxUriChars],
]);

function problemOf(list: ListName, item: unknown): string {
  if (!isObject(item)) {
    return 'it is not an object';
  }
  const member = malformedMember(list, item) ?? '';
  const value = item[member];
  const limit = limits.get(member);
  if (limit !== undefined && isString(value) && value.length > limit) {
    return `its "${member}" is longer than ${limit} characters`;
  }
  return `its "${member}" ${value === undefined ? 'is missing' : 'is malformed'}`;
}

/**
 * Whether all members that may be absent are valid; icons are always looked at. No member has two meanings in different
 * lists. Written out: most lists are read before the code is compiled, and a table of checks takes several times as long.
 */
function isTidy({
  title,
  description,
  annotations,
  _meta: meta,
  outputSchema,
  mimeType,
  icons,
  size,
  arguments: args,
}: JsonObject): boolean {
  return (
    (title === undefined || typeof title === 'string') &&
    (description === undefined || typeof description === 'string') &&
    (annotations === undefined || isObject(annotations)) &&
    (meta === undefined || isObject(meta)) &&
    (outputSchema === undefined || isObject(outputSchema)) &&
    isTextOrAbsent(mimeType) &&
    icons === undefined &&
    (size === undefined || typeof size === 'number') &&
    args !== null
  );
}

/** The item without its malformed optional members, and with the icons that may be shown. */
function tidied(item: JsonObject): JsonObject {
  if (isTidy(item)) {
    return item;
  }
  const icons = readIcons(item['icons']);
  // A copy of the whole object, because some members are not enumerated by Object.entries (types/lists.ts).
  const rest: Record<string, unknown> = { ...item };
  for (const member of Object.keys(item)) {
    if (!isTidy({ [member]: item[member] })) {
      delete rest[member];
    }
  }
  return { ...rest, ...(icons && { icons }) };
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isString(value);
}

function isText(value: unknown, maxChars: number): boolean {
  return isString(value) && value !== '' && value.length <= maxChars;
}

function isArguments(value: unknown): boolean {
  return (
    value === undefined ||
    (Array.isArray(value) &&
      value.every((argument) => isObject(argument) && isText(argument['name'], maxNameChars)))
  );
}

/** The capabilities that declare lists. Notifications about changes of a list use the same name. */
export const listCapabilities = ['tools', 'prompts', 'resources'] as const;

export type ListCapability = (typeof listCapabilities)[number];

/** Skills are an extension, and no notification tells of changes of their list. */
export function capabilityOf(list: BaseListName): ListCapability {
  return list === 'resourceTemplates' ? 'resources' : list;
}

/** Whether the server has declared the list (CAP-01, SKL-01). */
export function offersList(capabilities: ServerCapabilities, list: ListName): boolean {
  return list === 'skills'
    ? extensionOf(capabilities, skillsExtension) !== undefined
    : capabilities[capabilityOf(list)] !== undefined;
}
