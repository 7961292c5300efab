/**
 * Tool calls that run as tasks on the server, in revision 2025-11-25
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks): the caller gets the
 * tool's result, and sees the task's state as progress.
 *
 * A tool that may run as a task does so: then its call survives a broken connection, reports what it is
 * doing, can wait for the user, and can be cancelled reliably. It costs two more short requests.
 */
import { t } from '../../../base/l10n.ts';
import { raceSignal } from '../../../base/async.ts';
import { isObject, isString, type JsonObject } from '../../../base/json.ts';
import { isRpcError, McpError, rpcCodes, RpcError } from '../../errors.ts';
import { revisions } from '../../revisions.ts';
import type { Params } from '../../types/message.ts';
import type { Notification, RequestOptions } from '../../rpc/peer.ts';
import type { Method } from '../../types/methods.ts';
import { ListedTools } from '../../session/listedTools.ts';
import type { RequestTimes, ServerDescription } from '../../session/session.ts';
import { followTask, persistently, whyOf } from './followTask.ts';
import { readTask, type LegacyTaskOwner, type TaskState } from './task.ts';
import { type TaskCall, type TaskCallOptions, TaskCalls } from './taskCalls.ts';

/** How much longer than our own limit a server is asked to keep a task, in milliseconds. */
const retrievalMs = 60_000;
/** In `_meta` of a handle: a text that may be shown while the task runs (TASK-15). */
const immediateResponseKey = 'io.modelcontextprotocol/model-immediate-response';
/** A caller that stops waiting drops the reply; `notifications/cancelled` is not for tasks (CANC-07). */
const isCancellable = false;

export class ToolTasks {
  readonly #owner: LegacyTaskOwner;
  readonly #listed = new ListedTools(supportOf);
  readonly calls: TaskCalls;
  #lastToken = 0;

  constructor(owner: LegacyTaskOwner) {
    this.#owner = owner;
    this.calls = new TaskCalls(owner, (tool) => this.#mayCancel(tool));
  }

  /**
   * Performs one request of the session, with or without a task in between. Tools are called as their list says.
   * @param send sends the request as it is
   * @throws the error of `send`; for a task also `closed` when the server lost or cancelled it
   */
  async perform(
    method: Method,
    params: Params,
    options: TaskCallOptions,
    send: () => Promise<unknown>,
  ): Promise<unknown> {
    const server = this.#owner.server();
    const { id } = options.kept ?? {};
    if (id !== undefined) {
      return this.#join({ id, status: 'working' }, params, options);
    }
    const hasTasks = declaresToolTasks(server);
    if (method !== 'tools/call' || !revisions[server.revision].tasks) {
      const result = await send();
      if (method === 'tools/list' && hasTasks) {
        this.#listed.learn(params, result);
      }
      return result;
    }
    const support = hasTasks ? this.#listed.of(params['name']) : undefined;
    if (support !== undefined) {
      return this.#call(params, options, support, send);
    }
    const result = await send();
    const seed = handleIn(result);
    if (seed === undefined) {
      return result;
    }
    const text = `The server runs "${nameOf(params)}" as a task that it was not asked for`;
    this.#owner.diagnose('warn', text);
    return this.#join(seed, params, options);
  }

  /** Returns whether the notification is the state of a task. */
  receive({ method, params }: Notification): boolean {
    const state = method === 'notifications/tasks/status' ? readTask(params) : undefined;
    if (state !== undefined) {
      this.calls.tell(state);
    }
    return state !== undefined;
  }

  async #call(
    params: Params,
    options: TaskCallOptions,
    support: ToolTaskSupport,
    send: () => Promise<unknown>,
  ): Promise<unknown> {
    let started: TaskCall | undefined;
    try {
      return await this.calls.withinLimits(params, options, (call) => {
        started = call;
        return this.#start(params, options, call);
      });
    } catch (error) {
      const isRefused = isRpcError(error) && error.rpcCode === rpcCodes.methodNotFound;
      // Once there is a task the tool has run: the error is its result.
      if (!isRefused || support === 'required' || started?.task !== undefined) {
        throw error;
      }
      this.#owner.diagnose('debug', `The server does not run "${nameOf(params)}" as a task`);
      return send();
    }
  }

  /** Waits for a task that exists. */
  #join(seed: TaskState, params: Params, options: TaskCallOptions): Promise<unknown> {
    return this.calls.withinLimits(params, options, (call) =>
      this.#follow(seed, options.times, call),
    );
  }

  async #start(params: Params, options: TaskCallOptions, call: TaskCall): Promise<unknown> {
    const { times, onProgress } = options;
    // The token outlives the request, which is answered as soon as the task exists (PROG-06).
    const progressToken = onProgress && `task-${++this.#lastToken}`;
    const followed =
      progressToken === undefined
        ? undefined
        : this.#owner.followProgress(progressToken, (value) => call.report(value));
    try {
      const sent = {
        ...params,
        task: times.totalMs === Infinity ? {} : { ttl: Math.ceil(times.totalMs) + retrievalMs },
      };
      const created = await this.#create(
        sent,
        { ...times, progressToken, isCancellable, onId: (id) => call.createdBy(id) },
        call.signal,
      );
      const seed = handleIn(created);
      if (seed === undefined) {
        this.#owner.diagnose('debug', `The server ran "${nameOf(params)}" at once, not as a task`);
        return created;
      }
      call.say(immediateResponse(created));
      return await this.#follow(seed, times, call);
    } finally {
      followed?.dispose();
    }
  }

  /**
   * The signal does not end the request: a request for a task must not be cancelled by notification
   * (CANC-07). If the caller gives up before the task exists, the task is cancelled when its handle comes.
   */
  async #create(params: Params, options: RequestOptions, signal: AbortSignal): Promise<unknown> {
    const creation = this.#owner.request('tools/call', params, options);
    try {
      return await raceSignal(creation, signal);
    } catch (error) {
      if (signal.aborted) {
        const late = creation.then(handleIn, () => undefined);
        this.calls.bidFarewell(
          late.then((task) => task && this.calls.cancel(task, nameOf(params))),
        );
      }
      throw error;
    }
  }

  /** @throws RpcError when the tool's request failed */
  async #follow(seed: TaskState, times: RequestTimes, call: TaskCall): Promise<unknown> {
    this.#owner.diagnose('debug', `The task of "${call.tool}" is ${seed.id}`);
    const { signal } = call;
    const about = { taskId: seed.id };
    /** Waits for the end of the task (TASK-06). */
    const resultOf = (idleMs: number): Promise<unknown> =>
      this.#owner.request('tasks/result', about, {
        signal,
        idleMs,
        totalMs: Infinity,
        isCancellable,
      });
    // While the task needs input, the server needs a stream for its requests (TASK-07). One that does not block the
    // request refuses it; that is not an outcome of the task.
    const early = Promise.withResolvers<{ readonly result: unknown }>();
    let isOpen = false;
    const openStream = async (): Promise<void> => {
      isOpen = true;
      await resultOf(Infinity).then(
        (result) => early.resolve({ result }),
        () => undefined,
      );
      isOpen = false;
    };
    const ended = followTask<TaskState>({
      call,
      seed,
      times,
      ask: async () => {
        const options = { ...times, signal, isCancellable };
        const state = readTask(await this.#owner.request('tasks/get', about, options));
        if (state === undefined) {
          throw new McpError('protocol', t('The server\'s result for "tasks/get" is not a task'));
        }
        return state;
      },
      onState: ({ status }) => {
        if (status === 'input_required' && !isOpen) {
          void openStream();
        }
      },
    });
    const first = await Promise.race([ended, early.promise]);
    if ('result' in first) {
      return first.result;
    }
    try {
      return await persistently(() => resultOf(times.idleMs), signal, isRpcError);
    } catch (error) {
      throw isRpcError(error)
        ? new RpcError(error.rpcCode, `${error.message}${whyOf(first, error.message)}`, error.data)
        : error;
    }
  }

  /** TASK-11. */
  #mayCancel(tool: string): boolean {
    const { cancel } = tasksOf(this.#owner.server());
    if (!isDeclared(cancel)) {
      this.#owner.diagnose('warn', `The server does not cancel tasks: "${tool}" continues there`);
    }
    return isDeclared(cancel);
  }
}

function nameOf(params: Params): string {
  return isString(params['name']) ? params['name'] : 'tools/call';
}

/** A result with content is a result, whatever else it holds. */
function handleIn(result: unknown): TaskState | undefined {
  return isObject(result) && result['content'] === undefined ? readTask(result['task']) : undefined;
}

function immediateResponse(result: unknown): string | undefined {
  const meta = isObject(result) ? result['_meta'] : undefined;
  const text = isObject(meta) ? meta[immediateResponseKey] : undefined;
  return isString(text) ? text : undefined;
}

/** Whether a tool may, or must, run as a task, on a server that declares tasks (TASK-02, TASK-03). */
type ToolTaskSupport = 'optional' | 'required';

function supportOf({ execution }: JsonObject): ToolTaskSupport | undefined {
  const support = isObject(execution) ? execution['taskSupport'] : undefined;
  return support === 'optional' || support === 'required' ? support : undefined;
}

/** `tasks.requests.tools.call`, where each level is an object. */
function declaresToolTasks(server: ServerDescription): boolean {
  const { requests } = tasksOf(server);
  const tools = isObject(requests) ? requests['tools'] : undefined;
  return isObject(tools) && isDeclared(tools['call']);
}

function tasksOf({ capabilities }: ServerDescription): Params {
  const declared = capabilities['tasks'];
  return isObject(declared) ? declared : {};
}

/** An object is a declaration; some servers write `true` instead. */
function isDeclared(value: unknown): boolean {
  return isObject(value) || value === true;
}
