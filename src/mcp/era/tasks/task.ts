/**
 * What the experimental tasks of revision 2025-11-25 share with those of the extension of 2026-07-28: a
 * state, read leniently, and the key that ties messages to a task. They differ in who asks for states, and
 * in how the result is fetched.
 */
import { type JsonObject, isObject, isString } from '../../../base/json.ts';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export interface TaskState {
  readonly id: string;
  readonly status: TaskStatus;
  /** The server's own text, for people. */
  readonly message?: string;
  /** How long the server wants us to wait between two polls, in milliseconds. */
  readonly pollMs?: number;
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
