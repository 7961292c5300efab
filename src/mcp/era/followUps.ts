/**
 * What follows in the modern era on an answer that is no result yet: questions of the server
 * (inputRequired.ts), a task (tasks/extensionTasks.ts). Either is loaded with the first such answer.
 */
import { type JsonObject, isObject } from '../../base/json.ts';
import { lazilyLoaded } from '../../base/lazily.ts';
import type { Params } from '../rpc/message.ts';
import type { InFlight } from '../rpc/runningRequest.ts';
import type { Method } from '../types/methods.ts';
import type { InputContext } from './inputRequired.ts';
import type { CallOptions, Hello, ServerDescription } from './session.ts';
import type { ExtensionTasks, ExtensionTasksOwner } from './tasks/extensionTasks.ts';

export interface FollowUpsOwner extends Omit<ExtensionTasksOwner, 'answer'> {
  readonly hello: Hello;
  server(): ServerDescription;
}

/** Whether an answer is not the last word on a call. Nearly all are. */
export function needsFollowUp(answer: unknown): boolean {
  return isOfType(answer, 'input_required') || isOfType(answer, 'task');
}

export class FollowUps {
  readonly #owner: FollowUpsOwner;
  readonly #load = lazilyLoaded(() => this.#loadTasks());
  #loading: Promise<ExtensionTasks> | undefined;
  #tasks: ExtensionTasks | undefined;

  constructor(owner: FollowUpsOwner) {
    this.#owner = owner;
  }

  /** What waits for the server: calls that are tasks, and requests like others. */
  get inFlight(): InFlight {
    return (this.#tasks ?? this.#owner).inFlight;
  }

  /**
   * @param answer to the call `method` with `params`; returned itself where it is the result
   * @param sendAgain sends the call once more, with these members added to its params
   * @throws McpError as untilComplete and ExtensionTasks have it; what `sendAgain` throws
   */
  async resultOf(
    answer: unknown,
    method: Method,
    params: Params,
    sendAgain: (added: JsonObject) => Promise<unknown>,
    options: CallOptions,
  ): Promise<unknown> {
    let result = answer;
    if (isOfType(result, 'input_required')) {
      const { untilComplete } = await import('./inputRequired.ts');
      result = await untilComplete(result, sendAgain, this.#inputContext(method, options.signal));
    }
    if (isOfType(result, 'task')) {
      const times = { ...this.#owner.hello.times, ...options.times };
      this.#loading = this.#load();
      const tasks = await this.#loading;
      result = await tasks.outcome(params, result, { ...options, times });
    }
    return result;
  }

  /** Gives up every task and tells the server so; undefined when there was none. Never rejects. */
  close(): Promise<void> | undefined {
    return this.#loading?.then(
      (tasks) => tasks.close(),
      () => undefined, // whoever wanted them was told
    );
  }

  #inputContext(method: Method, signal: AbortSignal | undefined): InputContext {
    const { hello, lifetime } = this.#owner;
    return {
      method,
      features: hello.features,
      revision: this.#owner.server().revision,
      signal: signal === undefined ? lifetime : AbortSignal.any([lifetime, signal]),
    };
  }

  async #loadTasks(): Promise<ExtensionTasks> {
    const { ExtensionTasks } = await import('./tasks/extensionTasks.ts');
    this.#tasks = new ExtensionTasks({
      request: (...request) => this.#owner.request(...request),
      answer: async (requests, signal) => {
        const { answerInputs } = await import('./inputRequired.ts');
        return answerInputs(requests, this.#inputContext('tools/call', signal));
      },
      diagnose: (level, text) => this.#owner.diagnose(level, text),
      inFlight: this.#owner.inFlight,
      lifetime: this.#owner.lifetime,
    });
    return this.#tasks;
  }
}

function isOfType(result: unknown, type: string): boolean {
  return isObject(result) && result['resultType'] === type;
}
