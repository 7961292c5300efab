/**
 * What the experimental tasks of revision 2025-11-25 share with those of the extension of 2026-07-28: a
 * state, read leniently, and the key that ties messages to a task. They differ in who asks for states, and
 * in how the result is fetched.
 */
import { t } from '../../../base/l10n.ts';
import { isObject, isString, type JsonObject } from '../../../base/json.ts';
import { McpError, rpcCodes, RpcError } from '../../errors.ts';
import type { Progress, RequestHandler, RequestOptions, RequestsInFlight } from '../../rpc/peer.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { Params } from '../../types/message.ts';
import type { Diagnostic } from '../../transport/transport.ts';
import type { ServerDescription } from '../../session/session.ts';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export interface TaskState {
  readonly id: string;
  readonly status: TaskStatus;
  /** The server's own text, for people. */
  readonly message?: string;
  /** How long the server wants us to wait between two polls, in milliseconds. */
  readonly pollMs?: number;
}

/** What the tasks of a server need from their session, in either era. */
export interface TaskOwner {
  request(method: string, params: Params, options: RequestOptions): Promise<unknown>;
  diagnose(level: Diagnostic['level'], text: string): void;
  /** The session's requests that wait for a reply. */
  readonly inFlight: RequestsInFlight;
  /** Aborts when the connection ends. */
  readonly lifetime: AbortSignal;
}

/** The same for tasks of revision 2025-11-25, whichever side runs them. `request` sends again after a lost session. */
export interface LegacyTaskOwner extends TaskOwner {
  server(): ServerDescription;
  /** Never throws. */
  notify(method: string, params: Params): void;
  followProgress(token: string, onProgress: (progress: Progress) => void): Disposable;
  /** Pauses the limits of our requests that may wait for our own work. */
  pauseIdleLimits(): Disposable;
}

const statuses: ReadonlySet<string> = new Set<TaskStatus>([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);

/** In `_meta` of every message that belongs to a task and does not name it otherwise (TASK-09). */
export const relatedTaskKey = 'io.modelcontextprotocol/related-task';

/**
 * Undefined if the value names no task. An unknown status counts as working. Reads the poll interval under
 * the names of both revisions.
 */
export function readTask(value: unknown): TaskState | undefined {
  if (!isObject(value) || !isText(value['taskId']) || !isString(value['status'])) {
    return undefined;
  }
  const { taskId: id, status, statusMessage: message } = value;
  const interval = value['pollIntervalMs'] ?? value['pollInterval'];
  return {
    id,
    status: isStatus(status) ? status : 'working',
    ...(isText(message) && { message }),
    ...(typeof interval === 'number' && interval >= 0 && { pollMs: interval }),
  };
}

export function isTerminal({ status }: Pick<TaskState, 'status'>): boolean {
  return status !== 'working' && status !== 'input_required';
}

/** The task that a request, result or notification belongs to. */
export function relatedTaskOf(message: JsonObject): string | undefined {
  const meta = message['_meta'];
  const related = isObject(meta) ? meta[relatedTaskKey] : undefined;
  const id = isObject(related) ? related['taskId'] : undefined;
  return isText(id) ? id : undefined;
}

/** The result with its task added to `_meta`. */
export function withRelatedTask(result: JsonObject, taskId: string): JsonObject {
  const meta = result['_meta'];
  return {
    ...result,
    _meta: { ...(isObject(meta) ? meta : undefined), [relatedTaskKey]: { taskId } },
  };
}

function isStatus(value: string): value is TaskStatus {
  return statuses.has(value);
}

function isText(value: unknown): value is string {
  return isString(value) && value !== '';
}

/**
 * Ties a handler to the task that a request belongs to: the answer names the task (TASK-09), and the request is withdrawn
 * when we give up the task.
 * @param signalOf aborts when a task of ours is over; undefined for any other task
 */
export function tiedToTasks(
  handler: RequestHandler,
  signalOf: (taskId: string) => AbortSignal | undefined,
): RequestHandler {
  return async (params, context) => {
    const taskId = relatedTaskOf(params);
    if (taskId === undefined) {
      return handler(params, context);
    }
    const over = signalOf(taskId);
    const signal = over === undefined ? context.signal : AbortSignal.any([context.signal, over]);
    try {
      const result = await handler(params, { ...context, signal });
      return isObject(result) ? withRelatedTask(result, taskId) : result;
    } catch (error) {
      if (over?.aborted === true) {
        throw new RpcError(rpcCodes.internalError, 'The task that this belongs to is over');
      }
      throw error;
    }
  };
}

/** Also the error of a caller whose tasks end with the connection. */
export function connectionEnded(): McpError {
  return new McpError(
    'closed',
    t(
      'The connection ended before "{0}" was done; whether it took effect is unknown',
      'tools/call',
    ),
  );
}
