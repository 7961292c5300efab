/** Errors of this side as JSON-RPC errors for the client. Errors of the server pass unchanged. */
import { type ErrorCode, isMcpError, isRpcError, rpcCodes } from '../mcp/errors.ts';
import type { RpcErrorObject } from '../mcp/types/message.ts';

const codes: Readonly<Partial<Record<ErrorCode, number>>> = {
  unsupported: rpcCodes.methodNotFound,
  invalidInput: rpcCodes.invalidParams,
};

/** Hides the text of an unexpected error: it may hold paths or secrets. */
export function toErrorObject(error: unknown): RpcErrorObject {
  if (isRpcError(error)) {
    const { rpcCode: code, message, data } = error;
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
  return isMcpError(error)
    ? { code: codes[error.code] ?? rpcCodes.internalError, message: error.message }
    : { code: rpcCodes.internalError, message: 'Internal error' };
}
