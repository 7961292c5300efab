/**
 * One tool call that runs as a task on the server, from its handle to the tool's result: polling, a stream
 * for the server's requests, and the outcome for every status.
 */
import type { Event } from '../../../base/event.ts';
import { isRpcError, McpError, RpcError } from '../../errors.ts';
import type { RequestTimes } from '../../session/session.ts';
import { mayPass, observeTask } from './observeTask.ts';
import {
  cancelledByServer,
  isTerminal,
  lostTask,
  readTask,
  type LegacyTaskOwner,
  type TaskState,
  whyOf,
} from './task.ts';
import { farewellMs, type TaskCall } from './taskCalls.ts';
import { settlesWithin, toError } from '../../../base/async.ts';
import { isObject, isString } from '../../../base/json.ts';
import { declaresTaskOperation } from './toolTaskSupport.ts';

/** Limit of attempts to fetch an available result. */
const maxFetches = 3;

export interface ToolTask {
  readonly call: TaskCall;
  readonly seed: TaskState;
  readonly times: RequestTimes;
  /** Unsolicited states of any task. */
  readonly onDidPush: Event<TaskState>;
}

/**
 * @returns the tool's result, as received
 * @throws RpcError when the tool's request failed; McpError `closed` when the server cancelled the task or
 *   no longer knows it; the signal's reason
 */
export async function followToolTask(owner: LegacyTaskOwner, task: ToolTask): Promise<unknown> {
  const { call, seed, times } = task;
  const { signal, tool } = call;
  const early = new EarlyResult(() => getTaskResult(owner, seed.id, { signal, idleMs: Infinity }));
  const observed = observeTask<TaskState>({
    seed,
    ask: () => getTask(owner, seed.id, { ...times, signal }),
    onDidPush: (listener) => task.onDidPush((state) => state.id === seed.id && listener(state)),
    onState: (state) => {
      call.note(state);
      if (state.status === 'input_required') {
        early.open();
      }
    },
    signal,
    patienceMs: times.idleMs,
  });
  const first = await Promise.race([observed, early.outcome]).catch((error: unknown) => {
    throw lostTask(tool, error);
  });
  if ('result' in first) {
    return first.result;
  }
  if (first.status === 'cancelled') {
    throw cancelledByServer(tool, first);
  }
  const open = await early.within(times.idleMs);
  return open === undefined ? collect(owner, task, first) : open.result;
}

/** The result of a task that is over. */
async function collect(owner: LegacyTaskOwner, task: ToolTask, end: TaskState): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { call, seed, times } = task;
      return await getTaskResult(owner, seed.id, { signal: call.signal, idleMs: times.idleMs });
    } catch (error) {
      if (isRpcError(error)) {
        throw new RpcError(
          error.rpcCode,
          `${error.message}${whyOf(end, error.message)}`,
          error.data,
        );
      }
      if (task.call.signal.aborted || !mayPass(error) || attempt === maxFetches) {
        throw error;
      }
    }
  }
}

interface Outcome {
  readonly result: unknown;
}

/**
 * Sends `tasks/result` before the task is over, so that the server has a stream for its requests (TASK-07). A server
 * that does not block the request refuses it; that is not an outcome of the task.
 */
class EarlyResult {
  readonly #fetch: () => Promise<unknown>;
  readonly #succeeded = Promise.withResolvers<Outcome>();
  #attempt: Promise<void> | undefined;
  /** Resolves when an attempt succeeds. Never rejects. */
  readonly outcome = this.#succeeded.promise;

  /** @param fetch sends the request; has a signal of its own */
  constructor(fetch: () => Promise<unknown>) {
    this.#fetch = fetch;
  }

  /** Makes one attempt at a time. */
  open(): void {
    this.#attempt ??= this.#fetch()
      .then(
        (result) => this.#succeeded.resolve({ result }),
        () => undefined,
      )
      .finally(() => {
        this.#attempt = undefined;
      });
  }

  /** The outcome, if it is known or the attempt under way brings it within `ms` milliseconds. */
  async within(ms: number): Promise<Outcome | undefined> {
    if (this.#attempt !== undefined) {
      await settlesWithin(this.#attempt, ms);
    }
    return Promise.race([this.outcome, Promise.resolve(undefined)]);
  }
}

/** Limit of pages read from `tasks/list`. */
const maxPages = 20;

/** A caller that stops waiting drops the reply; `notifications/cancelled` is not for tasks (CANC-07). */
const isCancellable = false;

/** @throws McpError like the request; `protocol` for an answer that is not a task */
export async function getTask(
  owner: LegacyTaskOwner,
  taskId: string,
  options: RequestTimes & { readonly signal: AbortSignal },
): Promise<TaskState> {
  const result = await owner.request('tasks/get', { taskId }, { ...options, isCancellable });
  const state = readTask(result);
  if (state === undefined) {
    throw new McpError('protocol', `The server's result for "tasks/get" is not a task`);
  }
  return state;
}

/** Waits for the end of the task (TASK-06). @throws also the task's own error, as RpcError */
export function getTaskResult(
  owner: LegacyTaskOwner,
  taskId: string,
  options: { readonly signal: AbortSignal; readonly idleMs: number },
): Promise<unknown> {
  const times = { totalMs: Infinity, isCancellable };
  return owner.request('tasks/result', { taskId }, { ...options, ...times });
}

/** Cancels a task that is not over, if the server supports it (TASK-11). Never rejects. */
export async function cancelTask(
  owner: LegacyTaskOwner,
  task: TaskState,
  tool: string,
): Promise<void> {
  if (isTerminal(task) || owner.lifetime.aborted) {
    return;
  }
  if (!declaresTaskOperation(owner.server(), 'cancel')) {
    owner.diagnose('warn', `The server does not cancel tasks: "${tool}" continues there`);
    return;
  }
  const times = { idleMs: farewellMs, totalMs: farewellMs, isCancellable };
  try {
    await owner.request('tasks/cancel', { taskId: task.id }, times);
    owner.diagnose('debug', `The task ${task.id} of "${tool}" was cancelled`);
  } catch (error) {
    // -32602 means that the task was over already.
    owner.diagnose('debug', `The task ${task.id} was not cancelled: ${toError(error).message}`);
  }
}

/** All tasks that the server lists for us. @throws like the requests */
export async function listTasks(
  owner: LegacyTaskOwner,
  signal: AbortSignal,
): Promise<readonly TaskState[]> {
  const tasks: TaskState[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const times = { signal, idleMs: farewellMs, totalMs: farewellMs };
    const result = await owner.request('tasks/list', params, times);
    const { tasks: listed, nextCursor } = isObject(result) ? result : {};
    tasks.push(...(Array.isArray(listed) ? listed : []).flatMap((task) => readTask(task) ?? []));
    if (!isString(nextCursor) || nextCursor === cursor) {
      break;
    }
    cursor = nextCursor;
  }
  return tasks;
}
