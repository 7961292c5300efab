/** A model that follows a script, and servers without a connection, for tests of the agent. */
import type { AgentServer } from '../../src/host/chat/agentServer.ts';
import type { ResourceContent } from '../../src/host/resources/resourceContents.ts';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import type { ModelPart, ModelRequest } from '../../src/host/models/model.ts';
import type { ConnectionState } from '../../src/host/servers/connectionState.ts';
import type { ListItems, ListName } from '../../src/mcp/listItems.ts';
import type { Prompt, Resource, Tool } from '../../src/mcp/types/lists.ts';
import type { Skill } from '../../src/mcp/types/skills.ts';
import type { CallToolResult } from '../../src/mcp/types/methods.ts';
import { ScriptedModel } from './fakeSampling.ts';
import { FakeSession } from './fakeSession.ts';
import { stdioServer } from './serverConfigs.ts';
import { silentLog } from './silentLogs.ts';

type Reply = readonly ModelPart[] | ((request: ModelRequest) => readonly ModelPart[]);

/** Answers each request with the next reply, or the last one again; a reply may throw. */
export class FakeModel extends ScriptedModel {
  readonly #replies: Reply[];

  constructor(replies: readonly Reply[]) {
    super('fake', 50_000);
    this.#replies = [...replies];
  }

  override async *send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    const reply = this.#replies.length > 1 ? this.#replies.shift() : this.#replies[0];
    this.parts = typeof reply === 'function' ? reply(request) : (reply ?? []);
    yield* super.send(request, signal);
  }
}

export function says(text: string): readonly ModelPart[] {
  return [{ kind: 'text', text }];
}

let nextCall = 0;

export function calls(tool: string, input: Readonly<Record<string, unknown>> = {}): ModelPart {
  nextCall += 1;
  return { kind: 'toolCall', callId: `call-${nextCall}`, tool, input };
}

interface Call {
  readonly name: string;
  readonly input: unknown;
}

export class FakeAgentServer implements AgentServer {
  readonly id: string;
  readonly config: ServerConfig;
  readonly session: FakeSession;
  readonly called: Call[] = [];
  readonly read: string[] = [];
  tools: Tool[];
  prompts: readonly Prompt[] = [];
  resourceList: readonly Resource[] = [];
  skills: readonly Skill[] = [];
  contents: readonly ResourceContent[] = [];
  starts = 0;
  state: ConnectionState;
  /** What a call does; without it, it says "done". */
  onCall: (
    call: Call,
    options: Parameters<FakeSession['call']>[2],
  ) => CallToolResult | Promise<CallToolResult> = () => ({
    content: [{ type: 'text', text: 'done' }],
  });

  constructor(name: string, tools: readonly (Tool | string)[], more: Partial<ServerConfig> = {}) {
    this.config = stdioServer(name, more);
    this.id = this.config.id;
    this.tools = tools.map((tool) =>
      typeof tool === 'string' ? { name: tool, inputSchema: { type: 'object' } } : tool,
    );
    this.session = new FakeSession(
      { tools: {} },
      {
        'tools/call': async ({ name: tool, arguments: input }, options) => {
          const call = { name: tool, input };
          this.called.push(call);
          return this.onCall(call, options);
        },
      },
    );
    this.state = { kind: 'ready', server: this.session.server, attempt: 0 };
  }

  set instructions(text: string) {
    this.state = {
      kind: 'ready',
      server: { ...this.session.server, instructions: text },
      attempt: 0,
    };
  }

  /** Resolves when a change of the list that was announced is fetched. */
  settled: Promise<void> = Promise.resolve();

  readonly catalog: AgentServer['catalog'] = {
    items: <L extends ListName>(kind: L): readonly ListItems[L][] => {
      const lists: { readonly [K in ListName]: readonly ListItems[K][] } = {
        tools: this.tools,
        prompts: this.prompts,
        resources: this.resourceList,
        resourceTemplates: [],
        skills: this.skills,
      };
      return lists[kind];
    },
    list: () => ({ kind: 'none' }) as const,
    refresh: () => undefined,
    whenLoaded: async () => undefined,
    renew: () => undefined,
    whenSettled: () => this.settled,
  };

  readonly resources: AgentServer['resources'] = {
    read: async (uri) => {
      this.read.push(uri);
      return this.contents;
    },
  };

  readonly output = { log: silentLog };

  readonly withSession: AgentServer['withSession'] = (use, signal) => use(this.session, signal);

  async start(): Promise<void> {
    this.starts += 1;
    this.state = { kind: 'ready', server: this.session.server, attempt: 0 };
  }
}
