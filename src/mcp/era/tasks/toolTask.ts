/**
 * One tool call that runs as a task on the server, from its handle to the tool's result: polling, a stream
 * for the server's requests, and the outcome for every status.
 */
import type { Event } from '../../../base/event.ts';
import { RpcError, isRpcError } from '../../errors.ts';
import type { RequestTimes } from '../../session/session.ts';
import { EarlyResult } from './earlyResult.ts';
import { mayPass, observeTask } from './observeTask.ts';
import type { TaskState } from './task.ts';
import { cancelledByServer, lostTask, whyOf } from './taskErrors.ts';
import type { TaskOwner } from './taskOwner.ts';
import type { TaskProgress } from './taskProgress.ts';
import { getTask, getTaskResult } from './taskRequests.ts';

/** Limit of attempts to fetch an available result. */
const maxFetches = 3;

export interface ToolTask {
  readonly tool: string;
  readonly seed: TaskState;
  readonly progress: TaskProgress;
  readonly times: RequestTimes;
  /** Unsolicited states of any task. */
  readonly onDidPush: Event<TaskState>;
  /** Called with each known state. */
  readonly onState: (state: TaskState) => void;
  readonly signal: AbortSignal;
}

/**
 * @returns the tool's result, as received
 * @throws RpcError when the tool's request failed; McpError `closed` when the server cancelled the task or
 *   no longer knows it; the signal's reason
 */
export async function followToolTask(owner: TaskOwner, task: ToolTask): Promise<unknown> {
  const { seed, progress, times, signal } = task;
  const early = new EarlyResult(() => getTaskResult(owner, seed.id, { signal, idleMs: Infinity }));
  const observed = observeTask<TaskState>({
    seed,
    ask: () => getTask(owner, seed.id, { ...times, signal }),
    onDidPush: (listener) => task.onDidPush((state) => state.id === seed.id && listener(state)),
    onState: (state) => {
      task.onState(state);
      progress.say(state.message);
      if (state.status === 'input_required') {
        early.open();
      }
    },
    signal,
    patienceMs: times.idleMs,
  });
  const first = await Promise.race([observed, early.outcome]).catch((error: unknown) => {
    throw lostTask(task.tool, error);
  });
  if ('result' in first) {
    return first.result;
  }
  if (first.status === 'cancelled') {
    throw cancelledByServer(task.tool, first);
  }
  const open = await early.within(times.idleMs);
  return open === undefined ? collect(owner, task, first) : open.result;
}

/** The result of a task that is over. */
async function collect(owner: TaskOwner, task: ToolTask, end: TaskState): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { signal, times } = task;
      return await getTaskResult(owner, task.seed.id, { signal, idleMs: times.idleMs });
    } catch (error) {
      if (isRpcError(error)) {
        throw new RpcError(
          error.rpcCode,
          `${error.message}${whyOf(end, error.message)}`,
          error.data,
        );
      }
      if (task.signal.aborted || !mayPass(error) || attempt === maxFetches) {
        throw error;
      }
    }
  }
}
