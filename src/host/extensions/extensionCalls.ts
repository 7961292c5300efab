/**
 * Requests of other extensions: to call a tool, read a resource, get a prompt. Each takes the same way as for a model,
 * including approvals and audit, under the extension's claimed name.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import { raceSignal, settlesWithin } from '../../base/async.ts';
import { McpError } from '../../mcp/errors.ts';
import { isForModels } from '../apps/toolUi.ts';
import type { Progress } from '../../mcp/session/session.ts';
import type { GetPromptResult } from '../../mcp/types/methods.ts';
import {
  type AgentServer,
  runningServers,
  startLimitMs,
  startNeeded,
} from '../chat/agentServer.ts';
import type { ToolSelection } from '../chat/toolSelection.ts';
import { type Audit, audited } from '../audit/audit.ts';
import type { ResourceContent } from '../resources/resourceContents.ts';
import type { ServerConfig, ServerId, ExtensionClaim } from '../config/serverConfig.ts';
import type { ToolApprovals, ToolInput } from '../toolApproval/approvals.ts';
import { resolvePrompt } from '../prompts/prompts.ts';
import type { RequestOrigin } from '../requestOrigin.ts';
import {
  callTool,
  inputProblems,
  type ToolCallServices,
  type ToolOutcome,
} from '../tools/callTool.ts';
import type { AccessRequest, ExtensionAccess } from './extensionAccess.ts';

export interface ExtensionCallServices {
  readonly servers: () => ReadonlyMap<ServerId, AgentServer>;
  readonly approvals: Pick<ToolApprovals, 'request'>;
  readonly access: Pick<ExtensionAccess, 'request'>;
  readonly selection: Pick<ToolSelection, 'isOn'>;
  readonly checker: () => SchemaChecker;
  readonly callServices: (server: ServerConfig) => ToolCallServices;
  readonly audit: Audit;
}

export interface ToolCallResult extends Pick<
  Extract<ToolOutcome, { kind: 'result' }>,
  'result' | 'outputProblems'
> {
  /** The input as the user allowed it. */
  readonly input: ToolInput;
}

export class ExtensionCalls {
  readonly #services: ExtensionCallServices;
  readonly #extension: ExtensionClaim;

  constructor(services: ExtensionCallServices, extension: ExtensionClaim) {
    this.#services = services;
    this.#extension = extension;
  }

  get #origin(): RequestOrigin {
    return { kind: 'extension', id: this.#extension.id };
  }

  /**
   * @param input must not change during the call, so that what the user reads is what is sent
   * @throws McpError `invalidInput`, `denied`, `closed`, and what the call itself fails with
   */
  async callTool(
    serverId: ServerId,
    name: string,
    input: ToolInput,
    options: { readonly signal: AbortSignal; readonly onProgress?: (progress: Progress) => void },
  ): Promise<ToolCallResult> {
    const { approvals, checker, callServices, selection } = this.#services;
    const { signal, onProgress } = options;
    const server = await this.#running(this.#known(serverId), signal);
    const tool = server.catalog.items('tools').find((one) => one.name === name);
    if (tool === undefined || !isForModels(tool)) {
      throw new McpError('invalidInput', `${named(server)} has no tool "${name}"`);
    }
    if (!selection.isOn({ serverId, tool: name })) {
      throw new McpError(
        'denied',
        `The user has switched off the tool "${name}" of ${named(server)}: "MCP Host: Select Tools…" switches it on`,
      );
    }
    requireFit(await inputProblems(checker(), tool, input));
    const extension = this.#extension;
    const approval = await approvals.request(
      { server: server.config, tool, input, caller: 'extension', extension },
      signal,
    );
    if (approval.kind === 'denied') {
      throw new McpError('denied', `${approval.why}: "${name}" of ${named(server)}`);
    }
    const outcome = await callTool(server, checker(), {
      ...callServices(server.config),
      tool,
      input: approval.input,
      signal,
      origin: this.#origin,
      ...(onProgress && { onProgress }),
    });
    if (outcome.kind === 'invalidInput') {
      throw invalid(outcome.problems);
    }
    return {
      result: outcome.result,
      outputProblems: outcome.outputProblems,
      input: approval.input,
    };
  }

  /** @throws McpError `invalidInput`, `denied`, `closed`, and what reading fails with */
  async readResource(
    serverId: ServerId,
    uri: string,
    signal: AbortSignal,
  ): Promise<readonly ResourceContent[]> {
    return this.#allowed(serverId, { kind: 'resource', uri }, signal, async (server) =>
      server.resources.read(uri, signal, this.#origin),
    );
  }

  /** @throws McpError `invalidInput`, `denied`, `closed`, and the server's error */
  async getPrompt(
    serverId: ServerId,
    name: string,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<GetPromptResult> {
    return this.#allowed(serverId, { kind: 'prompt', name }, signal, async (server) => {
      const prompt = server.catalog.items('prompts').find((one) => one.name === name);
      if (prompt === undefined) {
        throw new McpError('invalidInput', `${named(server)} has no prompt "${name}"`);
      }
      return resolvePrompt(server, prompt, values, signal, this.#origin);
    });
  }

  /** Asks before the server is started, and records every outcome. */
  async #allowed<T>(
    serverId: ServerId,
    wants: AccessRequest['wants'],
    signal: AbortSignal,
    use: (server: AgentServer) => Promise<T>,
  ): Promise<T> {
    const { access, audit } = this.#services;
    const server = this.#known(serverId);
    const extension = this.#extension;
    const what =
      wants.kind === 'resource'
        ? ({ event: 'resourceRead' } as const)
        : ({ event: 'promptUse', prompt: wants.name } as const);
    const subject = { ...what, caller: 'extension', extension: extension.id } as const;
    return audited(audit, server.config, subject, async (note) => {
      const decision = await access.request({ server: server.config, extension, wants }, signal);
      if (decision === 'denied') {
        const text = `The user did not allow access to resources and prompts of ${named(server)}`;
        throw new McpError('denied', text);
      }
      note(
        decision === 'asked' ? { by: 'hand' } : ({ by: 'rule', because: 'remembered' } as const),
      );
      return use(await this.#running(server, signal));
    });
  }

  #known(serverId: ServerId): AgentServer {
    const server = this.#services.servers().get(serverId);
    if (server === undefined) {
      throw new McpError('invalidInput', `There is no MCP server with the id "${serverId}"`);
    }
    return server;
  }

  /** Starts an on-demand server: the call is the demand. */
  async #running(server: AgentServer, signal: AbortSignal): Promise<AgentServer> {
    const [failure] = await startNeeded([server], () => undefined, signal);
    if (failure !== undefined) {
      throw failure.error;
    }
    if (runningServers([server]).length === 0) {
      throw new McpError('closed', `${named(server)} is not running: start it first`);
    }
    await raceSignal(settlesWithin(server.catalog.whenLoaded(), startLimitMs), signal);
    return server;
  }
}

function named({ config }: AgentServer): string {
  return `The MCP server "${config.name}"`;
}

function requireFit(problems: readonly string[]): void {
  if (problems.length > 0) {
    throw invalid(problems);
  }
}

function invalid(problems: readonly string[]): McpError {
  return new McpError('invalidInput', problems.join(' '));
}
