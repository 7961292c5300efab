/**
 * What both kinds of tasks have in common, the experimental ones of revision 2025-11-25 and those of
 * the extension of 2026-07-28: a state that is read with tolerance, and the key that ties messages to
 * a task. Who asks for states, and how the result is had, differs and is not here.
 */
import { type JsonObject, isObject, isString } from '../../../base/json.ts';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export interface TaskState {
  readonly id: string;
  readonly status: TaskStatus;
  /** For people. The server's own words. */
  readonly message?: string;
  /** How long the server wants to be left alone between two questions, in milliseconds. */
  readonly pollMs?: number;
}

const statuses: ReadonlySet<string> = new Set<TaskStatus>([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);

/** In `_meta`, on everything that belongs to a task and does not name it otherwise (TASK-09). */
export const relatedTaskKey = 'io.modelcontextprotocol/related-task';

/**
 * Undefined for what names no task. A status that is not known is taken for work that goes on; the
 * names of the interval are those of both revisions.
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

/** The result with the task it belongs to, beside what its `_meta` holds. */
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
