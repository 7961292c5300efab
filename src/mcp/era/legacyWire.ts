/**
 * Differences on the wire between legacy revisions: parameters that one does not know, and errors with an
 * extra meaning.
 */
import { toError } from '../../base/async.ts';
import { isObject } from '../../base/json.ts';
import { isRpcError, rpcCodes } from '../errors.ts';
import { type Revision, revisions } from '../revisions.ts';
import type { Params } from '../types/message.ts';
import type { Method } from '../types/methods.ts';
import { unsupportedMethod } from './capabilities.ts';
import type { ServerDescription } from '../session/session.ts';

/** Removes what the agreed revision does not know (COMP-03). */
export function toWire(method: Method, params: object, revision: Revision): Params {
  const sent: Params = isObject(params) ? params : {};
  if (method !== 'completion/complete' || revisions[revision].completionContext) {
    return sent;
  }
  const { context: _context, ...rest } = sent;
  return rest;
}

export function translated(method: Method, error: unknown, server: ServerDescription): Error {
  // COMP-01: without a flag to declare it, a server says in this way that it completes nothing.
  const isMissing = isRpcError(error) && error.rpcCode === rpcCodes.methodNotFound;
  return isMissing && method === 'completion/complete'
    ? unsupportedMethod(method, server)
    : toError(error);
}
