/** JSON-RPC 2.0 messages as MCP uses them, and the check of an envelope (https://www.jsonrpc.org/specification). */
import { type JsonObject, isObject } from '../../base/json.ts';

export type RequestId = string | number;
export type Params = Readonly<Record<string, unknown>>;

export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Params;
}
export interface RpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Params;
}
export interface RpcResult {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result: unknown;
}
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}
/** `id` is null or missing when the sender could not read the request (BASE-07). */
export interface RpcFailure {
  readonly jsonrpc: '2.0';
  readonly id?: RequestId | null;
  readonly error: RpcErrorObject;
}
export type RpcResponse = RpcResult | RpcFailure;
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;
/** The replies to one received batch (JSON-RPC 2.0 section 6): the only array that is ever sent. */
export type RpcReplyBatch = readonly RpcResponse[];

export function isRequest(message: RpcMessage | RpcReplyBatch): message is RpcRequest {
  return 'method' in message && 'id' in message;
}
export function isResponse(message: RpcMessage): message is RpcResponse {
  return !('method' in message);
}
/** Some serializers write `"error": null` next to a result: that is not an error. */
export function isFailure(message: RpcResponse): message is RpcFailure {
  return 'error' in message && (message.error as unknown) !== null && message.error !== undefined;
}

/** Returns why `value` is not a JSON-RPC message; undefined if it is one. */
export function envelopeProblem(value: unknown): string | undefined {
  if (!isObject(value)) {
    return 'not a JSON object';
  }
  if (value['jsonrpc'] !== '2.0') {
    return 'member "jsonrpc" is not "2.0"';
  }
  return 'method' in value ? callProblem(value) : responseProblem(value);
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}

function callProblem(value: JsonObject): string | undefined {
  if (typeof value['method'] !== 'string') {
    return 'member "method" is not a string';
  }
  if ('id' in value && !isId(value['id'])) {
    return 'a request needs a string or number as "id"';
  }
  // Some serializers send `"params": null` for no params.
  const params = value['params'];
  if (params !== undefined && params !== null && !isObject(params)) {
    return 'member "params" is not an object';
  }
  return undefined;
}

function responseProblem(value: JsonObject): string | undefined {
  const error = value['error'];
  if ('result' in value && (error === undefined || error === null)) {
    return isId(value['id']) ? undefined : 'a result needs a string or number as "id"';
  }
  if (error === undefined || ('result' in value && value['result'] !== null)) {
    return 'neither a request, a notification nor a response';
  }
  const isError =
    isObject(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string';
  return isError ? undefined : 'member "error" lacks a number "code" or a string "message"';
}
