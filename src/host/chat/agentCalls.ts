/**
 * Carries out the model's calls: tools of servers (callForModel.ts), tools of the editor, and the agent's own. Every
 * outcome becomes a result for the model and an event for display; only the user's stop ends the run.
 */
import type { ToolInput } from '../toolApproval/approvals.ts';
import { type ModelMessage, type ModelPart, type ModelTool, textPart } from '../models/model.ts';
import { fromModel } from '../requestOrigin.ts';
import type { ResourceAddress } from '../resources/resourceAddress.ts';
import { findSkill, namedSkills } from '../skills/namedSkills.ts';
import type { Skills } from '../skills/skills.ts';
import type { AgentServer } from './agentServer.ts';
import {
  type Answer,
  callForModel,
  type CallServices,
  failure,
  toMcpError,
  type WantedCall,
} from './callForModel.ts';
import { callEditorTool, type EditorTools } from './editorTools.ts';
import type { OfferedTools } from './findTools.ts';
import { ownTools, type ToolRegistry, type OfferedTool } from './modelTools.ts';
import { loadSkill, loadSkillTool } from './skillTools.ts';
import { linkedUris, resourceParts } from './modelParts.ts';

type CallPart = Extract<ModelPart, { kind: 'toolCall' }>;
type ResultPart = Extract<ModelPart, { kind: 'toolResult' }>;

interface OfferedCall extends WantedCall {
  readonly part: CallPart;
  readonly call: OfferedTool;
}

interface RunServices extends CallServices {
  readonly shelf: OfferedTools;
  readonly skills: Skills;
  readonly editorTools: EditorTools;
  /** Those whose skills can be loaded. */
  readonly servers: () => readonly AgentServer[];
  /** Earlier turns, and this question: skills that were loaded there act on (SKL-38). */
  readonly history: readonly ModelMessage[];
  /** To which tools have linked in earlier turns. */
  readonly links: readonly ResourceAddress[];
}

/** What is kept for the next turn: the newest links, and none that is longer (characters). */
const maxLinks = 200;
const maxUri = 2_000;

/** The editor may run its tools unasked, and a skill speaks for its server (SKL-53). */
const unaskedBesideSkill =
  'Not called: while a skill of an MCP server is in the conversation, tools of the editor are not called, since the user might not be asked. Tell the user.';

export class AgentCalls {
  readonly #services: RunServices;
  /** URI → the server that named it in a result. */
  readonly #links = new Map<string, AgentServer>();
  readonly #used = new Set<AgentServer>();
  /** References of the skills that act in this conversation. */
  readonly #acting: Set<string>;

  constructor(services: RunServices) {
    this.#services = services;
    this.#acting = new Set(loadedIn(services.history));
    const servers = services.servers();
    for (const { serverId, uri } of services.links) {
      const server = servers.find(({ id }) => id === serverId);
      if (server !== undefined) {
        this.#links.set(uri, server);
      }
    }
  }

  /** For the next turn. */
  get links(): readonly ResourceAddress[] {
    const short = [...this.#links].filter(([uri]) => uri.length <= maxUri).slice(-maxLinks);
    return short.map(([uri, { id }]) => ({ serverId: id, uri }));
  }

  /** Servers of which a tool has run, in order of first use. */
  get used(): readonly AgentServer[] {
    return [...this.#used];
  }

  /** The agent's own tools that are useful so far. */
  get ownTools(): readonly ModelTool[] {
    return [
      ...(this.#links.size === 0 ? [] : [readResource]),
      ...loadSkillTool(namedSkills(this.#services.servers())),
    ];
  }

  /**
   * Carries out the calls of one answer of the model: the agent's own tools one after the other, then those of servers
   * and of the editor side by side. So a skill that is loaded here acts in each of them.
   * @returns the results in the order of the calls
   * @throws the signal's reason when it aborts
   */
  async run(
    parts: readonly CallPart[],
    registry: ToolRegistry,
    signal: AbortSignal,
  ): Promise<readonly ResultPart[]> {
    const answers = new Map<CallPart, Answer>();
    const ofServers: OfferedCall[] = [];
    const ofEditor: CallPart[] = [];
    for (const part of parts) {
      const call = registry.offered.get(part.tool);
      if (registry.ofEditor.has(part.tool)) {
        ofEditor.push(part);
      } else if (call === undefined) {
        answers.set(part, await this.#useOwn(part, registry, signal));
      } else {
        ofServers.push({ part, call, input: part.input });
      }
    }
    const [ended] = await Promise.all([
      this.#callServers(ofServers, signal),
      ...ofEditor.map(async (part) => {
        const answer =
          this.#acting.size > 0
            ? failure(unaskedBesideSkill)
            : await callEditorTool(this.#services, part, signal);
        answers.set(part, answer);
      }),
    ]);
    for (const [{ part }, answer] of ended) {
      answers.set(part, answer);
    }
    return parts.flatMap((part) => {
      const answer = answers.get(part);
      return answer === undefined ? [] : [toResult(part, answer)];
    });
  }

  async #useOwn(
    { tool, input }: CallPart,
    registry: ToolRegistry,
    signal: AbortSignal,
  ): Promise<Answer> {
    switch (tool) {
      case ownTools.findTools:
        return this.#findTools(textOf(input['query']), registry);
      case ownTools.readResource:
        return this.#readResource(textOf(input['uri']), signal);
      case ownTools.loadSkill:
        return this.#loadSkill(input, signal);
      default:
        return failure(`There is no tool with the name ${JSON.stringify(tool)}.`);
    }
  }

  async #callServers(
    wanted: readonly OfferedCall[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<OfferedCall, Answer>> {
    for (const { call } of wanted) {
      this.#services.shelf.keep(call.forModel.name);
    }
    const services = { ...this.#services, acting: [...this.#acting] };
    const answers = await callForModel(services, wanted, signal);
    for (const [{ call }, { result }] of answers) {
      if (result !== undefined) {
        this.#used.add(call.server);
        for (const uri of linkedUris(result)) {
          this.#links.set(uri, call.server);
        }
      }
    }
    return answers;
  }

  #findTools(query: string, registry: ToolRegistry): Answer {
    const tools = this.#services.shelf.find(registry, query);
    this.#services.emit({ kind: 'toolsFound', query, tools });
    if (tools.length === 0) {
      return failure('No tool fits these words. Try other ones.');
    }
    const lines = tools.map(({ forModel: { name, description } }) => `- ${name}: ${description}`);
    return { parts: [textPart(['These tools can be called now:', ...lines].join('\n'))] };
  }

  async #loadSkill(input: ToolInput, signal: AbortSignal): Promise<Answer> {
    const { skills, servers, limits, emit } = this.#services;
    const options = { caller: 'model', signal, limits, acting: this.#acting } as const;
    const file = input['file'] === undefined ? undefined : textOf(input['file']);
    const wanted = { skill: textOf(input['skill']), ...(file !== undefined && { file }) };
    const answer = await loadSkill(skills, servers(), wanted, options);
    const server = servers().find((one) => one === answer.used?.server);
    if (answer.used !== undefined && server !== undefined) {
      this.#used.add(server);
      this.#acting.add(answer.used.reference);
      emit({
        kind: 'skillUsed',
        skill: answer.used,
        ...(file !== undefined && { file }),
      });
    }
    return answer;
  }

  /** Only resources that a tool has linked to: a model does not browse a server on its own. */
  async #readResource(uri: string, signal: AbortSignal): Promise<Answer> {
    const server = this.#links.get(uri);
    if (server === undefined) {
      return failure(`No tool has linked to ${JSON.stringify(uri)}, so it cannot be read.`);
    }
    const isForeign = (skill: string): boolean =>
      findSkill(this.#services.servers(), skill)?.server !== server;
    const skill = [...this.#acting].find(isForeign);
    if (skill !== undefined) {
      return failure(`While the skill ${skill} acts, only resources of its own server are read.`); // SKL-55
    }
    this.#services.emit({ kind: 'resourceRead', server, uri });
    try {
      const contents = await server.resources.read(uri, signal, fromModel);
      return { parts: resourceParts(contents, this.#services.limits) };
    } catch (error) {
      signal.throwIfAborted();
      return failure(toMcpError(error).message);
    }
  }
}

function toResult({ callId }: CallPart, { parts, isError }: Answer): ResultPart {
  return { kind: 'toolResult', callId, parts, ...(isError === true && { isError }) };
}

/**
 * The references of the skills that were loaded in earlier turns: of each call that did not fail. A model may use an id
 * again: then one result without an error is enough.
 */
function loadedIn(history: readonly ModelMessage[]): readonly string[] {
  const parts = history.flatMap((message) => message.parts);
  const results = parts.filter((part) => part.kind === 'toolResult');
  const hasFailed = (id: string): boolean => {
    const ends = results.filter(({ callId }) => callId === id);
    return ends.length > 0 && ends.every(({ isError }) => isError === true);
  };
  return parts.flatMap((part) =>
    part.kind === 'toolCall' && part.tool === ownTools.loadSkill && !hasFailed(part.callId)
      ? [textOf(part.input['skill'])]
      : [],
  );
}

const readResource: ModelTool = {
  name: ownTools.readResource,
  description: 'Reads a resource that the result of a tool has linked to.',
  inputSchema: {
    type: 'object',
    properties: { uri: { type: 'string', description: 'The URI as it stands in the result' } },
    required: ['uri'],
  },
};

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
