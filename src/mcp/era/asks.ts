/**
 * What a server asks in the handshake era: `elicitation/create` and `sampling/createMessage` as calls
 * of the client's features, and the answers as the agreed revision allows them.
 */
import { readElicitRequest } from '../elicitParams.ts';
import { McpError, RpcError, rpcCodes } from '../errors.ts';
import { type Revision, revisions } from '../revisions.ts';
import type { RequestHandler } from '../rpc/peer.ts';
import { readCreateMessage } from '../samplingParams.ts';
import type { CreateMessageResult, ElicitRequest, ElicitResult } from '../types/asks.ts';
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

/** @param revision tells the agreed one, which is known only after the handshake */
export function samplingHandler(
  sample: NonNullable<ClientFeatures['sample']>,
  revision: () => Revision,
): RequestHandler {
  return async (params, { signal }) => {
    const agreed = revision();
    const request = readCreateMessage(params, agreed);
    return checkedMessage(await sample(request, { signal, revision: agreed }), agreed);
  };
}

/** A server of an earlier revision cannot read lists and tool blocks (TRAP-42). */
function checkedMessage(result: CreateMessageResult, revision: Revision): CreateMessageResult {
  const { content } = result;
  const isNew = Array.isArray(content) || ('type' in content && content.type === 'tool_use');
  if (isNew && !revisions[revision].samplesTools) {
    throw new McpError('unsupported', `Revision ${revision} has one block in a sampled message`);
  }
  return result;
}
