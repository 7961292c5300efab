/** Answers a server's requests in the handshake era: a handler for each method that a client feature serves. */
import type { Revision } from '../revisions.ts';
import type { RequestHandler } from '../rpc/peer.ts';
import { answerRoots, elicitationHandler, samplingHandler } from './featureHandlers.ts';
import type { ClientFeatures } from '../session/session.ts';
import { ReceivedTasks } from './tasks/receivedTasks.ts';
import { tiedToTasks } from './tasks/relatedTask.ts';
import type { TaskOwner } from './tasks/taskOwner.ts';

export interface RequestHandlers {
  /** By method. */
  readonly handlers: ReadonlyMap<string, RequestHandler>;
  /** Ends the session: keeps nothing of it, and withdraws requests that run as tasks. */
  clear(): void;
}

/** @param signalOf aborts when a task of ours is over; undefined for any other task */
export function createRequestHandlers(
  { listRoots, elicit, sample }: ClientFeatures,
  owner: TaskOwner,
  signalOf: (taskId: string) => AbortSignal | undefined,
): RequestHandlers {
  const received = new ReceivedTasks(owner);
  // The agreed revision is known only after the handshake.
  const revision = (): Revision => owner.server().revision;
  const handlers = new Map<string, RequestHandler>();
  if (listRoots !== undefined) {
    handlers.set('roots/list', async (_params, { signal }) => answerRoots(listRoots, signal));
  }
  if (elicit !== undefined) {
    const handler = elicitationHandler(elicit, revision);
    handlers.set('elicitation/create', received.augmented('elicitation/create', handler));
  }
  if (sample !== undefined) {
    const handler = samplingHandler(sample, revision);
    handlers.set('sampling/createMessage', received.augmented('sampling/createMessage', handler));
  }
  const tied = [...handlers].map(
    ([method, handler]) => [method, tiedToTasks(handler, signalOf)] as const,
  );
  return {
    // Without a method that may run as a task there are no tasks (TASK-01, CAP-05).
    handlers: new Map([...tied, ...((elicit ?? sample) ? received.handlers() : [])]),
    clear: () => received.clear(),
  };
}
