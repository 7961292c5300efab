/**
 * Forwards one request of a client to the server, and returns the answer unchanged. Ids and progress tokens are not
 * passed on; nor are parameters that concern one side only.
 */
import { isObject, isString, type JsonObject } from '../base/json.ts';
import type { ServerConfig } from '../host/config/serverConfig.ts';
import { contentPolicy } from '../host/apps/contentPolicy.ts';
import { readDomainRules } from '../host/apps/domainRules.ts';
import { isForApps, isForModels } from '../host/apps/toolUi.ts';
import type { ChatCall } from '../host/editorChat/approveTool.ts';
import { fromApp, fromClient } from '../host/requestOrigin.ts';
import { sendToolCall, type ToolOutcome } from '../host/tools/callTool.ts';
import {
  type ErrorCode,
  isMcpError,
  isRpcError,
  McpError,
  rpcCodes,
  RpcError,
} from '../mcp/errors.ts';
import type { CallOptions } from '../mcp/session/session.ts';
import { type BaseListName, capabilityOf, listMethods } from '../mcp/listItems.ts';
import type { Tool } from '../mcp/types/lists.ts';
import type { Params, RpcErrorObject } from '../mcp/types/message.ts';
import type { Method, ServerCapabilities } from '../mcp/types/methods.ts';
import type { ServedServer } from './servedServer.ts';

export interface PassedRequest {
  readonly method: string;
  readonly params: Params;
  readonly signal: AbortSignal;
  /** Present when the client asked for progress. */
  readonly onProgress?: CallOptions['onProgress'];
  /** The client renders MCP apps, by its own word (APP-10). */
  readonly showsApps: boolean;
  /** The capabilities that the client was told. */
  readonly declared: ServerCapabilities;
}

const listNames = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;

/** @throws RpcError of the server, and McpError */
export async function forward(server: ServedServer, request: PassedRequest): Promise<unknown> {
  const { method } = request;
  const list = listNames.find((name) => listMethods[name] === method);
  if (list !== undefined) {
    return listOf(server, list, request);
  }
  switch (method) {
    case 'tools/call':
      return callTool(server, request);
    case 'resources/read':
      return readResource(server, request);
    case 'prompts/get':
    case 'completion/complete':
      return call(server, method, request);
    default:
      throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${method}`);
  }
}

/**
 * The server checks the parameters itself, so its errors are passed on, but for an incomplete URL elicitation: the client
 * would ask again, and this host answers the server's questions.
 */
async function call(
  server: ServedServer,
  method: Method,
  request: PassedRequest,
): Promise<unknown> {
  const { onProgress } = request;
  try {
    return await server.use(
      (session, signal) =>
        session.call(method, passable(request.params), {
          signal,
          origin: fromClient,
          ...(onProgress && { onProgress }),
        }),
      request.signal,
      // The user picks a prompt in a chat; a client may request lists, documents and suggestions without the user.
      method === 'prompts/get',
    );
  } catch (error) {
    throw isUnvisited(error)
      ? new RpcError(rpcCodes.internalError, unvisited(server.config, error))
      : error;
  }
}

function isUnvisited(error: unknown): error is RpcError {
  return isRpcError(error) && error.rpcCode === rpcCodes.urlElicitationRequired;
}

function unvisited({ name }: ServerConfig, { message }: RpcError): string {
  return `The server "${name}" wants the user to visit a web page first, and the user has not done so: ${message}`;
}

async function listOf(
  server: ServedServer,
  list: BaseListName,
  request: PassedRequest,
): Promise<unknown> {
  if (list === 'prompts' && !server.parts.showsPrompts(server.config.id)) {
    return { prompts: [] };
  }
  const items = await server.remembered(list, request.signal);
  if (items !== undefined) {
    if (request.params['cursor'] !== undefined) {
      throw new RpcError(
        rpcCodes.invalidParams,
        'The cursor belongs to a list that no longer exists',
      );
    }
    return selected(server, { [list]: items }, request);
  }
  try {
    return selected(server, await call(server, listMethods[list], request), request);
  } catch (error) {
    // A client that connected before the server was known was told that this list may exist.
    const isMissing = isMcpError(error) && error.code === 'unsupported';
    if (isMissing && request.declared[capabilityOf(list)] !== undefined) {
      return { [list]: [] };
    }
    throw error;
  }
}

/**
 * Removes the tools that the user has switched off, and what tools say of tasks (revision 2025-11-25): the host runs the
 * task and returns its result, and clients that were told of it would refuse the call (TRAP-53). Where no apps are
 * shown, also tools for apps alone, and links to views. Other lists stay unchanged.
 */
function selected(server: ServedServer, result: unknown, request: PassedRequest): unknown {
  if (!isObject(result) || !Array.isArray(result['tools'])) {
    return underDomainRules(server, 'resources', result);
  }
  const showsApps = request.showsApps && server.showsApps;
  const tools = result['tools'].flatMap((tool: unknown) => {
    if (!isObject(tool)) {
      return [tool];
    }
    const { execution: _execution, ...rest } = tool;
    const isOn = !isString(rest['name']) || server.isToolOn(rest['name']);
    if (!isOn || (!showsApps && !isForModels(rest))) {
      return [];
    }
    return [showsApps ? rest : withoutUi(rest)];
  });
  return { ...result, tools };
}

async function readResource(server: ServedServer, request: PassedRequest): Promise<unknown> {
  const result = await call(server, 'resources/read', request);
  const { uri } = request.params;
  if (request.showsApps && server.showsApps && isString(uri) && uri.startsWith('ui://')) {
    server.parts.takePage(server.connection, uri, result);
  }
  return underDomainRules(server, 'contents', result);
}

/** Leaves out the sites that the user does not let apps reach (APP-28): the editor makes the policy of a view from these. */
function underDomainRules(
  { parts }: ServedServer,
  member: 'contents' | 'resources',
  result: unknown,
): unknown {
  const rules = readDomainRules(parts.appDomains());
  if (rules === undefined || !isObject(result) || !Array.isArray(result[member])) {
    return result;
  }
  const ruled = result[member].map((item: unknown) => {
    const meta = isObject(item) ? item['_meta'] : undefined;
    const ui = isObject(meta) ? meta['ui'] : undefined;
    return isObject(item) && isObject(meta) && isObject(ui)
      ? { ...item, _meta: { ...meta, ui: { ...ui, csp: contentPolicy(ui['csp'], rules).csp } } }
      : item;
  });
  return { ...result, [member]: ruled };
}

async function callTool(served: ServedServer, request: PassedRequest): Promise<unknown> {
  const { params, signal, onProgress } = request;
  const { name, arguments: input = {} } = params;
  if (!isString(name) || !isObject(input)) {
    throw new RpcError(
      rpcCodes.invalidParams,
      'A tool call needs a string "name" and, if any, an object "arguments"',
    );
  }
  // The approval counts for this entry. Another connection may serve the client before the user has answered.
  const { connection } = served;
  const server = connection.config;
  if (!served.isToolOn(name)) {
    return toolError('The user has switched this tool off. Nothing was sent. Do not repeat it.');
  }
  const tool = await served.tool(name, signal);
  const caller = request.showsApps && served.hadApps && isOfApp(params) ? 'app' : 'model';
  const refusal = refusalOf(served, tool, caller);
  if (refusal !== undefined) {
    return toolError(refusal);
  }
  try {
    const drawn =
      caller === 'model'
        ? served.parts.drawnCalls.take({ server: server.id, tool: name, input })
        : undefined;
    if (drawn !== undefined) {
      return resultOf(await drawn);
    }
    const approved = await served.parts.approveTool({ server, tool, input, caller }, signal);
    const isUnsaid = params['arguments'] === undefined && Object.keys(approved).length === 0;
    const sent = { ...passable(params), name, ...(isUnsaid ? {} : { arguments: approved }) };
    return await connection.withSession(
      (session, both) =>
        sendToolCall(session, sent, {
          ...served.parts.callServices(server),
          tool,
          signal: both,
          origin: caller === 'app' ? fromApp : fromClient,
          ...(onProgress && { onProgress }),
        }),
      signal,
      true,
    );
  } catch (error) {
    return toToolError(error, server);
  }
}

/** Why nobody is asked about a call; undefined for one that may be. */
function refusalOf(
  served: ServedServer,
  tool: Tool,
  caller: ChatCall['caller'],
): string | undefined {
  if (caller === 'app' && !served.showsApps) {
    return 'The user has switched MCP apps off for this server. Nothing was sent.';
  }
  const isMeant = caller === 'app' ? isForApps(tool) : isForModels(tool);
  return isMeant
    ? undefined
    : `The server does not offer this tool to ${caller}s. Nothing was sent.`;
}

function resultOf(outcome: ToolOutcome): unknown {
  return outcome.kind === 'result' ? outcome.result : toolError(outcome.problems.join('. '));
}

/** Turns an error into a tool result that the model reads, since it cannot go on as before. */
function toToolError(error: unknown, server: ServerConfig): unknown {
  if (isMcpError(error) && error.code === 'denied') {
    return toolError(error.message);
  }
  if (isUnvisited(error)) {
    return toolError(unvisited(server, error));
  }
  throw error instanceof Error ? error : new McpError('protocol', String(error));
}

/**
 * Whether a call comes from an app that the editor draws. For a model's call the editor sends the id of the chat
 * request, and asks for progress; seen in the editor from 1.110 to 1.139.
 */
function isOfApp({ _meta: meta = {} }: Params): boolean {
  return !isObject(meta) || !('progressToken' in meta || 'vscode.requestId' in meta);
}

/** Without what MCP Apps add to a tool. */
function withoutUi(tool: JsonObject): JsonObject {
  if (!isObject(tool['_meta'])) {
    return tool;
  }
  const { ui: _ui, 'ui/resourceUri': _uri, ...meta } = tool['_meta'];
  return { ...tool, _meta: meta };
}

function toolError(text: string): unknown {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Removes the client's progress token and `task`, which the bridge does not offer. */
function passable(params: Params): Params {
  const { _meta, task: _task, ...rest } = params;
  if (!isObject(_meta)) {
    return rest;
  }
  const { progressToken: _token, ...meta } = _meta;
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
}

const codes: Readonly<Partial<Record<ErrorCode, number>>> = {
  unsupported: rpcCodes.methodNotFound,
  invalidInput: rpcCodes.invalidParams,
};

/** An error as the client gets it. Errors of the server pass unchanged. Hides the text of an unexpected error: it may hold paths or secrets. */
export function toErrorObject(error: unknown): RpcErrorObject {
  if (isRpcError(error)) {
    const { rpcCode: code, message, data } = error;
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
  return isMcpError(error)
    ? { code: codes[error.code] ?? rpcCodes.internalError, message: error.message }
    : { code: rpcCodes.internalError, message: 'Internal error' };
}
