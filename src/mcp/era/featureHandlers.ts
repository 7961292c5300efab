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
import type { Root } from '../types/methods.ts';
import type { AskContext, ClientFeatures } from '../session/session.ts';
import { ReceivedTasks } from './tasks/receivedTasks.ts';
import { type LegacyTaskOwner, tiedToTasks } from './tasks/task.ts';

type Elicit = NonNullable<ClientFeatures['elicit']>;
type Sample = NonNullable<ClientFeatures['sample']>;
type ListRoots = NonNullable<ClientFeatures['listRoots']>;

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
    answers.set('roots/list', (_params, { signal }) => answerRoots(listRoots, signal));
  }
  if (elicit !== undefined) {
    answers.set('elicitation/create', (...asked) => answerElicitation(elicit, ...asked));
  }
  if (sample !== undefined) {
    answers.set('sampling/createMessage', (...asked) => answerSampling(sample, ...asked));
  }
  return answers;
}

/** @throws RpcError -32602 for invalid params, -32601 for a revision without elicitation; any error of `elicit`. */
async function answerElicitation(
  elicit: Elicit,
  params: JsonObject,
  context: AskContext,
): Promise<ElicitResult> {
  // Capabilities are sent before the revision is known (CAP-03).
  if (revisions[context.revision].elicitationModes.length === 0) {
    throw new RpcError(
      rpcCodes.methodNotFound,
      `Method not found: elicitation/create (revision ${context.revision})`,
    );
  }
  const request = readElicitRequest(params, context.revision);
  return toWire(request, await elicit(request, context), context.revision);
}

/** @throws RpcError -32602 for invalid params; any error of `sample`. */
async function answerSampling(
  sample: Sample,
  params: JsonObject,
  context: AskContext,
): Promise<CreateMessageResult> {
  const request = readCreateMessage(params, context.revision);
  return checkedMessage(await sample(request, context), context.revision);
}

/** Only `file:` roots may be sent (ROOT-03). */
async function answerRoots(
  listRoots: ListRoots,
  signal: AbortSignal,
): Promise<{ readonly roots: readonly Root[] }> {
  const roots = await listRoots(signal);
  return { roots: roots.filter((root) => root.uri.startsWith('file://')) };
}

/** No content unless a form was accepted (ELIC-19); no lists if the revision has none (ELIC-20). */
function toWire(request: ElicitRequest, result: ElicitResult, revision: Revision): ElicitResult {
  if (result.action !== 'accept' || request.mode === 'url') {
    return { action: result.action };
  }
  const content = result.content ?? {};
  if (!revisions[revision].elicitsLists && Object.values(content).some(isList)) {
    throw new McpError(
      'unsupported',
      `Revision ${revision} does not allow lists in answers to a form`,
    );
  }
  return { action: 'accept', content };
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
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
