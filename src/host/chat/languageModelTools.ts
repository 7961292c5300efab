/**
 * The tools that models get outside of `@mcp`: find what servers offer, call a tool, read a resource, get a prompt, find
 * and load skills. Calls take the same way as those of `@mcp`, including approvals. Every outcome, even a refusal, is an answer
 * in words; only an abort throws.
 */
import { raceSignal, settlesWithin } from '../../base/async.ts';
import { isMcpError } from '../../mcp/errors.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { GetPromptResult } from '../../mcp/types/methods.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import { type ModelPart, textPart } from '../models/model.ts';
import { resolvePrompt } from '../prompts/prompts.ts';
import { fromModel } from '../requestOrigin.ts';
import type { Skills } from '../skills/skills.ts';
import type { CallerServices } from '../tools/callTool.ts';
import { callForModel, failure } from './callForModel.ts';
import { type AgentServer, runningServers, startLimitMs, startNeeded } from './agentServer.ts';
import {
  isFor,
  promptForModel,
  resourceParts,
  shortened,
  resultLimits,
  type ResultLimits,
} from './modelParts.ts';
import { findOffers, overview, type ServerNames, serverNames } from './findTools.ts';
import { charsPerToken } from './modelContext.ts';
import { buildRegistry, type LeftOutBecause, type ToolRegistry } from './modelTools.ts';
import { findSkills, type LoadInput, loadSkill } from './skillTools.ts';
import type { ToolSelection } from './toolSelection.ts';

export interface LanguageModelToolServices extends CallerServices {
  readonly servers: () => Iterable<AgentServer>;
  /** Whether the user offers the server to the editor's chat. */
  readonly isOffered: (server: ServerConfig) => boolean;
  readonly selection: Pick<ToolSelection, 'isOn'>;
  readonly skills: Skills;
  /** References of the skills that were loaded: the editor does not say in which conversation, so each call is asked about. */
  readonly actingInEditor: Set<string>;
}

export interface FindInput {
  readonly query?: string;
  readonly server?: string;
}

export interface CallInput {
  readonly server: string;
  readonly tool: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

export interface ReadInput {
  readonly server: string;
  readonly uri: string;
}

export interface PromptInput {
  readonly server: string;
  readonly prompt: string;
  readonly arguments?: Readonly<Record<string, string>>;
}

/** The limits of one call. */
export interface CallBounds {
  readonly signal: AbortSignal;
  /** The model's room for the answer, if the editor tells it. */
  readonly tokenBudget?: number;
}

type Parts = readonly ModelPart[];

const maxFindChars = 30_000;

export class LanguageModelTools {
  readonly #services: LanguageModelToolServices;

  constructor(services: LanguageModelToolServices) {
    this.#services = services;
  }

  async find({ query = '', server = '' }: FindInput, bounds: CallBounds): Promise<Parts> {
    const names = await this.#names(bounds.signal);
    if (names.size === 0) {
      return text('No MCP server is running that the user offers to agents.');
    }
    const found = pick(names, server);
    if (server !== '' && found === undefined) {
      return unknownServer(server, names);
    }
    const registry = this.#registry(names);
    const isBlank = query.trim() === '';
    if (found === undefined && isBlank) {
      return text(overview(names, registry));
    }
    const maxChars = Math.min(maxFindChars, limitsFor(bounds).maxChars);
    const offers = findOffers(found ? new Map([found]) : names, registry, query, maxChars);
    const nothing = isBlank ? 'It offers nothing.' : 'Nothing fits these words. Try other ones.';
    return text(offers ?? nothing);
  }

  async call({ server, tool, input = {} }: CallInput, bounds: CallBounds): Promise<Parts> {
    return this.#use(server, bounds, async (found, limits, names) => {
      const { offered, leftOut } = this.#registry(names);
      const isIt = (one: { readonly server: AgentServer; readonly tool: Tool }): boolean =>
        one.server === found && one.tool.name === tool;
      const call = [...offered.values()].find(isIt);
      if (call === undefined) {
        return text(notCallable(server, tool, leftOut.find(isIt)?.because));
      }
      const acting = [...this.#services.actingInEditor];
      const services = { ...this.#services, limits, acting, emit: () => undefined };
      const answers = await callForModel(services, [{ call, input }], bounds.signal);
      return [...answers.values()].flatMap(({ parts }) => parts);
    });
  }

  async readResource({ server, uri }: ReadInput, bounds: CallBounds): Promise<Parts> {
    return this.#use(server, bounds, async (found, limits) => {
      const listed = found.catalog.items('resources').find((resource) => resource.uri === uri);
      if (!isFor('assistant', listed?.annotations)) {
        return text(
          `The server addresses ${JSON.stringify(uri)} to the user only, who can open it in the editor.`,
        );
      }
      return resourceParts(await found.resources.read(uri, bounds.signal, fromModel), limits);
    });
  }

  async getPrompt(
    { server, prompt, arguments: args = {} }: PromptInput,
    bounds: CallBounds,
  ): Promise<Parts> {
    return this.#use(server, bounds, async (found, limits) => {
      const listed = found.catalog.items('prompts').find(({ name }) => name === prompt);
      if (listed === undefined) {
        return text(
          `The server ${JSON.stringify(server)} has no prompt ${JSON.stringify(prompt)}. mcp_find_tools lists what there is.`,
        );
      }
      const result = await resolvePrompt(found, listed, args, bounds.signal, fromModel);
      return promptParts(result, limits);
    });
  }

  async findSkills({ query = '' }: FindInput, bounds: CallBounds): Promise<Parts> {
    const names = await this.#names(bounds.signal);
    return text(findSkills(names.values(), query));
  }

  async loadSkill(input: LoadInput, bounds: CallBounds): Promise<Parts> {
    const names = await this.#names(bounds.signal);
    const { signal } = bounds;
    const limits = limitsFor(bounds);
    const { skills, actingInEditor: acting } = this.#services;
    const options = { caller: 'model', signal, limits, acting } as const;
    const { parts, used } = await loadSkill(skills, [...names.values()], input, options);
    if (used !== undefined) {
      acting.add(used.reference);
    }
    return parts;
  }

  /** Starts on-demand servers, since this request is the demand. Waits for lists that are being fetched. */
  async #names(signal: AbortSignal): Promise<ServerNames> {
    const { servers, isOffered } = this.#services;
    const offered = (): readonly AgentServer[] =>
      [...servers()].filter(({ config }) => isOffered(config));
    await startNeeded(offered(), () => undefined, signal);
    const running = runningServers(offered());
    const loaded = Promise.all(running.map(({ catalog }) => catalog.whenLoaded()));
    await raceSignal(settlesWithin(loaded, startLimitMs), signal);
    return serverNames(running);
  }

  #registry(names: ServerNames): ToolRegistry {
    return buildRegistry([...names.values()], this.#services.selection);
  }

  async #use(
    server: string,
    bounds: CallBounds,
    use: (server: AgentServer, limits: ResultLimits, names: ServerNames) => Promise<Parts>,
  ): Promise<Parts> {
    const names = await this.#names(bounds.signal);
    const found = pick(names, server);
    if (found === undefined) {
      return unknownServer(server, names);
    }
    try {
      return await use(found[1], limitsFor(bounds), names);
    } catch (error) {
      bounds.signal.throwIfAborted();
      if (isMcpError(error)) {
        return failure(error.message).parts;
      }
      throw error;
    }
  }
}

/** The messages of a prompt, each with its role: an answer has no roles of its own. */
function promptParts({ description, messages }: GetPromptResult, limits: ResultLimits): Parts {
  const all = promptForModel(messages, limits).messages.flatMap(({ role, parts }) =>
    parts.flatMap((part) =>
      part.kind === 'text' ? [textPart(`${role}: ${part.text}`)] : [textPart(`${role}:`), part],
    ),
  );
  const about =
    description === undefined
      ? []
      : [shortened(textPart(`Description: ${description}`), limits.maxChars)];
  return [...about, ...all];
}

/** Case counts only between names that differ in nothing else. */
function pick(names: ServerNames, wanted: string): [string, AgentServer] | undefined {
  const all = [...names];
  return (
    all.find(([name]) => name === wanted) ??
    all.find(([name]) => name.toLowerCase() === wanted.toLowerCase())
  );
}

function unknownServer(wanted: string, names: ServerNames): Parts {
  const running = [...names.keys()].map((name) => JSON.stringify(name)).join(', ');
  return text(
    `No MCP server ${JSON.stringify(wanted)} is running. ${running === '' ? 'None is.' : `These are: ${running}.`}`,
  );
}

function notCallable(server: string, tool: string, because: LeftOutBecause | undefined): string {
  const name = `The tool ${JSON.stringify(tool)} of the server ${JSON.stringify(server)}`;
  switch (because?.kind) {
    case undefined:
      return `${name} does not exist. mcp_find_tools lists what there is.`;
    case 'off':
      return `${name} cannot be called: the user has switched it off.`;
    case 'app':
      return `${name} cannot be called: its server reserves it for its apps.`;
    case 'unusable':
      return `${name} cannot be called: ${because.reason}`;
  }
}

function limitsFor({ tokenBudget = Infinity }: CallBounds): ResultLimits {
  return {
    ...resultLimits,
    maxChars: Math.min(resultLimits.maxChars, tokenBudget * charsPerToken),
  };
}

function text(words: string): Parts {
  return [textPart(words)];
}
