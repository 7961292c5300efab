/**
 * Requests of a session of the handshake era that may become tasks of the server. Knows when that can
 * be, and loads toolTasks.ts then: most servers know no tasks.
 */
import { isObject } from '../../../base/json.ts';
import { lazilyLoaded } from '../../../base/lazily.ts';
import { revisions } from '../../revisions.ts';
import type { Params } from '../../rpc/message.ts';
import type { InFlight } from '../../rpc/runningRequest.ts';
import type { TaskOwner } from './taskOwner.ts';
import type { ToolTasks } from './toolTasks.ts';

export class LateToolTasks {
  readonly #owner: TaskOwner;
  readonly #load = lazilyLoaded(async () => {
    const { ToolTasks } = await import('./toolTasks.ts');
    this.#tasks = new ToolTasks(this.#owner);
    return this.#tasks;
  });
  #tasks: ToolTasks | undefined;

  constructor(owner: TaskOwner) {
    this.#owner = owner;
  }

  /** What waits for the server: calls that are tasks, and requests like others. */
  get inFlight(): InFlight {
    return (this.#tasks ?? this.#owner).inFlight;
  }

  /** As {@link ToolTasks.perform}, which it leaves out where there can be no task. */
  readonly perform: ToolTasks['perform'] = (method, params, options, send) => {
    const { revision, capabilities } = this.#owner.server();
    const isConcerned = method === 'tools/call' || method === 'tools/list';
    if (!isConcerned || !revisions[revision].tasks) {
      return send();
    }
    if (capabilities['tasks'] !== undefined) {
      return this.#tasks === undefined
        ? this.#load().then((tasks) => tasks.perform(method, params, options, send))
        : this.#tasks.perform(method, params, options, send);
    }
    return send().then((result) =>
      // The handle of a task that nobody asked for.
      isObject(result) && isObject(result['task'])
        ? this.#load().then((tasks) => tasks.perform(method, params, options, async () => result))
        : result,
    );
  };

  /** `notifications/tasks/status`. */
  onNotified(params: Params): void {
    this.#tasks?.onNotified(params);
  }

  /** Aborts when the task is over. Undefined for a task that is none of ours. */
  signalOf(taskId: string): AbortSignal | undefined {
    return this.#tasks?.signalOf(taskId);
  }

  /** Gives up every task and tells the server so; undefined when there is none. Never rejects. */
  close(): Promise<void> | undefined {
    return this.#tasks?.isBusy === true ? this.#tasks.close() : undefined;
  }
}
