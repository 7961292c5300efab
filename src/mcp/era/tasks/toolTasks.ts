/**
 * Tool calls that run as tasks on the server, in revision 2025-11-25
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks): the caller gets the
 * tool's result, and sees the task's state as progress.
 *
 * A tool that may run as a task does so: then its call survives a broken connection, reports what it is
 * doing, can wait for the user, and can be cancelled reliably. It costs two more short requests.
 */
import { raceSignal, toError } from '../../../base/async.ts';
import { Emitter } from '../../../base/event.ts';
import { isObject, isString } from '../../../base/json.ts';
import { isRpcError, rpcCodes } from '../../errors.ts';
import { revisions } from '../../revisions.ts';
import type { Params } from '../../types/message.ts';
import type { RequestOptions } from '../../rpc/peer.ts';
import type { Method } from '../../types/methods.ts';
import type { RequestTimes } from '../../session/session.ts';
import { mayPass } from './observeTask.ts';
import { isTerminal, readTask, type LegacyTaskOwner, type TaskState } from './task.ts';
import { type TaskCall, type TaskCallOptions, TaskCalls } from './taskCalls.ts';
import { cancelTask, followToolTask, listTasks } from './toolTask.ts';
import {
  declaresTaskOperation,
  declaresToolTasks,
  taskSupportsIn,
  type ToolTaskSupport,
} from './toolTaskSupport.ts';
import { ListedTools } from '../../session/listedTools.ts';

/** How much longer than our own limit a server is asked to keep a task, in milliseconds. */
const retrievalMs = 60_000;
/** In `_meta` of a handle: a text that may be shown while the task runs (TASK-15). */
const immediateResponseKey = 'io.modelcontextprotocol/model-immediate-response';

export class ToolTasks {
  readonly #owner: LegacyTaskOwner;
  readonly #supports = new ListedTools<ToolTaskSupport | undefined>();
  readonly #pushed = new Emitter<TaskState>();
  readonly calls: TaskCalls;
  #lastToken = 0;

  constructor(owner: LegacyTaskOwner) {
    this.#owner = owner;
    this.calls = new TaskCalls(owner, (task, tool) => cancelTask(owner, task, tool));
  }

  /**
   * Performs one request of the session, with or without a task in between. Tools are called as their list says.
   * @param send sends the request as it is
   * @throws the error of `send`; for a task also `closed` when the server lost or cancelled it
   */
  perform(
    method: Method,
    params: Params,
    options: TaskCallOptions,
    send: () => Promise<unknown>,
  ): Promise<unknown> {
    const server = this.#owner.server();
    const { id } = options.kept ?? {};
    if (id !== undefined) {
      const seed = { id, status: 'working' } as const;
      return this.calls.withinLimits(params, options, (call) =>
        this.#follow(seed, options.times, call),
      );
    }
    if (!revisions[server.revision].tasks) {
      return send();
    }
    const hasTasks = declaresToolTasks(server);
    if (method === 'tools/list' && hasTasks) {
      return send().then((page) => {
        this.#supports.learn(params, page, taskSupportsIn(page));
        return page;
      });
    }
    if (method !== 'tools/call') {
      return send();
    }
    const support = hasTasks ? this.#supports.of(params['name']) : undefined;
    return support === undefined
      ? send().then((result) => this.#adopt(params, result, options))
      : this.#call(params, options, support, send);
  }

  /** Handles `notifications/tasks/status`. */
  onNotified(params: Params): void {
    const state = readTask(params);
    if (state !== undefined) {
      this.#pushed.fire(state);
    }
  }

  async #call(
    params: Params,
    options: TaskCallOptions,
    support: ToolTaskSupport,
    send: () => Promise<unknown>,
  ): Promise<unknown> {
    try {
      return await this.calls.withinLimits(params, options, (call) =>
        this.#start(params, options, call),
      );
    } catch (error) {
      const isRefused = isRpcError(error) && error.rpcCode === rpcCodes.methodNotFound;
      if (!isRefused || support === 'required') {
        throw error;
      }
      this.#owner.diagnose('debug', `The server does not run "${nameOf(params)}" as a task`);
      return send();
    }
  }

  /** The tool's result; if the server created a task unasked, the result of the task. */
  #adopt(params: Params, result: unknown, options: TaskCallOptions): unknown {
    const seed = handleIn(result);
    if (seed === undefined) {
      return result;
    }
    const text = `The server runs "${nameOf(params)}" as a task that it was not asked for`;
    this.#owner.diagnose('warn', text);
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
        : this.#owner.followProgress(progressToken, (value) => call.told.report(value));
    try {
      const sent = {
        ...params,
        task: times.totalMs === Infinity ? {} : { ttl: Math.ceil(times.totalMs) + retrievalMs },
      };
      const created = await this.#create(
        sent,
        { ...times, progressToken, onId: (id) => call.createdBy(id) },
        call.signal,
      );
      const seed = handleIn(created);
      if (seed === undefined) {
        this.#owner.diagnose('debug', `The server ran "${nameOf(params)}" at once, not as a task`);
        return created;
      }
      call.told.say(immediateResponse(created));
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
    const creation = this.#owner.request('tools/call', params, {
      ...options,
      isCancellable: false,
    });
    try {
      return await raceSignal(creation, signal);
    } catch (error) {
      if (signal.aborted) {
        this.calls.bidFarewell(this.#cancelWhenMade(creation, params));
      } else {
        await this.#reportUnknown(error, params);
      }
      throw error;
    }
  }

  #follow(seed: TaskState, times: RequestTimes, call: TaskCall): Promise<unknown> {
    this.#owner.diagnose('debug', `The task of "${call.tool}" is ${seed.id}`);
    return followToolTask(this.#owner, { call, seed, times, onDidPush: this.#pushed.event });
  }

  /** Never rejects. */
  async #cancelWhenMade(creation: Promise<unknown>, params: Params): Promise<void> {
    const late = await creation.then(handleIn, () => undefined);
    if (late !== undefined) {
      await cancelTask(this.#owner, late, nameOf(params));
    }
  }

  /**
   * Call when the reply that names the task was lost. Tasks that may be ours are logged and not cancelled:
   * they could belong to somebody else with the same rights.
   */
  async #reportUnknown(error: unknown, params: Params): Promise<void> {
    const canList = declaresTaskOperation(this.#owner.server(), 'list');
    if (isRpcError(error) || !mayPass(error) || !canList || this.#owner.lifetime.aborted) {
      return;
    }
    let listed: readonly TaskState[] = [];
    try {
      listed = await listTasks(this.#owner, this.#owner.lifetime);
    } catch (failure) {
      this.#owner.diagnose('debug', `"tasks/list" failed: ${toError(failure).message}`);
    }
    const ids = listed.filter(
      (task) => !isTerminal(task) && this.calls.signalOf(task.id) === undefined,
    );
    if (ids.length > 0) {
      const text = `The reply to "${nameOf(params)}" was lost. Tasks of the server that nobody here waits for: ${ids.map(({ id }) => id).join(', ')}`;
      this.#owner.diagnose('warn', text);
    }
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
