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

type Outcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: unknown };

class ReceivedTask {
  readonly id = crypto.randomUUID();
  readonly method: string;
  /** Milliseconds from creation; always finite. */
  readonly ttl: number;
  readonly createdAt = new Date();
  readonly work = new AbortController();
  readonly #ended = Promise.withResolvers<Outcome>();
  readonly outcome = this.#ended.promise;
  #updatedAt = this.createdAt;
  #status: TaskStatus = 'working';
  #message: string | undefined;

  constructor(method: string, ttl: number) {
    this.method = method;
    this.ttl = ttl;
  }

  get isOver(): boolean {
    return isTerminal({ status: this.#status });
  }

  get status(): TaskStatus {
    return this.#status;
  }

  /** The only transition; returns false if the task has ended before (TASK-16). */
  end(status: 'completed' | 'failed' | 'cancelled', outcome: Outcome, message?: string): boolean {
    if (this.isOver) {
      return false;
    }
    this.#status = status;
    this.#message = message;
    this.#updatedAt = new Date();
    this.#ended.resolve(outcome);
    return true;
  }

  toJson(): JsonObject {
    return {
      taskId: this.id,
      status: this.#status,
      ...(this.#message !== undefined && { statusMessage: this.#message }),
      createdAt: this.createdAt.toISOString(),
      lastUpdatedAt: this.#updatedAt.toISOString(),
      ttl: this.ttl,
      pollInterval,
    };
  }
}

interface Kept {
  readonly task: ReceivedTask;
  readonly expiry: Disposable;
}

export class ReceivedTasks {
  readonly #owner: LegacyTaskOwner;
  /** Tasks by id, oldest first. */
  readonly #kept = new Map<string, Kept>();

  constructor(owner: LegacyTaskOwner) {
    this.#owner = owner;
  }

  /** Wraps the handler of a method that may run as a task. */
  augmented(method: string, handler: RequestHandler): RequestHandler {
    return async (params, context) => {
      const { task, ...rest } = params;
      return isObject(task) && this.#isInUse
        ? { task: this.#begin(method, task, (run) => handler(rest, run), context) }
        : handler(params, context);
    };
  }

  /** `tasks/get`, `tasks/result`, `tasks/list`, `tasks/cancel`. */
  handlers(): ReadonlyMap<string, RequestHandler> {
    const handlers: Readonly<Record<string, RequestHandler>> = {
      'tasks/get': async (params) => this.#find(params).toJson(),
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
    for (const { task } of this.#kept.values()) {
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
    const task = new ReceivedTask(method, boundedTtl(ttl));
    const expiry = after(task.ttl, () => this.#forget(task, 'Its time to live is over'));
    this.#kept.set(task.id, { task, expiry });
    this.#owner.diagnose('debug', `"${method}" of the server became the task ${task.id}`);
    const begun = task.toJson();
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
      this.#end(task, 'completed', { kind: 'result', result });
    } catch (error) {
      // The text of an unexpected error is not sent: it may hold paths or secrets.
      const message = isRpcError(error) ? error.message : 'Internal error';
      if (!task.isOver) {
        this.#owner.diagnose(
          'warn',
          `"${task.method}" of the server failed: ${toError(error).message}`,
        );
        this.#end(task, 'failed', { kind: 'error', error }, message);
      }
    } finally {
      pause.dispose();
    }
  }

  #end(task: ReceivedTask, ...how: Parameters<ReceivedTask['end']>): void {
    if (task.end(...how)) {
      this.#owner.diagnose('debug', `The task ${task.id} of the server is ${task.status}`);
      if (this.#kept.has(task.id)) {
        this.#owner.notify('notifications/tasks/status', task.toJson());
      }
    }
  }

  #find({ taskId }: Params): ReceivedTask {
    const kept = isString(taskId) ? this.#kept.get(taskId) : undefined;
    if (kept === undefined) {
      throw new RpcError(rpcCodes.invalidParams, 'Task not found, or its time to live is over');
    }
    return kept.task;
  }

  /** The same result that the request itself would have had (TASK-17). */
  async #result(task: ReceivedTask, context: RequestContext): Promise<unknown> {
    const outcome = await raceSignal(task.outcome, context.signal);
    if (outcome.kind === 'error') {
      throw outcome.error;
    }
    return withRelatedTask(isObject(outcome.result) ? outcome.result : {}, task.id);
  }

  /** One page holds all that may exist. */
  #list(cursor: unknown): JsonObject {
    if (cursor !== undefined) {
      throw new RpcError(rpcCodes.invalidParams, 'Unknown cursor');
    }
    return { tasks: [...this.#kept.values()].map(({ task }) => task.toJson()) };
  }

  /** Withdraws the request; the status changes before the reply. */
  #cancel(task: ReceivedTask): JsonObject {
    if (task.isOver) {
      throw new RpcError(
        rpcCodes.invalidParams,
        `Cannot cancel the task: it is over, with status "${task.status}"`,
      );
    }
    const text = 'The task was cancelled';
    const error = new RpcError(rpcCodes.internalError, text);
    this.#end(task, 'cancelled', { kind: 'error', error }, text);
    task.work.abort();
    return task.toJson();
  }

  #forget(task: ReceivedTask, why: string): void {
    this.#kept.get(task.id)?.expiry.dispose();
    this.#kept.delete(task.id);
    const error = new RpcError(rpcCodes.invalidParams, `Task not found: ${why.toLowerCase()}`);
    this.#end(task, 'failed', { kind: 'error', error }, why);
    task.work.abort();
  }
}

function boundedTtl(ttl: unknown): number {
  const { leastTtl, mostTtl } = receivedTaskLimits;
  const wanted = typeof ttl === 'number' && !Number.isNaN(ttl) ? Math.round(ttl) : mostTtl;
  return Math.min(Math.max(wanted, leastTtl), mostTtl);
}
