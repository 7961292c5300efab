/**
 * Finds what servers offer by words. For `@mcp`, the tools of a request when there are more than the model accepts: those
 * that match the words of the question, and those that the model has found by a search (`find_tools`). For a model outside
 * of `@mcp`, which has no list, everything, as JSON that fits a given room. Pure.
 */
import { withoutUndefined } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import type { ListItems } from '../../mcp/listItems.ts';
import type { Prompt, Resource } from '../../mcp/types/lists.ts';
import { displayLabel } from '../catalog/labels.ts';
import type { ModelTool } from '../models/model.ts';
import type { AgentServer } from './agentServer.ts';
import { type OfferedTool, ownTools, type ToolRegistry } from './modelTools.ts';

/** How many tools one search finds. */
const maxFound = 12;
/** Characters of the names of all servers. */
const maxServerChars = 500;

export class OfferedTools {
  readonly #limit: number;
  readonly #question: string;
  /** Names that the model found or used, the most recently used last. */
  #found: ReadonlySet<string> = new Set();
  /** The most tools of servers in a request. */
  #room: number;

  /**
   * @param limit tools in one request, including the agent's own
   * @param question what the user wrote
   */
  constructor(limit: number, question: string) {
    this.#limit = limit;
    this.#room = limit;
    this.#question = question;
  }

  /**
   * The tools for the next request; `ofAgent` are the agent's, `find_tools` is added where it is needed. The editor's come
   * first: the user has chosen each.
   */
  choose(registry: ToolRegistry, ofAgent: readonly ModelTool[]): readonly ModelTool[] {
    const own = [...ofAgent, ...registry.ofEditor.values()].slice(0, this.#limit - 1);
    const all = [...registry.offered.values()];
    const limit = Math.max(1, this.#limit - own.length);
    if (all.length <= limit) {
      this.#room = limit;
      return [...own, ...all.map(({ forModel }) => forModel)];
    }
    this.#room = limit - 1;
    const found = [...this.#found]
      .toReversed()
      .flatMap((name) => registry.offered.get(name) ?? [])
      .slice(0, this.#room);
    const fitting = search(all, this.#question, toolTexts).filter((one) => !found.includes(one));
    // Half of the room stays free for later finds: providers process a stable list faster.
    const first = fitting.slice(0, Math.max(0, Math.floor(this.#room / 2) - found.length));
    return [...own, findTool(all), ...[...first, ...found].map(({ forModel }) => forModel)];
  }

  /** Makes the best matches callable in the next request, at most as many as it can offer. */
  find(registry: ToolRegistry, words: string): readonly OfferedTool[] {
    const most = Math.min(maxFound, this.#room);
    const hits = search([...registry.offered.values()], words, toolTexts).slice(0, most);
    for (const { forModel } of hits.toReversed()) {
      this.keep(forModel.name);
    }
    return hits;
  }

  /** A tool that is in use is dropped last. */
  keep(name: string): void {
    this.#found = new Set([...[...this.#found].filter((one) => one !== name), name]);
  }

  /** Offers tools that appear during the run, too, but they displace none in use. */
  welcome(names: readonly string[]): void {
    this.#found = new Set([...names.slice(0, maxFound), ...this.#found]);
  }
}

function findTool(all: readonly OfferedTool[]): ModelTool {
  const servers = [...new Set(all.map(({ server }) => server.config.name))];
  return {
    name: ownTools.findTools,
    description:
      `There are ${all.length} tools, of which only some are listed. Finds tools by words of their ` +
      `name or description; those found can be called in the next step. Servers: ${truncated(servers.join(', '), maxServerChars)}`,
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Words to look for' } },
      required: ['query'],
    },
  };
}

/** The weight in a search: the name counts most, the server's name less, the rest least. */
interface SearchTexts {
  readonly name: string;
  readonly server: string;
  readonly rest: string;
}

/** Best first; empty for words that occur nowhere. */
export function search<T>(
  items: readonly T[],
  text: string,
  textsOf: (item: T) => SearchTexts,
): readonly T[] {
  const words = wordsOf(text);
  return items
    .map((one) => ({ one, score: scoreOf(textsOf(one), words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ one }) => one);
}

function toolTexts({ server, tool }: OfferedTool): SearchTexts {
  return {
    name: `${tool.name} ${displayLabel(tool)}`,
    server: server.config.name,
    rest: tool.description ?? '',
  };
}

function scoreOf(texts: SearchTexts, words: readonly string[]): number {
  const name = new Set(wordsOf(texts.name));
  const place = new Set(wordsOf(texts.server));
  const rest = new Set(wordsOf(texts.rest));
  return words.reduce(
    (sum, word) =>
      sum + (name.has(word) ? 4 : 0) + (place.has(word) ? 2 : 0) + (rest.has(word) ? 1 : 0),
    0,
  );
}

/** Lower case, `camelCase` and `snake_case` split, without a plural's `s`. */
function wordsOf(text: string): readonly string[] {
  const words = text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
    .map((word) => (word.length > 3 ? word.replace(/s$/u, '') : word));
  return [...new Set(words)];
}

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
  const found = best(tools, query, toolTexts).slice(0, maxFound);
  const prompts = within(maxChars / 4, others('prompts', names, query, describePrompt));
  const resources = within(maxChars / 4, others('resources', names, query, describeResource));
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

/** As many, each whole, as there is room for. */
function within(maxChars: number, items: readonly object[]): readonly object[] {
  let room = maxChars;
  return items.filter((item) => {
    const { length } = JSON.stringify(item);
    const isRoom = length <= room;
    room -= isRoom ? length : 0;
    return isRoom;
  });
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

function cut<T extends string | undefined>(words: T): string | T {
  return words === undefined ? words : truncated(words, maxDescription);
}
