/**
 * Handles a server's requests in either era: elicitation, sampling and roots as calls of the client's
 * features, with results as the agreed revision allows.
 */
import type { JsonObject } from '../../base/json.ts';
import { readElicitRequest } from '../elicitParams.ts';
import { McpError, rpcCodes, RpcError } from '../errors.ts';
import { type Revision, revisions } from '../revisions.ts';
import type { RequestHandler } from '../rpc/peer.ts';
import { readCreateMessage } from '../samplingParams.ts';
import type { CreateMessageResult, ElicitRequest, ElicitResult } from '../types/clientFeatures.ts';
import type { AskContext, ClientFeatures } from '../session/session.ts';
import { ReceivedTasks } from './tasks/receivedTasks.ts';
import { type LegacyTaskOwner, tiedToTasks } from './tasks/task.ts';

/** Answers one request. @throws RpcError for what the server asks wrongly; any error of the feature */
type Answer = (params: JsonObject, context: AskContext) => Promise<unknown>;

/** By method: what servers may ask, in either era. */
export function answersOf({
  listRoots,
  elicit,
  sample,
}: ClientFeatures): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>();
  if (listRoots !== undefined) {
    answers.set('roots/list', async (_params, { signal }) => {
      const roots = await listRoots(signal);
      return { roots: roots.filter(({ uri }) => uri.startsWith('file://')) }; // ROOT-03
    });
  }
  if (elicit !== undefined) {
    answers.set('elicitation/create', async (params, context) => {
      const { revision } = context;
      // Capabilities are sent before the revision is known (CAP-03).
      if (revisions[revision].elicitationModes.length === 0) {
        const text = `Method not found: elicitation/create (revision ${revision})`;
        throw new RpcError(rpcCodes.methodNotFound, text);
      }
      const request = readElicitRequest(params, revision);
      return toWire(request, await elicit(request, context), revision);
    });
  }
  if (sample !== undefined) {
    answers.set('sampling/createMessage', async (params, context) => {
      const request = readCreateMessage(params, context.revision);
      return checkedMessage(await sample(request, context), context.revision);
    });
  }
  return answers;
}

/** No content unless a form was accepted (ELIC-19); no lists if the revision has none (ELIC-20). */
function toWire(request: ElicitRequest, result: ElicitResult, revision: Revision): ElicitResult {
  if (result.action !== 'accept' || request.mode === 'url') {
    return { action: result.action };
  }
  const content = result.content ?? {};
  const hasList = Object.values(content).some((value) => Array.isArray(value));
  if (hasList && !revisions[revision].elicitsLists) {
    throw new McpError(
      'unsupported',
      `Revision ${revision} does not allow lists in answers to a form`,
    );
  }
  return { action: 'accept', content };
}

/** A server of an earlier revision cannot read lists and tool blocks (TRAP-42). */
function checkedMessage(result: CreateMessageResult, revision: Revision): CreateMessageResult {
  const { content } = result;
  const isNew = Array.isArray(content) || ('type' in content && content.type === 'tool_use');
  if (isNew && !revisions[revision].samplesTools) {
    throw new McpError(
      'unsupported',
      `Revision ${revision} allows only one block in a sampled message`,
    );
  }
  return result;
}

export interface RequestHandlers {
  /** By method. */
  readonly handlers: ReadonlyMap<string, RequestHandler>;
  /** Ends the session: keeps nothing of it, and withdraws requests that run as tasks. */
  clear(): void;
}

/** @param signalOf aborts when a task of ours is over; undefined for any other task */
export function createRequestHandlers(
  features: ClientFeatures,
  owner: LegacyTaskOwner,
  signalOf: (taskId: string) => AbortSignal | undefined,
): RequestHandlers {
  const received = new ReceivedTasks(owner);
  const handlers = new Map<string, RequestHandler>();
  for (const [method, answer] of answersOf(features)) {
    const handler: RequestHandler = (params, { signal }) =>
      // The agreed revision is known only after the handshake.
      answer(params, { signal, revision: owner.server().revision });
    const served = method === 'roots/list' ? handler : received.augmented(method, handler);
    handlers.set(method, tiedToTasks(served, signalOf));
  }
  // Without a method that may run as a task there are no tasks (TASK-01, CAP-05).
  const hasTasks = (features.elicit ?? features.sample) !== undefined;
  return {
    handlers: new Map([...handlers, ...(hasTasks ? received.handlers() : [])]),
    clear: () => received.clear(),
  };
}
