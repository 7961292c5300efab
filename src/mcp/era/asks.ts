/**
 * What a server asks in the handshake era: `elicitation/create` as a call of the client's features,
 * and the answer as the agreed revision allows it.
 */
import { readElicitRequest } from '../elicitParams.ts';
import { McpError, RpcError, rpcCodes } from '../errors.ts';
import { type Revision, revisions } from '../revisions.ts';
import type { RequestHandler } from '../rpc/peer.ts';
import type { ElicitRequest, ElicitResult } from '../types/asks.ts';
import type { ClientFeatures } from './session.ts';

/** @param revision tells the agreed one, which is known only after the handshake */
export function elicitationHandler(
  elicit: NonNullable<ClientFeatures['elicit']>,
  revision: () => Revision,
): RequestHandler {
  return async (params, { signal }) => {
    const agreed = revision();
    // Capabilities are sent before the revision is known (CAP-03).
    if (revisions[agreed].elicitationModes.length === 0) {
      throw new RpcError(
        rpcCodes.methodNotFound,
        `Method not found: elicitation/create (revision ${agreed})`,
      );
    }
    const request = readElicitRequest(params, agreed);
    return toWire(request, await elicit(request, { signal, revision: agreed }), agreed);
  };
}

/** No content unless a form was accepted (ELIC-19), no lists where the revision has none (ELIC-20). */
function toWire(request: ElicitRequest, result: ElicitResult, revision: Revision): ElicitResult {
  if (result.action !== 'accept' || request.mode === 'url') {
    return { action: result.action };
  }
  const content = result.content ?? {};
  if (!revisions[revision].elicitsLists && Object.values(content).some(isList)) {
    throw new McpError('unsupported', `Revision ${revision} has no lists in answers to a form`);
  }
  return { action: 'accept', content };
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
}
