/**
 * Carries out the model's calls: a server's tool after the user's approval, or one of the agent's own tools. Every
 * outcome becomes a result for the model and an event for display; only the user's stop ends the run.
 */
import { toError } from '../../base/async.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import type { ToolInput } from '../toolApproval/approvals.ts';
import type { ModelMessage, ModelPart, ModelTool } from '../models/model.ts';
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
import { linkedUris, resourceParts, type ResultLimits, toModelParts } from './toolResult.ts';
import type { Progress } from '../../mcp/session/session.ts';
import type { Tool } from '../../mcp/types/lists.ts';

export interface AgentCall<S extends AgentServer = AgentServer> {
  readonly server: S;
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

export type AgentEvent<S extends AgentServer = AgentServer> =
  /** A piece of the model's answer. */
  | { readonly kind: 'text'; readonly text: string }
  /** The model wants a call; the user may be asked now. */
  | { readonly kind: 'callRequested'; readonly call: AgentCall<S> }
  | { readonly kind: 'callStarted'; readonly call: AgentCall<S> }
  | {
      readonly kind: 'callProgress';
      readonly call: AgentCall<S>;
      readonly progress: Progress;
    }
  | { readonly kind: 'callEnded'; readonly call: AgentCall<S>; readonly end: CallEnd }
  | { readonly kind: 'resourceRead'; readonly server: S; readonly uri: string }
  /** A skill was loaded, or a file of it read. */
  | { readonly kind: 'skillUsed'; readonly skill: SkillAddress<S>; readonly file?: string }
  | {
      readonly kind: 'toolsFound';
      readonly query: string;
      readonly tools: readonly OfferedTool<S>[];
    }
  /** Servers announced these after the last request; the model may use them from now on (SEC-13). */
  | { readonly kind: 'toolsAdded'; readonly tools: readonly OfferedTool<S>[] }
  /** More tools are on than a request may offer; the model finds the others by its own search. */
  | {
      readonly kind: 'toolsOverLimit';
      /** Number of tools that are on. */
      readonly count: number;
      readonly limit: number;
      readonly leftOut: readonly OfferedTool<S>[];
    }
  /** Older parts of the conversation did not fit the model. */
  | { readonly kind: 'historyCut' }
  /** The model takes no images. */
  | { readonly kind: 'imagesLeftOut' };

type CallPart = Extract<ModelPart, { kind: 'toolCall' }>;
type ResultPart = Extract<ModelPart, { kind: 'toolResult' }>;

interface CallServices<S extends AgentServer> extends CallerServices {
  readonly skills: Skills;
  /** Those whose skills can be loaded. */
  readonly servers: () => readonly S[];
  /** Earlier turns: skills that were loaded there act on (SKL-38). */
  readonly history: readonly ModelMessage[];
  readonly shelf: OfferedTools<S>;
  readonly limits: ResultLimits;
  readonly emit: (event: AgentEvent<S>) => void;
}

/** The result of a call for the model. */
interface Answer {
  readonly parts: readonly ModelPart[];
  readonly isError?: boolean;
}

export class AgentCalls<S extends AgentServer> {
  readonly #services: CallServices<S>;
  /** URI → the server that named it in a result. */
  readonly #links = new Map<string, S>();
  readonly #used = new Set<S>();
  /** References of the skills that act in this conversation. */
  readonly #acting: Set<string>;

  constructor(services: CallServices<S>) {
    this.#services = services;
    this.#acting = new Set(loadedIn(services.history));
  }

  /** Servers of which a tool has run, in order of first use. */
  get used(): readonly S[] {
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
  async run(part: CallPart, registry: ToolRegistry<S>, signal: AbortSignal): Promise<ResultPart> {
    const answer = await this.#answer(part, registry, signal);
    return {
      kind: 'toolResult',
      callId: part.callId,
      parts: answer.parts,
      ...(answer.isError === true ? { isError: true } : {}),
    };
  }

  async #answer(part: CallPart, registry: ToolRegistry<S>, signal: AbortSignal): Promise<Answer> {
    const offered = registry.offered.get(part.tool);
    if (offered !== undefined) {
      this.#services.shelf.keep(part.tool);
      return this.#callServer(offered, part.input, signal);
    }
    switch (part.tool) {
      case ownTools.findTools:
        return this.#findTools(part.input, registry);
      case ownTools.readResource:
        return this.#readResource(part.input, signal);
      case ownTools.loadSkill:
        return this.#loadSkill(part.input, signal);
      default:
        return failure(`There is no tool with the name ${JSON.stringify(part.tool)}.`);
    }
  }

  async #callServer(call: AgentCall<S>, wanted: ToolInput, signal: AbortSignal): Promise<Answer> {
    const { approvals, checker, visits, emit } = this.#services;
    const { server, tool } = call;
    const ended = (end: CallEnd): void => emit({ kind: 'callEnded', call, end });
    const problems = await inputProblems(checker(), tool, wanted);
    if (problems.length > 0) {
      ended({ kind: 'invalidInput', problems });
      return invalid(problems);
    }
    emit({ kind: 'callRequested', call });
    const approval = await approvals.request(
      {
        server: server.config,
        tool,
        input: wanted,
        caller: 'model',
        skills: [...this.#acting],
      },
      signal,
    );
    if (approval.kind === 'denied') {
      ended({ kind: 'denied' });
      return failure('The user did not allow this call. Nothing was sent. Do not repeat it.');
    }
    const { input } = approval;
    emit({ kind: 'callStarted', call });
    const startedAt = Date.now();
    let outcome: ToolOutcome;
    try {
      outcome = await callTool(server, checker(), {
        ...visits(server.config),
        tool,
        input,
        signal,
        onProgress: (progress) => emit({ kind: 'callProgress', call, progress }),
      });
    } catch (error) {
      signal.throwIfAborted();
      const problem = toMcpError(error);
      ended({ kind: 'failed', error: problem });
      return failure(failureText(problem));
    }
    if (outcome.kind === 'invalidInput') {
      ended({ kind: 'invalidInput', problems: outcome.problems });
      return invalid(outcome.problems);
    }
    this.#used.add(server);
    for (const uri of linkedUris(outcome.result)) {
      this.#links.set(uri, server);
    }
    const notes =
      input === wanted ? [] : [`The user changed the input to ${JSON.stringify(input)}.`];
    const { parts, cutChars } = toModelParts(tool, outcome, this.#services.limits, notes);
    ended({ kind: 'result', outcome, input, durationMs: Date.now() - startedAt, cutChars });
    return { parts, isError: outcome.result.isError === true };
  }

  #findTools(input: ToolInput, registry: ToolRegistry<S>): Answer {
    const query = textOf(input['query']);
    const tools = this.#services.shelf.find(registry, query);
    this.#services.emit({ kind: 'toolsFound', query, tools });
    return tools.length === 0
      ? failure('No tool fits these words. Try other ones.')
      : text(
          [
            'These tools can be called now:',
            ...tools.map(({ forModel }) => `- ${forModel.name}: ${forModel.description}`),
          ].join('\n'),
        );
  }

  async #loadSkill(input: ToolInput, signal: AbortSignal): Promise<Answer> {
    const { skills, servers, limits, emit } = this.#services;
    const options = { caller: 'model', signal, limits } as const;
    const file = input['file'] === undefined ? undefined : textOf(input['file']);
    const wanted = { skill: textOf(input['skill']), ...(file !== undefined && { file }) };
    const answer = await loadSkill(skills, servers(), wanted, options);
    if (answer.used !== undefined) {
      this.#used.add(answer.used.server);
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
  async #readResource(input: ToolInput, signal: AbortSignal): Promise<Answer> {
    const uri = textOf(input['uri']);
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
      return { parts: resourceParts(contents, this.#services.limits).parts };
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

function text(words: string): Answer {
  return { parts: [{ kind: 'text', text: words }] };
}

function failure(words: string): Answer {
  return { ...text(words), isError: true };
}

function invalid(problems: readonly string[]): Answer {
  return failure(
    `The input does not fit the tool's schema; nothing was sent. ${problems.join('. ')}`,
  );
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
    : new McpError('protocol', toError(error).message, {
        cause: error,
      });
}
