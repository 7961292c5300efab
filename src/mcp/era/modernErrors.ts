/** Translates error replies of the modern era for code that does not know the era. Pure. */
import { type McpError, RpcError, rpcCodes } from '../errors.ts';
import type { Method } from '../types/methods.ts';
import { unsupportedMethod } from './capabilities.ts';
import { missingCapabilities, requiredCapabilities } from './classify.ts';
import type { ServerDescription } from '../session/session.ts';

export function translateReply(
  error: RpcError,
  method: Method,
  server: ServerDescription,
): McpError {
  const required = requiredCapabilities(error);
  if (required !== undefined) {
    return missingCapabilities(required, error);
  }
  if (error.rpcCode === rpcCodes.methodNotFound && method === 'completion/complete') {
    return unsupportedMethod(method, server);
  }
  if (error.rpcCode === rpcCodes.invalidParams && method === 'resources/read') {
    // Earlier revisions have a code of its own for this (RES-04).
    return new RpcError(rpcCodes.resourceNotFound, error.message, error.data);
  }
  return error;
}
