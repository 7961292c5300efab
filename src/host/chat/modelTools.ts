/**
 * The tools of all servers as the model sees them: one list, names that every provider accepts and that map back to
 * server and tool, schemas that no provider refuses. Tools that cannot be given to a model are left out with a reason.
 */
import { createHash } from 'node:crypto';
import { perObject } from '../../base/lazily.ts';
import { truncated } from '../../base/text.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { isForModels } from '../apps/toolUi.ts';
import type { ModelTool } from '../models/model.ts';
import type { AgentServer } from './agentServer.ts';
import { type ModelSchema, modelSchema } from './modelSchema.ts';
import type { ToolSelection } from './toolSelection.ts';

export interface OfferedTool {
  readonly server: AgentServer;
  readonly tool: Tool;
  readonly forModel: ModelTool;
}

export type LeftOutBecause =
  /** The user switched it off. */
  | { readonly kind: 'off' }
  /** The server offers it only to its apps. */
  | { readonly kind: 'app' }
  | Extract<ModelSchema, { kind: 'unusable' }>;

export interface LeftOutTool {
  readonly server: AgentServer;
  readonly tool: Tool;
  readonly because: LeftOutBecause;
}

export interface ToolRegistry {
  /** By the name that the model uses. */
  readonly offered: ReadonlyMap<string, OfferedTool>;
  readonly leftOut: readonly LeftOutTool[];
  /** Tools of the editor that the user has chosen. */
  readonly ofEditor: ReadonlyMap<string, ModelTool>;
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

/** @param ofEditor chosen tools of the editor, whose names no tool of a server gets */
export function buildRegistry(
  servers: readonly AgentServer[],
  selection: Pick<ToolSelection, 'isOn'>,
  ofEditor: readonly ModelTool[] = [],
): ToolRegistry {
  const leftOut: LeftOutTool[] = [];
  const usable: (Named & { readonly schema: ModelTool['inputSchema'] })[] = [];
  for (const server of servers) {
    for (const tool of server.catalog.items('tools')) {
      const outcome = judge(server, tool, selection);
      if (outcome.kind === 'usable') {
        usable.push({ server, tool, schema: outcome.schema });
      } else {
        leftOut.push({ server, tool, because: outcome });
      }
    }
  }
  const taken = [...Object.values(ownTools), ...ofEditor.map(({ name }) => name)];
  const nameOf = uniqueNames(usable, taken);
  return {
    offered: new Map(
      usable.map(({ server, tool, schema }) => {
        const name = nameOf({ server, tool });
        const forModel = { name, description: describe(server, tool), inputSchema: schema };
        return [name, { server, tool, forModel }];
      }),
    ),
    leftOut,
    ofEditor: new Map(ofEditor.map((tool) => [tool.name, tool])),
  };
}

function judge(
  server: AgentServer,
  tool: Tool,
  selection: Pick<ToolSelection, 'isOn'>,
): Extract<ModelSchema, { kind: 'usable' }> | LeftOutBecause {
  if (!isForModels(tool)) {
    return { kind: 'app' };
  }
  const isOn = selection.isOn({ serverId: server.id, tool: tool.name });
  return isOn ? schemaOf(tool.inputSchema) : { kind: 'off' };
}

/** By identity: a catalog keeps the same object while the server lists it. */
const schemaOf = perObject(modelSchema);

interface Named {
  readonly server: AgentServer;
  readonly tool: Tool;
}

/**
 * `server_tool` if that name is valid for every provider and unique; otherwise with a hash of server and tool, so that
 * it does not depend on the other tools.
 */
function uniqueNames(tools: readonly Named[], taken: readonly string[]): (tool: Named) => string {
  const counts = new Map<string, number>(taken.map((name) => [name, 1]));
  for (const name of tools.map(plainName)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return (named) => {
    const name = plainName(named);
    if (counts.get(name) === 1 && acceptedName.test(name)) {
      return name;
    }
    const { server, tool } = named;
    const alias = server.config.name.slice(0, maxAliasLength);
    return hashedName(`${alias}_${tool.name}`, JSON.stringify([server.id, tool.name]));
  };
}

/** Valid for OpenAI, Anthropic and Gemini, which wants a letter or `_` first. */
export const acceptedName = /^[A-Za-z_][\w-]{0,63}$/u;

function plainName({ server, tool }: Named): string {
  return `${server.config.name}_${tool.name}`;
}

/** A name that providers accept, always the same for the same words and key. */
export function hashedName(words: string, key: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 8);
  const name = words.replaceAll(/[^\w-]+/gu, '_').replace(/^(?=[\d-])/u, '_');
  return `${name.slice(0, maxNameLength - hash.length - 1)}_${hash}`;
}

function describe({ config }: AgentServer, tool: Tool): string {
  const text = tool.description ?? tool.title ?? tool.name;
  const source = ` (tool of the MCP server "${config.name}")`;
  const room = maxDescriptionLength - source.length;
  return `${truncated(text, room)}${source}`;
}
