/**
 * Tasks of the extension `io.modelcontextprotocol/tasks` to revision 2026-07-28: the server alone decides
 * that a call becomes a task, and answers it with a handle. What it needs meanwhile stands in the state
 * of the task.
 * https://github.com/modelcontextprotocol/ext-tasks
 *
 * States are asked for and not subscribed to: a subscription for each task would cost a stream, and all
 * lists anew, to spare a few short requests. Ids of tasks are as good as secrets here: nothing of them is
 * logged, and none outlives the connection, whose end nobody survives who could take the result.
 */
import { noEvent } from '../../../base/event.ts';
import { type JsonObject, isObject, isString } from '../../../base/json.ts';
import { McpError, RpcError, isMcpError } from '../../errors.ts';
import type { Params } from '../../types/message.ts';
import type { RequestOptions } from '../../rpc/peer.ts';
import type { InFlight, RequestsInFlight } from '../../rpc/runningRequest.ts';
import type { Diagnostic } from '../../transport/transport.ts';
import { linkedController, toError } from '../../../base/async.ts';
import { mayPass, observeTask } from './observeTask.ts';
import { type RunningTask, RunningTasks, farewellMs } from './runningTasks.ts';
import { type TaskState, readTask } from './task.ts';
import { cancelledByServer, lostTask, whyOf } from './taskErrors.ts';
import { type TaskCallOptions, TaskCalls } from './taskLimits.ts';
import type { TaskProgress } from './taskProgress.ts';

/** How often answers are sent whose arrival is in doubt. */
const maxUpdates = 3;
/** Several tasks of one session are asked about at the same time; one does not wait for the other. */
const isCancellable = false;

export interface ExtensionTasksOwner {
  /** Sends with what a request says of its sender; the extension is declared there (TASK-07). */
  request(method: string, params: Params, options: RequestOptions): Promise<unknown>;
  /** Answers questions by key, as those in an answer to a call (TASK-12). @throws McpError when one is refused */
  answer(requests: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  diagnose(level: Diagnostic['level'], text: string): void;
  /** Its requests that wait for a reply. */
  readonly inFlight: RequestsInFlight;
  /** Aborts with the connection. */
  readonly lifetime: AbortSignal;
}

interface DetailedTask extends TaskState {
  readonly received: JsonObject;
}

interface FollowedTask extends RunningTask {
  readonly tool: string;
  readonly seed: DetailedTask;
  readonly progress: TaskProgress;
  readonly times: TaskCallOptions['times'];
}

export class ExtensionTasks {
  readonly #owner: ExtensionTasksOwner;
  readonly #running: RunningTasks;
  readonly #calls: TaskCalls;

  constructor(owner: ExtensionTasksOwner) {
    this.#owner = owner;
    this.#running = new RunningTasks({
      cancel: (task) => this.#cancel(task),
      diagnose: (level, text) => owner.diagnose(level, text),
    });
    this.#calls = new TaskCalls(owner.inFlight, owner.lifetime);
  }

  /** What waits for the server: calls that are tasks, and requests like others. */
  get inFlight(): InFlight {
    return this.#calls.inFlight;
  }

  /** Gives up every task and tells the server so. Never rejects. */
  close(): Promise<void> {
    return this.#running.close();
  }

  /**
   * The result of a call that was answered with the handle of a task. That ended the call, and its
   * work goes on (TASK-16) until it comes to a result.
   * @param handle an answer of the type `task`
   * @throws RpcError what the work failed with; McpError `closed` when the server cancelled or lost the
   *   task, `protocol`, `timeout`, `cancelled`; what a question was refused with
   */
  async outcome(call: Params, handle: unknown, options: TaskCallOptions): Promise<unknown> {
    const tool = String(call['name']);
    const seed = toDetailed(handle);
    const { times } = options;
    return this.#calls.withinLimits(call, options, ({ signal, told: progress }) =>
      this.#running.run(tool, seed, signal, (running) =>
        this.#follow({ ...running, tool, seed, progress, times }),
      ),
    );
  }

  async #follow(task: FollowedTask): Promise<unknown> {
    const inputs = linkedController(task.signal);
    const { controller } = inputs;
    const answered = new Set<string>();
    try {
      const end = await observeTask<DetailedTask>({
        seed: task.seed,
        ask: () => this.#ask(task, controller.signal),
        onDidPush: noEvent,
        onState: (state) => {
          task.onState(state);
          task.progress.say(state.message);
          const asked = newRequests(state, answered);
          if (asked !== undefined) {
            this.#update(task, asked, controller.signal).catch((error: unknown) =>
              controller.abort(error),
            );
          }
        },
        signal: controller.signal,
        patienceMs: task.times.idleMs,
      });
      return outcomeOf(task.tool, end);
    } catch (error) {
      // The refusal of a question ends the call.
      const { signal } = controller;
      const refusal: unknown = signal.aborted && !task.signal.aborted ? signal.reason : undefined;
      throw isMcpError(refusal) ? refusal : lostTask(task.tool, error);
    } finally {
      // A question that is on the screen goes with the task.
      controller.abort(new McpError('cancelled', 'The task is over'));
      inputs.dispose();
    }
  }

  async #ask({ seed, times }: FollowedTask, signal: AbortSignal): Promise<DetailedTask> {
    const options = { ...times, signal, isCancellable };
    return toDetailed(await this.#owner.request('tasks/get', { taskId: seed.id }, options));
  }

  /** Not for nothing is an answer sent again: its question is not asked a second time (TASK-13). */
  async #update(task: FollowedTask, asked: JsonObject, signal: AbortSignal): Promise<void> {
    const inputResponses = await this.#owner.answer(asked, signal);
    const params = { taskId: task.seed.id, inputResponses };
    const options = { ...task.times, signal, isCancellable };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#owner.request('tasks/update', params, options);
        return;
      } catch (error) {
        if (signal.aborted || !mayPass(error) || attempt === maxUpdates) {
          throw toLocal(error);
        }
      }
    }
  }

  async #cancel({ id }: TaskState): Promise<void> {
    if (this.#owner.lifetime.aborted) {
      return;
    }
    const times = { idleMs: farewellMs, totalMs: farewellMs, isCancellable };
    try {
      await this.#owner.request('tasks/cancel', { taskId: id }, times);
    } catch (error) {
      this.#owner.diagnose('debug', `A task was not cancelled: ${toError(error).message}`);
    }
  }
}

/** What the server says to answers is no outcome of the call. */
function toLocal(error: unknown): McpError {
  const text = `The server did not take the answers that it asked for: ${toError(error).message}`;
  return new McpError('protocol', text, { cause: error });
}

/** @throws McpError `protocol` for what is no task */
function toDetailed(received: unknown): DetailedTask {
  const state = readTask(received);
  if (state === undefined || !isObject(received)) {
    throw new McpError('protocol', 'The server answered with a task that cannot be read');
  }
  return { ...state, received };
}

/** Those that have not been asked before in the life of the task (TASK-13); notes them. */
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
  if (end.status === 'cancelled') {
    throw cancelledByServer(tool, end);
  }
  if (end.status === 'completed' && isObject(result)) {
    return result;
  }
  if (end.status === 'failed' && isObject(error)) {
    const { code, message, data } = error;
    const text = isString(message) ? message : 'the task failed';
    throw new RpcError(typeof code === 'number' ? code : 0, `${text}${whyOf(end, text)}`, data);
  }
  throw new McpError('protocol', `The task of "${tool}" ended without a result${whyOf(end)}`);
}
