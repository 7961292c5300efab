/**
 * Tasks of the extension `io.modelcontextprotocol/tasks` to revision 2026-07-28: the server alone decides
 * that a call becomes a task, and answers it with a handle. The task's state holds its input requests.
 * https://github.com/modelcontextprotocol/ext-tasks
 *
 * States are polled, not subscribed to: a subscription per task would cost a stream, and reading all lists
 * again, to save a few short requests. Task ids are like secrets here: they are never logged. Only the caller may
 * keep one beyond the connection, to take the result later.
 */
import { t } from '../../../base/l10n.ts';
import { toError } from '../../../base/async.ts';
import { type JsonObject, isObject, isString } from '../../../base/json.ts';
import { McpError, RpcError } from '../../errors.ts';
import type { Params } from '../../types/message.ts';
import { followTask, persistently, whyOf } from './followTask.ts';
import { readTask, type TaskOwner, type TaskState } from './task.ts';
import { type TaskCall, type TaskCallOptions, TaskCalls } from './taskCalls.ts';

/** A caller that stops waiting cancels the task instead. */
const isCancellable = false;

/** `request` sends the client's `_meta`, which declares the extension (TASK-07). */
export interface ExtensionTasksOwner extends TaskOwner {
  /**
   * Answers input requests by key, like those in an answer to a call (TASK-12). @throws McpError when one is refused
   */
  answer(requests: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}

interface DetailedTask extends TaskState {
  readonly received: JsonObject;
}

export class ExtensionTasks {
  readonly #owner: ExtensionTasksOwner;
  readonly calls: TaskCalls;

  constructor(owner: ExtensionTasksOwner) {
    this.#owner = owner;
    this.calls = new TaskCalls(owner);
  }

  /**
   * The result of a call that was answered with a task handle. That answer ended the request; its work goes
   * on (TASK-16) until there is a result.
   * @param handle an answer of the type `task`
   * @throws RpcError if the work failed; McpError `closed` when the server cancelled or lost the task,
   *   `protocol`, `timeout`, `cancelled`; the error of a refused input request
   */
  async outcome(params: Params, handle: unknown, options: TaskCallOptions): Promise<unknown> {
    const seed = toDetailed(handle);
    const { times } = options;
    return this.calls.withinLimits(params, options, async (call) => {
      this.#owner.diagnose('debug', `"${call.tool}" runs as a task of the server`);
      const limits = { ...times, signal: call.signal, isCancellable };
      const taskId = seed.id;
      const answered = new Set<string>();
      const end = await followTask<DetailedTask>({
        call,
        seed,
        times,
        ask: async () => toDetailed(await this.#owner.request('tasks/get', { taskId }, limits)),
        onState: (state) => {
          const asked = newRequests(state, answered);
          if (asked !== undefined) {
            // A refused input request ends the call.
            this.#update(taskId, asked, call, times).catch((error: unknown) => call.end(error));
          }
        },
      });
      return outcomeOf(call.tool, end);
    });
  }

  /** Input requests that were answered are not shown a second time, so answers may have to be sent again (TASK-13). */
  async #update(
    taskId: string,
    asked: JsonObject,
    { signal }: TaskCall,
    times: TaskCallOptions['times'],
  ): Promise<void> {
    const inputResponses = await this.#owner.answer(asked, signal);
    const options = { ...times, signal, isCancellable };
    try {
      await persistently(
        () => this.#owner.request('tasks/update', { taskId, inputResponses }, options),
        signal,
      );
    } catch (cause) {
      // The server's error to the answers is not an outcome of the call.
      const text = `The server did not take the answers that it asked for: ${toError(cause).message}`;
      throw new McpError('protocol', text, { cause });
    }
  }
}

/** @throws McpError `protocol` for an invalid task */
function toDetailed(received: unknown): DetailedTask {
  const state = readTask(received);
  if (state === undefined || !isObject(received)) {
    throw new McpError('protocol', t('The server answered with a task that cannot be read'));
  }
  return { ...state, received };
}

/** Input requests that are new in the life of the task (TASK-13); remembers them. */
function newRequests(
  { status, received }: DetailedTask,
  answered: Set<string>,
): JsonObject | undefined {
  const { inputRequests } = received;
  if (status !== 'input_required' || !isObject(inputRequests)) {
    return undefined;
  }
  const added = Object.entries(inputRequests).filter(([key]) => !answered.has(key));
  added.forEach(([key]) => answered.add(key));
  return added.length === 0 ? undefined : Object.fromEntries(added);
}

/** TASK-10. */
function outcomeOf(tool: string, end: DetailedTask): unknown {
  const { result, error } = end.received;
  if (end.status === 'completed' && isObject(result)) {
    return result;
  }
  if (end.status === 'failed' && isObject(error)) {
    const { code, message, data } = error;
    const text = isString(message) ? message : 'the task failed';
    throw new RpcError(typeof code === 'number' ? code : 0, `${text}${whyOf(end, text)}`, data);
  }
  throw new McpError(
    'protocol',
    t('The task of "{0}" ended without a result{1}', tool, whyOf(end)),
  );
}
