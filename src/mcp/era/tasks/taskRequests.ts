/** The requests about tasks that a server of revision 2025-11-25 runs for us. Each is sent once. */
import { toError } from '../../../base/async.ts';
import { isObject, isString } from '../../../base/json.ts';
import { McpError } from '../../errors.ts';
import type { RequestTimes } from '../../session/session.ts';
import { farewellMs } from './runningTasks.ts';
import { type TaskState, isTerminal, readTask } from './task.ts';
import type { TaskOwner } from './taskOwner.ts';
import { declaresTaskOperation } from './toolTaskSupport.ts';

/** Limit of pages read from `tasks/list`. */
const maxPages = 20;

/** A caller that stops waiting drops the reply; `notifications/cancelled` is not for tasks (CANC-07). */
const isCancellable = false;

/** @throws McpError like the request; `protocol` for an answer that is not a task */
export async function getTask(
  owner: TaskOwner,
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
  owner: TaskOwner,
  taskId: string,
  options: { readonly signal: AbortSignal; readonly idleMs: number },
): Promise<unknown> {
  const times = { totalMs: Infinity, isCancellable };
  return owner.request('tasks/result', { taskId }, { ...options, ...times });
}

/** Cancels a task that is not over, if the server supports it (TASK-11). Never rejects. */
export async function cancelTask(owner: TaskOwner, task: TaskState, tool: string): Promise<void> {
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
  owner: TaskOwner,
  signal: AbortSignal,
): Promise<readonly TaskState[]> {
  const tasks: TaskState[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const times = { signal, idleMs: farewellMs, totalMs: farewellMs };
    const result = await owner.request('tasks/list', params, times);
    const { tasks: listed, nextCursor } = isObject(result) ? result : {};
    for (const task of Array.isArray(listed) ? listed.map(readTask) : []) {
      if (task !== undefined) {
        tasks.push(task);
      }
    }
    if (!isString(nextCursor) || nextCursor === cursor) {
      break;
    }
    cursor = nextCursor;
  }
  return tasks;
}
