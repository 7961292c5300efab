/**
 * Carries out the model's calls: a server's tool after the user's approval, or one of the agent's own tools. Every
 * outcome becomes a result for the model and an event for display; only the user's stop ends the run.
 */
import { toError } from '../../base/async.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import type { ToolInput } from '../toolApproval/approvals.ts';
import { type ModelMessage, type ModelPart, type ModelTool, textPart } from '../models/model.ts';
import { fromModel } from '../requestOrigin.ts';
import { findSkill, namedSkills, type SkillAddress } from '../skills/namedSkills.ts';
import type { Skills } from '../skills/skills.ts';
import {
  callTool,
  type CallerServices,
  inputProblems,
  type ToolOutcome,
} from '../tools/callTool.ts';
import type { AgentServer } from './agentServer.ts';
import type { OfferedTools } from './findTools.ts';
import { ownTools, type ToolRegistry, type OfferedTool } from './modelTools.ts';
import { loadSkill, loadSkillTool } from './skillTools.ts';
import { linkedUris, resourceParts, type ResultLimits, toModelParts } from './modelParts.ts';
import type { Progress } from '../../mcp/session/session.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { CallToolResult } from '../../mcp/types/methods.ts';

export interface AgentCall {
  readonly server: AgentServer;
  readonly tool: Tool;
}

export type CallEnd =
  | {
      readonly kind: 'result';
      readonly outcome: Extract<ToolOutcome, { kind: 'result' }>;
      /** The input that was sent: what the user saw last. */
      readonly input: ToolInput;
      readonly durationMs: number;
      /** Characters that did not fit into the model's input. */
      readonly cutChars: number;
    }
  | { readonly kind: 'denied' }
  | { readonly kind: 'invalidInput'; readonly problems: readonly string[] }
  | { readonly kind: 'failed'; readonly error: McpError };

export type AgentEvent =
  /** A piece of the model's answer. */
  | { readonly kind: 'text'; readonly text: string }
  /** The model wants a call; the user may be asked now. */
  | { readonly kind: 'callRequested'; readonly call: AgentCall }
  | { readonly kind: 'callStarted'; readonly call: AgentCall }
  | { readonly kind: 'callProgress'; readonly call: AgentCall; readonly progress: Progress }
  | { readonly kind: 'callEnded'; readonly call: AgentCall; readonly end: CallEnd }
  | { readonly kind: 'resourceRead'; readonly server: AgentServer; readonly uri: string }
  /** A skill was loaded, or a file of it read. */
  | { readonly kind: 'skillUsed'; readonly skill: SkillAddress; readonly file?: string }
  | { readonly kind: 'toolsFound'; readonly query: string; readonly tools: readonly OfferedTool[] }
  /** Servers announced these after the last request; the model may use them from now on (SEC-13). */
  | { readonly kind: 'toolsAdded'; readonly tools: readonly OfferedTool[] }
  /** More tools are on than a request may offer; the model finds the others by its own search. */
  | {
      readonly kind: 'toolsOverLimit';
      /** Number of tools that are on. */
      readonly count: number;
      readonly limit: number;
      readonly leftOut: readonly OfferedTool[];
    }
  /** Older parts of the conversation did not fit the model. */
  | { readonly kind: 'historyCut' }
  /** The model takes no images. */
  | { readonly kind: 'imagesLeftOut' };

type CallPart = Extract<ModelPart, { kind: 'toolCall' }>;
type ResultPart = Extract<ModelPart, { kind: 'toolResult' }>;

export interface CallServices extends CallerServices {
  readonly limits: ResultLimits;
  readonly emit: (event: AgentEvent) => void;
  /** The skills that act in the conversation. */
  readonly acting?: readonly string[];
}

/** The result of a call for the model. */
interface Answer {
  readonly parts: readonly ModelPart[];
  readonly isError?: boolean;
}

/**
 * Calls a server's tool after the user's approval.
 * @returns what the model gets, and the server's result if there is one
 * @throws the signal's reason when it aborts
 */
export async function callForModel(
  { approvals, checker, visits, limits, emit, acting = [] }: CallServices,
  call: AgentCall,
  wanted: ToolInput,
  signal: AbortSignal,
): Promise<Answer & { readonly result?: CallToolResult }> {
  const { server, tool } = call;
  const ended = (end: CallEnd): void => emit({ kind: 'callEnded', call, end });
  const invalid = (problems: readonly string[]): Answer => {
    ended({ kind: 'invalidInput', problems });
    const words = "The input does not fit the tool's schema; nothing was sent.";
    return failure(`${words} ${problems.join('. ')}`);
  };
  const problems = await inputProblems(checker(), tool, wanted);
  if (problems.length > 0) {
    return invalid(problems);
  }
  emit({ kind: 'callRequested', call });
  const approval = await approvals.request(
    { server: server.config, tool, input: wanted, caller: 'model', skills: acting },
    signal,
  );
  if (approval.kind === 'denied') {
    ended({ kind: 'denied' });
    return failure('The user did not allow this call. Nothing was sent. Do not repeat it.');
  }
  const { input } = approval;
  emit({ kind: 'callStarted', call });
  const startedAt = Date.now();
  const outcome = await callTool(server, checker(), {
    ...visits(server.config),
    tool,
    input,
    signal,
    onProgress: (progress) => emit({ kind: 'callProgress', call, progress }),
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    return toMcpError(error);
  });
  if (isMcpError(outcome)) {
    ended({ kind: 'failed', error: outcome });
    return failure(failureText(outcome));
  }
  if (outcome.kind === 'invalidInput') {
    return invalid(outcome.problems);
  }
  const notes = input === wanted ? [] : [`The user changed the input to ${JSON.stringify(input)}.`];
  const { parts, cutChars } = toModelParts(tool, outcome, limits, notes);
  ended({ kind: 'result', outcome, input, durationMs: Date.now() - startedAt, cutChars });
  return { parts, isError: outcome.result.isError === true, result: outcome.result };
}

interface RunServices extends CallServices {
  readonly shelf: OfferedTools;
  readonly skills: Skills;
  /** Those whose skills can be loaded. */
  readonly servers: () => readonly AgentServer[];
  /** Earlier turns: skills that were loaded there act on (SKL-38). */
  readonly history: readonly ModelMessage[];
}

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

  /** @throws the signal's reason when it aborts */
  async run(part: CallPart, registry: ToolRegistry, signal: AbortSignal): Promise<ResultPart> {
    const { parts, isError } = await this.#answer(part, registry, signal);
    return {
      kind: 'toolResult',
      callId: part.callId,
      parts,
      ...(isError === true && { isError }),
    };
  }

  async #answer(
    { tool, input }: CallPart,
    registry: ToolRegistry,
    signal: AbortSignal,
  ): Promise<Answer> {
    const offered = registry.offered.get(tool);
    if (offered !== undefined) {
      return this.#callServer(offered, input, signal);
    }
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

  async #callServer(offered: OfferedTool, input: ToolInput, signal: AbortSignal): Promise<Answer> {
    this.#services.shelf.keep(offered.forModel.name);
    const answer = await callForModel(
      { ...this.#services, acting: [...this.#acting] },
      offered,
      input,
      signal,
    );
    if (answer.result !== undefined) {
      this.#used.add(offered.server);
      for (const uri of linkedUris(answer.result)) {
        this.#links.set(uri, offered.server);
      }
    }
    return answer;
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
    const options = { caller: 'model', signal, limits } as const;
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

/** The references of the skills that were loaded in earlier turns; one that was refused asks too often at worst. */
function loadedIn(history: readonly ModelMessage[]): readonly string[] {
  return history
    .flatMap(({ parts }) => parts)
    .flatMap((part) =>
      part.kind === 'toolCall' && part.tool === ownTools.loadSkill
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

function failure(words: string): Answer {
  return { parts: [textPart(words)], isError: true };
}

/** A call with an unknown outcome must not be repeated as if it had not been made. */
function failureText({ code, message }: McpError): string {
  const isOpen = code === 'timeout' || code === 'closed' || code === 'cancelled';
  const warning =
    ' It is unknown whether the tool has done its work; do not simply repeat the call.';
  return `The call failed: ${message}.${isOpen ? warning : ''}`;
}

function toMcpError(error: unknown): McpError {
  return isMcpError(error)
    ? error
    : new McpError('protocol', toError(error).message, { cause: error });
}
