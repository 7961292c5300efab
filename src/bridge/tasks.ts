/**
 * Tools that run only as tasks (revision 2025-11-25). The host runs the task and returns its result. Clients of the
 * bridge are not told: they would refuse the call.
 */
import { isObject } from '../base/json.ts';

/** A page of a list, without `"taskSupport": "required"` of its tools. */
export function withoutRequiredTasks(page: unknown): unknown {
  const tools = isObject(page) ? page['tools'] : undefined;
  if (!isObject(page) || !Array.isArray(tools) || !tools.some(needsTask)) {
    return page;
  }
  return { ...page, tools: tools.map((tool: unknown) => (needsTask(tool) ? freed(tool) : tool)) };
}

interface TaskTool {
  readonly execution: { readonly taskSupport: 'required' };
}

function needsTask(tool: unknown): tool is TaskTool {
  const execution = isObject(tool) ? tool['execution'] : undefined;
  return isObject(execution) && execution['taskSupport'] === 'required';
}

function freed({ execution, ...tool }: TaskTool): object {
  const { taskSupport: _support, ...others } = execution;
  return Object.keys(others).length === 0 ? tool : { ...tool, execution: others };
}
