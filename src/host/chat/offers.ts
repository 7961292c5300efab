/**
 * What servers offer, for a model outside of `@mcp`, which has no list of it: a search by words, or an overview. Pure;
 * the answer is JSON that fits a given room.
 */
import { withoutUndefined } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import type { ListItems } from '../../mcp/listItems.ts';
import type { Prompt, Resource } from '../../mcp/types/lists.ts';
import { displayLabel } from '../catalog/labels.ts';
import type { AgentServer } from './agentServer.ts';
import { search, type SearchTexts, toolTexts } from './findTools.ts';
import type { OfferedTool, ToolRegistry } from './modelTools.ts';

const maxTools = 12;
const maxOthers = 6;
/** Characters. A description only says what something is for; callers get the schema. */
const maxDescription = 600;

/** Servers by the name by which a model addresses each: its own, or the id where two share it. */
export type ServerNames = ReadonlyMap<string, AgentServer>;

export function serverNames(servers: readonly AgentServer[]): ServerNames {
  const isAlone = ({ config }: AgentServer): boolean =>
    servers.filter((other) => other.config.name === config.name).length === 1;
  return new Map(
    servers.map((server) => [isAlone(server) ? server.config.name : server.id, server]),
  );
}

/** Servers with the count of what each offers. */
export function overview(names: ServerNames, registry: ToolRegistry): string {
  const tools = [...registry.offered.values()];
  const servers = [...names].map(([name, server]) => ({
    server: name,
    tools: tools.filter((one) => one.server === server).length,
    prompts: server.catalog.items('prompts').length,
    resources: server.catalog.items('resources').length,
  }));
  return JSON.stringify({ servers, hint: 'Search with "query", or "server" for all of one.' });
}

/**
 * The best matches for the words; everything of the servers without words.
 * @param maxChars of the answer; its first tool alone may exceed it
 * @returns undefined when nothing matches
 */
export function findOffers(
  names: ServerNames,
  registry: ToolRegistry,
  query: string,
  maxChars: number,
): string | undefined {
  const tools = [...names].flatMap(([name, server]) =>
    [...registry.offered.values()]
      .filter((one) => one.server === server)
      .map((one) => ({ name, ...one })),
  );
  const found = best(tools, query, toolTexts).slice(0, maxTools);
  const prompts = others('prompts', names, query, describePrompt);
  const resources = others('resources', names, query, describeResource);
  if (found.length + prompts.length + resources.length === 0) {
    return undefined;
  }
  const more = {
    ...(prompts.length > 0 && { prompts }),
    ...(resources.length > 0 && { resources }),
  };
  const room = maxChars - JSON.stringify(more).length;
  return JSON.stringify({ tools: describeTools(found, room), ...more });
}

function others<L extends 'prompts' | 'resources'>(
  kind: L,
  names: ServerNames,
  query: string,
  describe: (item: ListItems[L]) => object,
): readonly object[] {
  const items = [...names].flatMap(([name, { catalog, config }]) =>
    catalog.items(kind).map((item) => ({ name, item, server: config.name })),
  );
  const found = best(items, query, ({ item, server }) => ({
    name: `${item.name} ${displayLabel(item)}`,
    server,
    rest: `${item.description ?? ''} ${'uri' in item ? item.uri : ''}`,
  }));
  return found.slice(0, maxOthers).map(({ name, item }) => ({ server: name, ...describe(item) }));
}

function best<T>(
  items: readonly T[],
  query: string,
  texts: (item: T) => SearchTexts,
): readonly T[] {
  return query.trim() === '' ? items : search(items, query, texts);
}

/** Schemas are included while there is room: a tool without its schema can be searched for again, alone. */
function describeTools(
  tools: readonly (OfferedTool & { readonly name: string })[],
  maxChars: number,
): readonly object[] {
  let room = maxChars;
  return tools.map(({ name, tool, forModel }, index) => {
    const description = cut(tool.description ?? tool.title ?? '');
    const whole = { server: name, tool: tool.name, description, inputSchema: forModel.inputSchema };
    const isRoom = index === 0 || JSON.stringify(whole).length <= room;
    const told = isRoom
      ? whole
      : { ...whole, inputSchema: 'left out for want of room: search for this tool alone' };
    room -= JSON.stringify(told).length;
    return told;
  });
}

function describePrompt({ name, title, description, arguments: args = [] }: Prompt): object {
  return {
    prompt: name,
    description: cut(description ?? title ?? ''),
    arguments: args.map((one) =>
      withoutUndefined({
        name: one.name,
        description: cut(one.description),
        required: one.required === true,
      }),
    ),
  };
}

function describeResource({ uri, name, title, description, mimeType }: Resource): object {
  return withoutUndefined({ uri, name: title ?? name, description: cut(description), mimeType });
}

function cut<T extends string | undefined>(text: T): string | T {
  return text === undefined ? text : truncated(text, maxDescription);
}
