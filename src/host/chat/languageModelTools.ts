/**
 * The four tools that models get outside of `@mcp`: find what servers offer, call a tool, read a resource, get a
 * prompt. Calls take the same way as those of `@mcp`, including approvals. Every outcome, even a refusal, is an answer
 * in words; only an abort throws.
 */
import { raceSignal, settlesWithin } from '../../base/async.ts';
import { isMcpError } from '../../mcp/errors.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { ModelPart } from '../models/model.ts';
import { resolvePrompt } from '../prompts/prompts.ts';
import { fromModel } from '../requestOrigin.ts';
import type { Skills } from '../skills/skills.ts';
import type { CallerServices } from '../tools/callTool.ts';
import { AgentCalls } from './agentCalls.ts';
import { runningServers, startLimitMs, startNeeded } from './agentServer.ts';
import {
  isFor,
  promptParts,
  resourceParts,
  type ResultLimits,
  resultLimits,
} from './toolResult.ts';
import { OfferedTools } from './findTools.ts';
import { charsPerToken } from './modelContext.ts';
import { buildRegistry, type LeftOutBecause, type ToolRegistry } from './modelTools.ts';
import { findOffers, type OfferingServer, overview, serverNames } from './offers.ts';
import { findSkills, type LoadInput, loadSkill } from './skillTools.ts';
import type { ToolSelection } from './toolSelection.ts';

export interface LanguageModelToolServices<S extends OfferingServer> extends CallerServices {
  readonly servers: () => Iterable<S>;
  /** Whether the user offers the server to the editor's chat. */
  readonly isOffered: (server: ServerConfig) => boolean;
  readonly selection: Pick<ToolSelection, 'isOn'>;
  readonly skills: Skills;
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

export class LanguageModelTools<S extends OfferingServer> {
  readonly #services: LanguageModelToolServices<S>;

  constructor(services: LanguageModelToolServices<S>) {
    this.#services = services;
  }

  async find({ query = '', server }: FindInput, bounds: CallBounds): Promise<Parts> {
    const names = await this.#names(bounds.signal);
    const registry = this.#registry(names);
    if (names.size === 0) {
      return text('No MCP server is running that the user offers to agents.');
    }
    if (server !== undefined && server !== '') {
      const found = pick(names, server);
      return found === undefined
        ? unknownServer(server, names)
        : this.#offers(new Map([found]), registry, query, bounds);
    }
    return query.trim() === ''
      ? text(overview(names, registry))
      : this.#offers(names, registry, query, bounds);
  }

  async call({ server, tool, input = {} }: CallInput, bounds: CallBounds): Promise<Parts> {
    return this.#use(server, bounds, async (found, limits, names) => {
      const registry = this.#registry(names);
      const offered = [...registry.offered.values()].find(isNamed(found, tool));
      if (offered === undefined) {
        return text(notCallable(server, tool, registry.leftOut.find(isNamed(found, tool))));
      }
      const shelf = new OfferedTools<S>(1, '');
      const calls = new AgentCalls<S>({
        ...this.#services,
        servers: () => [...names.values()],
        history: [],
        shelf,
        limits,
        emit: () => undefined,
      });
      const { name } = offered.forModel;
      const part = { kind: 'toolCall', callId: '', tool: name, input } as const;
      return (await calls.run(part, registry, bounds.signal)).parts;
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
      const contents = await found.resources.read(uri, bounds.signal, fromModel);
      return resourceParts(contents, limits).parts;
    });
  }

  async getPrompt(input: PromptInput, bounds: CallBounds): Promise<Parts> {
    return this.#use(input.server, bounds, async (found, limits) => {
      const prompt = found.catalog.items('prompts').find(({ name }) => name === input.prompt);
      if (prompt === undefined) {
        return text(
          `The server ${JSON.stringify(input.server)} has no prompt ${JSON.stringify(input.prompt)}. mcp_find_tools lists what there is.`,
        );
      }
      const result = await resolvePrompt(
        found,
        prompt,
        input.arguments ?? {},
        bounds.signal,
        fromModel,
      );
      return promptParts(result, limits).parts;
    });
  }

  async findSkills({ query = '' }: FindInput, bounds: CallBounds): Promise<Parts> {
    const names = await this.#names(bounds.signal);
    return text(findSkills(names.values(), query));
  }

  async loadSkill(input: LoadInput, bounds: CallBounds): Promise<Parts> {
    const names = await this.#names(bounds.signal);
    const { signal } = bounds;
    const options = { caller: 'model', signal, limits: limitsFor(bounds) } as const;
    return (await loadSkill(this.#services.skills, [...names.values()], input, options)).parts;
  }

  /** Starts on-demand servers, since this request is the demand. Waits for lists that are being fetched. */
  async #names(signal: AbortSignal): Promise<ReadonlyMap<string, S>> {
    await startNeeded(this.#offered(), () => undefined, signal);
    const running = runningServers(this.#offered());
    const loaded = Promise.all(running.map(({ catalog }) => catalog.whenLoaded()));
    await raceSignal(settlesWithin(loaded, startLimitMs), signal);
    return serverNames(running);
  }

  #offered(): readonly S[] {
    const { servers, isOffered } = this.#services;
    return [...servers()].filter(({ config }) => isOffered(config));
  }

  #registry(names: ReadonlyMap<string, S>): ToolRegistry<S> {
    return buildRegistry([...names.values()], this.#services.selection);
  }

  #offers(
    names: ReadonlyMap<string, S>,
    registry: ToolRegistry<S>,
    query: string,
    bounds: CallBounds,
  ): Parts {
    const maxChars = Math.min(maxFindChars, limitsFor(bounds).maxChars);
    const nothing =
      query.trim() === '' ? 'It offers nothing.' : 'Nothing fits these words. Try other ones.';
    return text(findOffers(names, registry, query, maxChars) ?? nothing);
  }

  async #use(
    server: string,
    bounds: CallBounds,
    use: (server: S, limits: ResultLimits, names: ReadonlyMap<string, S>) => Promise<Parts>,
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
        return text(error.message);
      }
      throw error;
    }
  }
}

function isNamed<S>(
  server: S,
  name: string,
): (one: { readonly server: S; readonly tool: { readonly name: string } }) => boolean {
  return (one) => one.server === server && one.tool.name === name;
}

/** Case counts only between names that differ in nothing else. */
function pick<S>(names: ReadonlyMap<string, S>, wanted: string): [string, S] | undefined {
  const all = [...names];
  return (
    all.find(([name]) => name === wanted) ??
    all.find(([name]) => name.toLowerCase() === wanted.toLowerCase())
  );
}

function unknownServer(wanted: string, names: ReadonlyMap<string, unknown>): Parts {
  const running = [...names.keys()].map((name) => JSON.stringify(name)).join(', ');
  return text(
    `No MCP server ${JSON.stringify(wanted)} is running. ${running === '' ? 'None is.' : `These are: ${running}.`}`,
  );
}

function notCallable(
  server: string,
  tool: string,
  leftOut: { readonly because: LeftOutBecause } | undefined,
): string {
  const name = `The tool ${JSON.stringify(tool)} of the server ${JSON.stringify(server)}`;
  const because = leftOut?.because;
  if (because === undefined) {
    return `${name} does not exist. mcp_find_tools lists what there is.`;
  }
  switch (because.kind) {
    case 'off':
      return `${name} cannot be called: the user has switched it off.`;
    case 'app':
      return `${name} cannot be called: its server reserves it for its apps.`;
    case 'schema':
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
  return [{ kind: 'text', text: words }];
}
