/**
 * Requests of a server that run as tasks on our side, in revision 2025-11-25
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks): a request is
 * acknowledged at once, and its state and result are fetched later. Tasks belong to one session, and end
 * with it.
 */
import { after, delay, raceSignal, toError } from '../../../base/async.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { type JsonObject, isObject, isString } from '../../../base/json.ts';
import { RpcError, isRpcError, rpcCodes } from '../../errors.ts';
import { revisions } from '../../revisions.ts';
import type { Params } from '../../types/message.ts';
import type { RequestContext, RequestHandler } from '../../rpc/peer.ts';
import { isTerminal, type LegacyTaskOwner, type TaskStatus, withRelatedTask } from './task.ts';

/** Limits for what a server may make us keep (TASK-18). Times in milliseconds. */
export const receivedTaskLimits = {
  tasks: 64,
  leastTtl: 1_000,
  mostTtl: 3_600_000,
};
/** How often a server should poll: a person answers. Milliseconds. */
const pollInterval = 1_000;

interface ReceivedTask {
  readonly id: string;
  readonly method: string;
  /** Milliseconds from creation; always finite. */
  readonly ttl: number;
  readonly createdAt: string;
  readonly work: AbortController;
  readonly outcome: PromiseWithResolvers<unknown>;
  expiry?: Disposable;
  updatedAt: string;
  status: TaskStatus;
  message?: string;
}

export class ReceivedTasks {
  readonly #owner: LegacyTaskOwner;
  /** Tasks by id, oldest first. */
  readonly #kept = new Map<string, ReceivedTask>();

  constructor(owner: LegacyTaskOwner) {
    this.#owner = owner;
  }

  /** Wraps the handler of a method that may run as a task. */
  augmented(method: string, handler: RequestHandler): RequestHandler {
    return async (params, context) => {
      const { task } = params;
      return isObject(task) && this.#isInUse
        ? { task: this.#begin(method, task, (run) => handler(params, run), context) }
        : handler(params, context);
    };
  }

  /** `tasks/get`, `tasks/result`, `tasks/list`, `tasks/cancel`. */
  handlers(): ReadonlyMap<string, RequestHandler> {
    const handlers: Readonly<Record<string, RequestHandler>> = {
      'tasks/get': async (params) => toJson(this.#find(params)),
      'tasks/result': (params, context) => this.#result(this.#find(params), context),
      'tasks/list': async (params) => this.#list(params['cursor']),
      'tasks/cancel': async (params) => this.#cancel(this.#find(params)),
    };
    return new Map(
      Object.entries(handlers).map(([method, handler]) => [
        method,
        async (params, context) => {
          if (!this.#isInUse) {
            throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${method}`);
          }
          return handler(params, context);
        },
      ]),
    );
  }

  /** Ends the session: keeps nothing of it, and withdraws what is being asked. */
  clear(): void {
    for (const task of this.#kept.values()) {
      this.#forget(task, 'The session is over');
    }
  }

  /** If the agreed revision has no tasks, a `task` in a request is ignored (TASK-19). */
  get #isInUse(): boolean {
    return revisions[this.#owner.server().revision].tasks;
  }

  #begin(
    method: string,
    { ttl }: JsonObject,
    work: (context: RequestContext) => Promise<unknown>,
    context: RequestContext,
  ): JsonObject {
    if (this.#kept.size >= receivedTaskLimits.tasks) {
      const message = `Too many tasks at the same time: more than ${receivedTaskLimits.tasks}`;
      this.#owner.diagnose(
        'warn',
        `"${method}" was refused. ${message}. Those whose time to live is over make room.`,
      );
      throw new RpcError(rpcCodes.internalError, message);
    }
    const now = new Date().toISOString();
    const task: ReceivedTask = {
      id: crypto.randomUUID(),
      method,
      ttl: boundedTtl(ttl),
      createdAt: now,
      work: new AbortController(),
      outcome: Promise.withResolvers<unknown>(),
      updatedAt: now,
      status: 'working',
    };
    task.outcome.promise.catch(() => undefined); // nobody may ask for it
    task.expiry = after(task.ttl, () => this.#forget(task, 'Its time to live is over'));
    this.#kept.set(task.id, task);
    const begun = toJson(task);
    const signal = AbortSignal.any([context.signal, task.work.signal]);
    void this.#run(task, () => work({ ...context, signal }));
    return begun;
  }

  /** Never rejects. */
  async #run(task: ReceivedTask, work: () => Promise<unknown>): Promise<void> {
    const pause = this.#owner.pauseIdleLimits();
    try {
      // The server gets the task before its end.
      await delay(0, task.work.signal);
      const result = await work();
      this.#end(task, 'completed', () => task.outcome.resolve(result));
    } catch (error) {
      if (!isTerminal(task)) {
        const text = `"${task.method}" of the server failed: ${toError(error).message}`;
        this.#owner.diagnose('warn', text);
      }
      // The text of an unexpected error is not sent: it may hold paths or secrets.
      const message = isRpcError(error) ? error.message : 'Internal error';
      this.#end(task, 'failed', () => task.outcome.reject(error), message);
    } finally {
      pause.dispose();
    }
  }

  /** The only transition; does nothing if the task has ended before (TASK-16). */
  #end(
    task: ReceivedTask,
    status: 'completed' | 'failed' | 'cancelled',
    settle: () => void,
    message?: string,
  ): void {
    if (isTerminal(task)) {
      return;
    }
    Object.assign(task, { status, message, updatedAt: new Date().toISOString() });
    settle();
    this.#owner.diagnose('debug', `The task ${task.id} of the server is ${status}`);
    if (this.#kept.has(task.id)) {
      this.#owner.notify('notifications/tasks/status', toJson(task));
    }
  }

  #find({ taskId }: Params): ReceivedTask {
    const task = isString(taskId) ? this.#kept.get(taskId) : undefined;
    if (task === undefined) {
      throw new RpcError(rpcCodes.invalidParams, 'Task not found, or its time to live is over');
    }
    return task;
  }

  /** The same result that the request itself would have had (TASK-17). */
  async #result(task: ReceivedTask, context: RequestContext): Promise<unknown> {
    const result = await raceSignal(task.outcome.promise, context.signal);
    return withRelatedTask(isObject(result) ? result : {}, task.id);
  }

  /** One page holds all that may exist. */
  #list(cursor: unknown): JsonObject {
    if (cursor !== undefined) {
      throw new RpcError(rpcCodes.invalidParams, 'Unknown cursor');
    }
    return { tasks: [...this.#kept.values()].map(toJson) };
  }

  /** Withdraws the request; the status changes before the reply. */
  #cancel(task: ReceivedTask): JsonObject {
    if (isTerminal(task)) {
      throw new RpcError(
        rpcCodes.invalidParams,
        `Cannot cancel the task: it is over, with status "${task.status}"`,
      );
    }
    const text = 'The task was cancelled';
    const error = new RpcError(rpcCodes.internalError, text);
    this.#end(task, 'cancelled', () => task.outcome.reject(error), text);
    task.work.abort();
    return toJson(task);
  }

  #forget(task: ReceivedTask, why: string): void {
    task.expiry?.dispose();
    this.#kept.delete(task.id);
    const error = new RpcError(rpcCodes.invalidParams, `Task not found: ${why.toLowerCase()}`);
    this.#end(task, 'failed', () => task.outcome.reject(error), why);
    task.work.abort();
  }
}

function toJson({ id, status, message, createdAt, updatedAt, ttl }: ReceivedTask): JsonObject {
  return {
    taskId: id,
    status,
    ...(message !== undefined && { statusMessage: message }),
    createdAt,
    lastUpdatedAt: updatedAt,
    ttl,
    pollInterval,
  };
}

function boundedTtl(ttl: unknown): number {
  const { leastTtl, mostTtl } = receivedTaskLimits;
  const wanted = typeof ttl === 'number' && !Number.isNaN(ttl) ? Math.round(ttl) : mostTtl;
  return Math.min(Math.max(wanted, leastTtl), mostTtl);
}
