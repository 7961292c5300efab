/** What a server may ask in the handshake era: a handler for each method that a client feature serves. */
import type { Revision } from '../revisions.ts';
import type { RequestHandler } from '../rpc/peer.ts';
import { answerRoots, elicitationHandler, samplingHandler } from './asks.ts';
import type { ClientFeatures } from './session.ts';
import type { ReceivedTasks } from './tasks/receivedTasks.ts';
import { tiedToTasks } from './tasks/relatedTask.ts';

/**
 * The rest gets -32601 from the peer (CAP-05).
 * @param revision tells the agreed one, which is known only after the handshake
 * @param received keeps what the server asks as a task
 * @param signalOf aborts when a task of ours is over; undefined for any other
 */
export function serverRequestHandlers(
  { listRoots, elicit, sample }: ClientFeatures,
  revision: () => Revision,
  received: ReceivedTasks,
  signalOf: (taskId: string) => AbortSignal | undefined,
): ReadonlyMap<string, RequestHandler> {
  const handlers = new Map<string, RequestHandler>();
  if (listRoots !== undefined) {
    handlers.set('roots/list', async (_params, { signal }) => answerRoots(listRoots, signal));
  }
  // What may be asked as a task, and the requests about those, are served together (TASK-01).
  const augmented = new Map<string, RequestHandler>();
  if (elicit !== undefined) {
    augmented.set('elicitation/create', elicitationHandler(elicit, revision));
  }
  if (sample !== undefined) {
    augmented.set('sampling/createMessage', samplingHandler(sample, revision));
  }
  for (const [method, handler] of augmented) {
    handlers.set(method, received.augmented(method, handler));
  }
  const tied = [...handlers].map(
    ([method, handler]) => [method, tiedToTasks(handler, signalOf)] as const,
  );
  return new Map([...tied, ...(augmented.size > 0 ? received.handlers() : [])]);
}
