/**
 * Tool calls that run as tasks on the server, in revision 2025-11-25
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks): who calls gets the
 * tool's result, and sees the state of the task as progress.
 *
 * A tool that may run as a task does: its call then survives a broken connection, says what it is
 * doing, can wait for the user, and is cancelled for certain. The price is two short requests more.
 */
import { raceSignal, toError } from '../../../base/async.ts';
import { Emitter } from '../../../base/event.ts';
import { isObject, isString } from '../../../base/json.ts';
import { isRpcError, rpcCodes } from '../../errors.ts';
import { revisions } from '../../revisions.ts';
import type { Params } from '../../types/message.ts';
import type { RequestOptions } from '../../rpc/peer.ts';
import type { Method } from '../../types/methods.ts';
import type { InFlight } from '../../rpc/runningRequest.ts';
import type { RequestTimes } from '../../session/session.ts';
import { mayPass } from './observeTask.ts';
import { RunningTasks } from './runningTasks.ts';
import { type TaskState, isTerminal, readTask } from './task.ts';
import type { TaskOwner } from './taskOwner.ts';
import { type TaskCall, type TaskCallOptions, TaskCalls } from './taskLimits.ts';
import { cancelTask, listTasks } from './taskRequests.ts';
import { followToolTask } from './toolTask.ts';
import {
  type ToolTaskSupport,
  ToolTaskSupports,
  declaresTaskOperation,
} from './toolTaskSupport.ts';

/** A server is asked to keep a task so much longer than we wait for it, in milliseconds. */
const retrievalMs = 60_000;
/** In `_meta` of a handle: what may be told while the task runs (TASK-15). */
const immediateResponseKey = 'io.modelcontextprotocol/model-immediate-response';

export class ToolTasks {
  readonly #owner: TaskOwner;
  readonly #supports = new ToolTaskSupports();
  readonly #pushed = new Emitter<TaskState>();
  readonly #running: RunningTasks;
  readonly #calls: TaskCalls;
  #lastToken = 0;

  constructor(owner: TaskOwner) {
    this.#owner = owner;
    this.#running = new RunningTasks({
      cancel: (task, tool) => cancelTask(owner, task, tool),
      diagnose: (level, text) => owner.diagnose(level, text),
    });
    this.#calls = new TaskCalls(owner.inFlight, owner.lifetime);
  }

  /** What waits for the server: calls that are tasks, and requests like others. */
  get inFlight(): InFlight {
    return this.#calls.inFlight;
  }

  /**
   * One request of the session as its caller sees it, with or without a task between: tools are called
   * as what their list said of them.
   * @param send sends it as it is
   * @throws what `send` throws; for a task also `closed` when the server lost or cancelled it
   */
  perform(
    method: Method,
    params: object,
    options: TaskCallOptions,
    send: () => Promise<unknown>,
  ): Promise<unknown> {
    const server = this.#owner.server();
    if (!revisions[server.revision].tasks) {
      return send();
    }
    if (method === 'tools/list') {
      return send().then((page) => {
        this.#supports.learn(params, page);
        return page;
      });
    }
    if (method !== 'tools/call') {
      return send();
    }
    const support = this.#supports.of(nameOf(params), server);
    return support === undefined
      ? send().then((result) => this.#adopt(params, result, options))
      : this.#call(params, options, support, send);
  }

  /** `notifications/tasks/status`. Those of no task that is waited for are dropped. */
  onNotified(params: Params): void {
    const state = readTask(params);
    if (state !== undefined && this.#running.has(state.id)) {
      this.#pushed.fire(state);
    }
  }

  /** Aborts when the task is over: what it asked is of no use then. Undefined for a task that is none of ours. */
  signalOf(taskId: string): AbortSignal | undefined {
    return this.#running.signalOf(taskId);
  }

  get isBusy(): boolean {
    return this.#running.isBusy;
  }

  /** Gives up every task and tells the server so. Never rejects. */
  close(): Promise<void> {
    return this.#running.close();
  }

  async #call(
    params: object,
    options: TaskCallOptions,
    support: ToolTaskSupport,
    send: () => Promise<unknown>,
  ): Promise<unknown> {
    try {
      return await this.#calls.withinLimits({ ...params }, options, (call) =>
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

  /** The tool's result; for the handle of a task that nobody asked for, what comes of the task. */
  #adopt(params: object, result: unknown, options: TaskCallOptions): unknown {
    const seed = handleIn(result);
    if (seed === undefined) {
      return result;
    }
    const text = `The server runs "${nameOf(params)}" as a task that it was not asked for`;
    this.#owner.diagnose('warn', text);
    return this.#calls.withinLimits({ ...params }, options, (call) =>
      this.#follow(params, seed, options.times, call),
    );
  }

  async #start(params: object, options: TaskCallOptions, call: TaskCall): Promise<unknown> {
    const { times, onProgress } = options;
    // The token outlives the request, which is answered as soon as there is a task (PROG-06).
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
      return await this.#follow(params, seed, times, call);
    } finally {
      followed?.dispose();
    }
  }

  /**
   * Not ended by the signal: a request for a task must not be cancelled by notification (CANC-07). Who
   * gives up before there is a task leaves it to be cancelled when it comes.
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
        this.#running.bidFarewell(this.#cancelWhenMade(creation, params));
      } else {
        await this.#reportUnknown(error, params);
      }
      throw error;
    }
  }

  #follow(
    params: object,
    seed: TaskState,
    times: RequestTimes,
    { signal, told: progress }: TaskCall,
  ): Promise<unknown> {
    const tool = nameOf(params);
    const onDidPush = this.#pushed.event;
    this.#owner.diagnose('debug', `The task of "${tool}" is ${seed.id}`);
    return this.#running.run(tool, seed, signal, (running) =>
      followToolTask(this.#owner, { tool, seed, progress, times, onDidPush, ...running }),
    );
  }

  /** Never rejects. */
  async #cancelWhenMade(creation: Promise<unknown>, params: object): Promise<void> {
    const late = await creation.then(handleIn, () => undefined);
    if (late !== undefined) {
      await cancelTask(this.#owner, late, nameOf(params));
    }
  }

  /**
   * The reply that would name the task was lost. What may be ours is named in the log and not
   * cancelled: it could be that of somebody else with the same rights.
   */
  async #reportUnknown(error: unknown, params: object): Promise<void> {
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
    const ids = listed.filter((task) => !isTerminal(task) && !this.#running.has(task.id));
    if (ids.length > 0) {
      const text = `The reply to "${nameOf(params)}" was lost. Tasks of the server that nobody here waits for: ${ids.map(({ id }) => id).join(', ')}`;
      this.#owner.diagnose('warn', text);
    }
  }
}

function nameOf(params: object): string {
  return 'name' in params && isString(params.name) ? params.name : 'tools/call';
}

/** A result that has content is a result, whatever else it holds. */
function handleIn(result: unknown): TaskState | undefined {
  return isObject(result) && result['content'] === undefined ? readTask(result['task']) : undefined;
}

function immediateResponse(result: unknown): string | undefined {
  const meta = isObject(result) ? result['_meta'] : undefined;
  const text = isObject(meta) ? meta[immediateResponseKey] : undefined;
  return isString(text) ? text : undefined;
}
