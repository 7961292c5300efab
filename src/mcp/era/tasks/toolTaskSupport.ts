/** Which tools may run as tasks, according to `tools/list`, on a server that declares tasks (TASK-02, TASK-03). */
import { type JsonObject, isObject, isString } from '../../../base/json.ts';
import { revisions } from '../../revisions.ts';
import type { ServerDescription } from '../../session/session.ts';

export type ToolTaskSupport = 'optional' | 'required';

export class ToolTaskSupports {
  /** From the last complete listing, and from the one under way. */
  #known = new Map<string, ToolTaskSupport>();
  #coming = new Map<string, ToolTaskSupport>();

  /** Reads one page of `tools/list`. */
  learn(params: object, result: unknown): void {
    const page = isObject(result) ? result : {};
    if (!('cursor' in params) || params.cursor === undefined) {
      this.#coming = new Map();
    }
    for (const tool of Array.isArray(page['tools']) ? page['tools'] : []) {
      const support = supportOf(tool);
      if (support !== undefined) {
        this.#coming.set(...support);
      }
    }
    if (!isString(page['nextCursor'])) {
      this.#known = this.#coming;
    }
  }

  of(tool: unknown, server: ServerDescription): ToolTaskSupport | undefined {
    return isString(tool) && declaresToolTasks(server)
      ? (this.#coming.get(tool) ?? this.#known.get(tool))
      : undefined;
  }
}

function supportOf(tool: unknown): readonly [string, ToolTaskSupport] | undefined {
  if (!isObject(tool) || !isString(tool['name']) || !isObject(tool['execution'])) {
    return undefined;
  }
  const { taskSupport } = tool['execution'];
  return taskSupport === 'optional' || taskSupport === 'required'
    ? [tool['name'], taskSupport]
    : undefined;
}

/** `tasks.requests.tools.call`, where each level is an object. */
function declaresToolTasks({ revision, capabilities }: ServerDescription): boolean {
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
