/**
 * Carries out the model's calls: a server's tool after the user's approval, or one of the agent's own tools. Every
 * outcome becomes a result for the model and an event for display; only the user's stop ends the run.
 */
import { toError } from '../../base/async.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import type { ApprovalOutcome, ToolInput } from '../toolApproval/approvals.ts';
import { type ModelMessage, type ModelPart, type ModelTool, textPart } from '../models/model.ts';
import { fromModel } from '../requestOrigin.ts';
import { findSkill, namedSkills } from '../skills/namedSkills.ts';
import type { Skills } from '../skills/skills.ts';
import { callTool, type CallerServices, inputProblems } from '../tools/callTool.ts';
import type { AgentCall, AgentEvent, CallEnd } from './agentEvents.ts';
import type { AgentServer } from './agentServer.ts';
import type { OfferedTools } from './findTools.ts';
import { ownTools, type ToolRegistry, type OfferedTool } from './modelTools.ts';
import { loadSkill, loadSkillTool } from './skillTools.ts';
import { linkedUris, resourceParts, type ResultLimits, toModelParts } from './modelParts.ts';
import type { CallToolResult } from '../../mcp/types/methods.ts';

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

interface WantedCall {
  readonly call: AgentCall;
  readonly input: ToolInput;
}

interface ServerAnswer extends Answer {
  readonly result?: CallToolResult;
}

/**
 * Calls servers' tools side by side, after one question to the user about all that need one. One that fails does not
 * stop the others.
 * @returns what the model gets for each, in this order, and the server's result if there is one
 * @throws the signal's reason when it aborts
 */
export async function callForModel<W extends WantedCall>(
  services: CallServices,
  wanted: readonly W[],
  signal: AbortSignal,
): Promise<ReadonlyMap<W, ServerAnswer>> {
  const { approvals, checker, emit, acting: skills = [] } = services;
  const checks = wanted.map(async (one) => {
    const problems = await inputProblems(checker(), one.call.tool, one.input);
    return { one, problems };
  });
  const checked = await Promise.all(checks);
  const fitting = checked.filter(({ problems }) => problems.length === 0).map(({ one }) => one);
  for (const { call } of fitting) {
    emit({ kind: 'callRequested', call });
  }
  const outcomes = approvals.requestAll(
    fitting.map(({ call: { server, tool }, input }) => ({
      server: server.config,
      tool,
      input,
      caller: 'model',
      skills,
    })),
    signal,
  );
  const approvalOf = new Map(fitting.map((one, index) => [one, outcomes[index]]));
  const ends = await Promise.allSettled(
    checked.map(async ({ one, problems }) => {
      const approval = await approvalOf.get(one);
      const answer =
        approval === undefined
          ? invalid(services, one, problems)
          : await callApproved(services, one, approval, signal);
      return [one, answer] as const;
    }),
  );
  return new Map(
    ends.map((end) => {
      if (end.status === 'rejected') {
        throw toError(end.reason);
      }
      return end.value;
    }),
  );
}

function invalid(
  { emit }: CallServices,
  { call, input }: WantedCall,
  problems: readonly string[],
): Answer {
  emit({ kind: 'callEnded', call, input, end: { kind: 'invalidInput', problems } });
  const words = "The input does not fit the tool's schema; nothing was sent.";
  return failure(`${words} ${problems.join('. ')}`);
}

async function callApproved(
  services: CallServices,
  { call, input: wanted }: WantedCall,
  approval: ApprovalOutcome,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const { checker, visits, limits, emit } = services;
  const { server, tool } = call;
  if (approval.kind === 'denied') {
    emit({ kind: 'callEnded', call, input: wanted, end: { kind: 'denied' } });
    return failure(`${approval.why}. Nothing was sent. Do not repeat it.`);
  }
  const { input } = approval;
  const ended = (end: CallEnd): void => emit({ kind: 'callEnded', call, input, end });
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
    return invalid(services, { call, input }, outcome.problems);
  }
  const notes = input === wanted ? [] : [`The user changed the input to ${JSON.stringify(input)}.`];
  const { parts, cutChars } = toModelParts(tool, outcome, limits, notes);
  ended({ kind: 'result', outcome, durationMs: Date.now() - startedAt, cutChars });
  return { parts, isError: outcome.result.isError === true, result: outcome.result };
}

interface OfferedCall extends WantedCall {
  readonly part: CallPart;
  readonly call: OfferedTool;
}

interface RunServices extends CallServices {
  readonly shelf: OfferedTools;
  readonly skills: Skills;
  /** Those whose skills can be loaded. */
  readonly servers: () => readonly AgentServer[];
  /** Earlier turns, and this question: skills that were loaded there act on (SKL-38). */
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

  /**
   * Carries out the calls of one answer of the model: the agent's own tools one after the other, then those of servers
   * side by side. So a skill that is loaded here acts in each of them.
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
    for (const part of parts) {
      const call = registry.offered.get(part.tool);
      if (call === undefined) {
        answers.set(part, await this.#useOwn(part, registry, signal));
      } else {
        ofServers.push({ part, call, input: part.input });
      }
    }
    for (const [{ part }, answer] of await this.#callServers(ofServers, signal)) {
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
