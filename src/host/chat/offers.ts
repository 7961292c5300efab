/**
 * What servers offer, for a model outside of `@mcp`, which has no list of it: a search by words, or an overview. Pure;
 * the answer is JSON that fits a given room.
 */
import { truncated } from '../../base/text.ts';
import type { ListItems, ListName } from '../../mcp/listItems.ts';
import type { Prompt, Resource } from '../../mcp/types/lists.ts';
import { displayLabel } from '../catalog/labels.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { AgentServer } from './agentServer.ts';
import { search, toolTexts } from './findTools.ts';
import type { OfferedTool, ToolRegistry } from './modelTools.ts';

/** A server with all of its lists. */
export interface OfferingServer extends AgentServer {
  readonly catalog: AgentServer['catalog'] & {
    items<L extends ListName>(kind: L): readonly ListItems[L][];
  };
}

const maxTools = 12;
const maxOthers = 6;
/** Characters. A description only says what something is for; callers get the schema. */
const maxDescription = 600;

/** The name by which a model addresses each server: its own, or the id where two share it. */
export function serverNames<S extends AgentServer>(servers: readonly S[]): ReadonlyMap<string, S> {
  const counts = new Map<string, number>();
  for (const { config } of servers) {
    counts.set(config.name, (counts.get(config.name) ?? 0) + 1);
  }
  return new Map(
    servers.map((server) => [
      counts.get(server.config.name) === 1 ? server.config.name : server.id,
      server,
    ]),
  );
}

/** Servers with the count of what each offers. */
export function overview<S extends OfferingServer>(
  names: ReadonlyMap<string, S>,
  registry: ToolRegistry<S>,
): string {
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
export function findOffers<S extends OfferingServer>(
  names: ReadonlyMap<string, S>,
  registry: ToolRegistry<S>,
  query: string,
  maxChars: number,
): string | undefined {
  const nameOf = new Map<ServerId, string>([...names].map(([name, { id }]) => [id, name]));
  const servers = [...names.values()];
  const tools = best(
    [...registry.offered.values()].filter(({ server }) => nameOf.has(server.id)),
    query,
    toolTexts,
  ).slice(0, maxTools);
  const prompts = best(
    servers.flatMap((server) =>
      server.catalog.items('prompts').map((prompt) => ({ server, prompt })),
    ),
    query,
    ({ server, prompt }) => textsOf(server, prompt, prompt.description),
  )
    .slice(0, maxOthers)
    .map(({ server, prompt }) => ({ server: nameOf.get(server.id), ...describePrompt(prompt) }));
  const resources = best(
    servers.flatMap((server) =>
      server.catalog.items('resources').map((resource) => ({ server, resource })),
    ),
    query,
    ({ server, resource }) =>
      textsOf(server, resource, `${resource.description ?? ''} ${resource.uri}`),
  )
    .slice(0, maxOthers)
    .map(({ server, resource }) => ({
      server: nameOf.get(server.id),
      ...describeResource(resource),
    }));
  if (tools.length + prompts.length + resources.length === 0) {
    return undefined;
  }
  const others = {
    ...(prompts.length > 0 && { prompts }),
    ...(resources.length > 0 && { resources }),
  };
  const room = maxChars - JSON.stringify(others).length;
  return JSON.stringify({ tools: describeTools(tools, nameOf, room), ...others });
}

function best<T>(
  items: readonly T[],
  query: string,
  texts: Parameters<typeof search<T>>[2],
): readonly T[] {
  return query.trim() === '' ? items : search(items, query, texts);
}

function textsOf(
  server: OfferingServer,
  item: Prompt | Resource,
  rest = '',
): ReturnType<typeof toolTexts> {
  return { name: `${item.name} ${displayLabel(item)}`, server: server.config.name, rest };
}

/** Schemas are included while there is room: a tool without its schema can be searched for again, alone. */
function describeTools(
  tools: readonly OfferedTool[],
  nameOf: ReadonlyMap<ServerId, string>,
  maxChars: number,
): readonly object[] {
  let room = maxChars;
  return tools.map(({ server, tool, forModel }, index) => {
    const short = {
      server: nameOf.get(server.id),
      tool: tool.name,
      description: cut(tool.description ?? tool.title ?? ''),
    };
    const whole = { ...short, inputSchema: forModel.inputSchema };
    const isRoom = index === 0 || JSON.stringify(whole).length <= room;
    const told = isRoom
      ? whole
      : { ...short, inputSchema: 'left out for want of room: search for this tool alone' };
    room -= JSON.stringify(told).length;
    return told;
  });
}

function describePrompt(prompt: Prompt): object {
  return {
    prompt: prompt.name,
    description: cut(prompt.description ?? prompt.title ?? ''),
    arguments: (prompt.arguments ?? []).map(({ name, description, required }) => ({
      name,
      ...(description === undefined ? {} : { description: cut(description) }),
      required: required === true,
    })),
  };
}

function describeResource({ uri, name, title, description, mimeType }: Resource): object {
  return {
    uri,
    name: title ?? name,
    ...(description === undefined ? {} : { description: cut(description) }),
    ...(mimeType === undefined ? {} : { mimeType }),
  };
}

function cut(text: string): string {
  return truncated(text, maxDescription);
}
