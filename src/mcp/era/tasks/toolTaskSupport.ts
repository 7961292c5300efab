/** Which tools may run as tasks, according to `tools/list`, on a server that declares tasks (TASK-02, TASK-03). */
import { type JsonObject, isObject } from '../../../base/json.ts';
import { revisions } from '../../revisions.ts';
import type { ServerDescription } from '../../session/session.ts';

export type ToolTaskSupport = 'optional' | 'required';

/** What one page of `tools/list` says, by tool name. */
export function taskSupportsIn(
  page: unknown,
): readonly (readonly [unknown, ToolTaskSupport | undefined])[] {
  const tools: unknown = isObject(page) ? page['tools'] : undefined;
  return (Array.isArray(tools) ? tools : []).filter(isObject).map(({ name, execution }) => {
    const support = isObject(execution) ? execution['taskSupport'] : undefined;
    return [name, support === 'optional' || support === 'required' ? support : undefined];
  });
}

/** `tasks.requests.tools.call`, where each level is an object. */
export function declaresToolTasks({ revision, capabilities }: ServerDescription): boolean {
  let declared: unknown = revisions[revision].tasks ? capabilities['tasks'] : undefined;
  for (const member of ['requests', 'tools', 'call']) {
    declared = isObject(declared) ? declared[member] : undefined;
  }
  return isDeclared(declared);
}

/** `tasks.list` or `tasks.cancel`. */
export function declaresTaskOperation(
  { revision, capabilities }: ServerDescription,
  operation: 'list' | 'cancel',
): boolean {
  const tasks: JsonObject | undefined =
    revisions[revision].tasks && isObject(capabilities['tasks'])
      ? capabilities['tasks']
      : undefined;
  return isDeclared(tasks?.[operation]);
}

/** An object is a declaration; some servers write `true` instead. */
function isDeclared(value: unknown): boolean {
  return isObject(value) || value === true;
}
