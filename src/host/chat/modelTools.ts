/**
 * The tools of all servers as the model sees them: one list, names that every provider accepts and that map back to
 * server and tool, schemas that no provider refuses. Tools that cannot be given to a model are left out with a reason.
 */
import { createHash } from 'node:crypto';
import { truncated } from '../../base/text.ts';
import type { JsonSchema, Tool } from '../../mcp/types/lists.ts';
import { isForModels } from '../apps/toolUi.ts';
import type { ModelTool } from '../models/model.ts';
import type { AgentServer } from './agentServer.ts';
import { type ModelSchema, modelSchema } from './modelSchema.ts';
import type { ToolSelection } from './toolSelection.ts';

export interface OfferedTool<S extends AgentServer = AgentServer> {
  readonly server: S;
  readonly tool: Tool;
  readonly forModel: ModelTool;
}

export type LeftOutBecause =
  /** The user switched it off. */
  | { readonly kind: 'off' }
  /** The server offers it only to its apps. */
  | { readonly kind: 'app' }
  | { readonly kind: 'schema'; readonly reason: string };

export interface LeftOutTool<S extends AgentServer = AgentServer> {
  readonly server: S;
  readonly tool: Tool;
  readonly because: LeftOutBecause;
}

export interface ToolRegistry<S extends AgentServer = AgentServer> {
  /** By the name that the model uses. */
  readonly offered: ReadonlyMap<string, OfferedTool<S>>;
  readonly leftOut: readonly LeftOutTool<S>[];
}

/** Names of the agent's own tools, which no server's tool may take. */
export const ownTools = {
  findTools: 'find_tools',
  readResource: 'read_resource',
  loadSkill: 'load_skill',
} as const;

/** The most that OpenAI, Anthropic and Gemini accept. */
const maxNameLength = 64;
const maxAliasLength = 24;
/** OpenAI refuses longer ones. */
const maxDescriptionLength = 1_000;

export function buildRegistry<S extends AgentServer>(
  servers: readonly S[],
  selection: Pick<ToolSelection, 'isOn'>,
): ToolRegistry<S> {
  const leftOut: LeftOutTool<S>[] = [];
  const usable: (Omit<OfferedTool<S>, 'forModel'> & {
    readonly schema: ModelTool['inputSchema'];
  })[] = [];
  for (const server of servers) {
    for (const tool of server.catalog.items('tools')) {
      const outcome = judge(server, tool, selection);
      if (outcome.kind === 'usable') {
        usable.push({ server, tool, schema: outcome.schema });
      } else {
        leftOut.push({ server, tool, because: outcome.because });
      }
    }
  }
  const names = uniqueNames(usable);
  return {
    offered: new Map(
      usable.map(({ server, tool, schema }, index) => {
        const name = names[index] ?? '';
        const forModel = { name, description: describe(server, tool), inputSchema: schema };
        return [name, { server, tool, forModel }];
      }),
    ),
    leftOut,
  };
}

type Judgement =
  | { readonly kind: 'usable'; readonly schema: ModelTool['inputSchema'] }
  | { readonly kind: 'leftOut'; readonly because: LeftOutBecause };

function judge(server: AgentServer, tool: Tool, selection: Pick<ToolSelection, 'isOn'>): Judgement {
  if (!isForModels(tool)) {
    return { kind: 'leftOut', because: { kind: 'app' } };
  }
  if (!selection.isOn({ serverId: server.id, tool: tool.name })) {
    return { kind: 'leftOut', because: { kind: 'off' } };
  }
  const schema = schemaOf(tool.inputSchema);
  return schema.kind === 'usable'
    ? schema
    : { kind: 'leftOut', because: { kind: 'schema', reason: schema.reason } };
}

/** By identity: a catalog keeps the same object while the server lists it. */
const known = new WeakMap<JsonSchema, ModelSchema>();

function schemaOf(schema: JsonSchema): ModelSchema {
  let outcome = known.get(schema);
  if (outcome === undefined) {
    outcome = modelSchema(schema);
    known.set(schema, outcome);
  }
  return outcome;
}

interface Named {
  readonly server: AgentServer;
  readonly tool: Tool;
}

/**
 * `server_tool` if that name is valid for every provider and unique; otherwise with a hash of server and tool, so that
 * it does not depend on the other tools.
 */
function uniqueNames(tools: readonly Named[]): readonly string[] {
  const plain = tools.map(plainName);
  const counts = new Map<string, number>(Object.values(ownTools).map((name) => [name, 1]));
  for (const name of plain) {
    if (name !== undefined) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return tools.map((tool, index) => {
    const name = plain[index];
    return name !== undefined && counts.get(name) === 1 ? name : hashedName(tool);
  });
}

/** Undefined where a character would have to be changed. Gemini wants a letter or `_` first. */
function plainName({ server, tool }: Named): string | undefined {
  const name = `${server.config.name}_${tool.name}`;
  return name.length <= maxNameLength && /^[A-Za-z_][\w-]*$/u.test(name) ? name : undefined;
}

function hashedName({ server, tool }: Named): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([server.id, tool.name]))
    .digest('hex')
    .slice(0, 8);
  const alias = toWord(server.config.name)
    .replace(/^(?=[\d-])/u, '_')
    .slice(0, maxAliasLength);
  const room = maxNameLength - alias.length - hash.length - 2;
  return `${alias}_${toWord(tool.name).slice(0, room)}_${hash}`;
}

function toWord(text: string): string {
  return text.replaceAll(/[^\w-]+/gu, '_');
}

function describe({ config }: AgentServer, tool: Tool): string {
  const text = tool.description ?? tool.title ?? tool.name;
  const source = ` (tool of the MCP server "${config.name}")`;
  const room = maxDescriptionLength - source.length;
  return `${truncated(text, room)}${source}`;
}
