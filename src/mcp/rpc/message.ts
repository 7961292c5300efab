/** JSON-RPC 2.0 messages as MCP uses them, and the check of an envelope (https://www.jsonrpc.org/specification). */
import { isObject } from '../../base/json.ts';

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

export function isRequest(message: RpcMessage): message is RpcRequest {
  return 'method' in message && 'id' in message;
}
export function isNotification(message: RpcMessage): message is RpcNotification {
  return 'method' in message && !('id' in message);
}
export function isResponse(message: RpcMessage): message is RpcResponse {
  return !('method' in message);
}

/** Says why `value` is no JSON-RPC message, or returns undefined when it is one. */
export function envelopeProblem(value: unknown): string | undefined {
  if (!isObject(value)) {
    return 'not a JSON object';
  }
  if (value['jsonrpc'] !== '2.0') {
    return 'member "jsonrpc" is not "2.0"';
  }
  const id = value['id'];
  const isId = typeof id === 'string' || typeof id === 'number';
  if ('method' in value) {
    if (typeof value['method'] !== 'string') {
      return 'member "method" is not a string';
    }
    if ('id' in value && !isId) {
      return 'a request needs a string or number as "id"';
    }
    if (value['params'] !== undefined && !isObject(value['params'])) {
      return 'member "params" is not an object';
    }
    return undefined;
  }
  if ('error' in value && !('result' in value)) {
    const error = value['error'];
    const isError =
      isObject(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string';
    return isError ? undefined : 'member "error" lacks a number "code" or a string "message"';
  }
  if (!('result' in value) || 'error' in value) {
    return 'neither a request, a notification nor a response';
  }
  return isId ? undefined : 'a result needs a string or number as "id"';
}
