/**
 * Carries one request of a client to the server behind, and the answer back as it came. Ids and
 * progress tokens stay on their side; of the parameters, only what belongs to one side is taken out.
 */
import { isObject, isString } from '../base/json.ts';
import type { ServerConfig } from '../host/config/serverConfig.ts';
import { isForApps, isForModels } from '../host/tools/visibility.ts';
import type { ApproveTool } from '../host/editorChat/approveTool.ts';
import { fromClient } from '../host/requestOrigin.ts';
import { sendToolCall, type ToolCallServices } from '../host/tools/callTool.ts';
import { isMcpError, isRpcError, McpError, rpcCodes, RpcError } from '../mcp/errors.ts';
import type { CallOptions } from '../mcp/session/session.ts';
import { capabilityOf } from '../mcp/listCapabilities.ts';
import type { ListName } from '../mcp/listItems.ts';
import type { Params } from '../mcp/types/message.ts';
import type { Method, ServerCapabilities } from '../mcp/types/methods.ts';
import type { ServedServer } from './servedServer.ts';
import { withoutRequiredTasks } from './tasks.ts';

export interface PassageParts {
  /** Returns the arguments to send. @throws McpError `denied` */
  readonly approveTool: ApproveTool;
  readonly visits: (server: ServerConfig) => ToolCallServices;
}

export interface PassedRequest {
  readonly method: string;
  readonly params: Params;
  readonly signal: AbortSignal;
  /** Present when the client wants to hear of progress. */
  readonly onProgress?: CallOptions['onProgress'];
  /** What the client was told that the server can do. */
  readonly declared: ServerCapabilities;
}

const lists = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
} as const satisfies Partial<Record<Method, ListName>>;

export class RequestForwarder {
  readonly #server: ServedServer;
  readonly #parts: PassageParts;

  constructor(server: ServedServer, parts: PassageParts) {
    this.#server = server;
    this.#parts = parts;
  }

  /** @throws RpcError of the server, and McpError */
  async send(request: PassedRequest): Promise<unknown> {
    switch (request.method) {
      case 'tools/list':
      case 'prompts/list':
      case 'resources/list':
      case 'resources/templates/list':
        return this.#list(request.method, request);
      case 'tools/call':
        return this.#callTool(request);
      case 'prompts/get':
      case 'resources/read':
      case 'completion/complete':
        return this.#call(request.method, request);
      default:
        throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${request.method}`);
    }
  }

  /** The server behind checks its parameters itself: its errors are its own. */
  #call(method: Method, request: PassedRequest): Promise<unknown> {
    const { onProgress } = request;
    return this.#server.use(
      (session, signal) =>
        session.call(method, passable(request.params), {
          signal,
          origin: fromClient,
          ...(onProgress && { onProgress }),
        }),
      request.signal,
      // A person picks a prompt in a chat; lists, documents and suggestions a client also gets by itself.
      method === 'prompts/get',
    );
  }

  async #list(method: keyof typeof lists, request: PassedRequest): Promise<unknown> {
    const list = lists[method];
    const items = await this.#server.remembered(list, request.signal);
    if (items !== undefined) {
      if (request.params['cursor'] !== undefined) {
        throw new RpcError(rpcCodes.invalidParams, 'The cursor is of a list that is no more');
      }
      return this.#selected(withoutRequiredTasks({ [list]: items }));
    }
    try {
      return this.#selected(withoutRequiredTasks(await this.#call(method, request)));
    } catch (error) {
      // A client that came before the server was known has been told that there may be such a list.
      const isMissing = isMcpError(error) && error.code === 'unsupported';
      if (isMissing && request.declared[capabilityOf(list)] !== undefined) {
        return { [list]: [] };
      }
      throw error;
    }
  }

  /** Without the tools that the user has switched off. Other lists have none. */
  #selected(result: unknown): unknown {
    if (!isObject(result) || !Array.isArray(result['tools'])) {
      return result;
    }
    const tools: readonly unknown[] = result['tools'];
    return {
      ...result,
      tools: tools.filter(
        (tool) => !isObject(tool) || !isString(tool['name']) || this.#server.isToolOn(tool['name']),
      ),
    };
  }

  async #callTool(request: PassedRequest): Promise<unknown> {
    const { params, signal, onProgress } = request;
    const { name, arguments: input = {} } = params;
    if (!isString(name) || !isObject(input)) {
      throw new RpcError(
        rpcCodes.invalidParams,
        'A tool call needs a string "name" and, if any, an object "arguments"',
      );
    }
    const server = this.#server.config;
    if (!this.#server.isToolOn(name)) {
      return toolError('The user has switched this tool off. Nothing was sent. Do not repeat it.');
    }
    const tool = await this.#server.tool(name, signal);
    const caller = this.#server.hasApps && isOfApp(params) ? 'app' : 'model';
    if (!(caller === 'app' ? isForApps(tool) : isForModels(tool))) {
      return toolError(`The server does not mean this tool for ${caller}s. Nothing was sent.`);
    }
    try {
      const approved = await this.#parts.approveTool({ server, tool, input, caller }, signal);
      const isUnsaid = params['arguments'] === undefined && Object.keys(approved).length === 0;
      const sent = { ...passable(params), name, ...(isUnsaid ? {} : { arguments: approved }) };
      return await this.#server.use(
        (session, both) =>
          sendToolCall(session, sent, {
            ...this.#parts.visits(server),
            tool,
            signal: both,
            origin: fromClient,
            ...(onProgress && { onProgress }),
          }),
        signal,
        true,
      );
    } catch (error) {
      return toToolError(error, server);
    }
  }
}

/**
 * What the model should read, since it cannot go on as before. An elicitation by URL that was not
 * done here must not reach the client: it would ask once more, and the server's questions are ours.
 */
function toToolError(error: unknown, { name }: ServerConfig): unknown {
  if (isMcpError(error) && error.code === 'denied') {
    return toolError(error.message);
  }
  if (isRpcError(error) && error.rpcCode === rpcCodes.urlElicitationRequired) {
    return toolError(
      `The server "${name}" wants the user to visit a web page before it runs this tool, and the user has not done so: ${error.message}`,
    );
  }
  throw error instanceof Error ? error : new McpError('protocol', String(error));
}

/**
 * Whether a call comes from an app that the editor draws. It says of a call for a model which request of the chat it is
 * for, and asks for progress; seen in the editor from 1.110 to 1.139.
 */
function isOfApp({ _meta: meta = {} }: Params): boolean {
  return !isObject(meta) || !('progressToken' in meta || 'vscode.requestId' in meta);
}

function toolError(text: string): unknown {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Without the client's progress token, and without the task that it was never told of. */
function passable(params: Params): Params {
  const { _meta, task: _task, ...rest } = params;
  if (!isObject(_meta)) {
    return rest;
  }
  const { progressToken: _token, ...meta } = _meta;
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
}
