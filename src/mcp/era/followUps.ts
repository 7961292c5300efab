/**
 * What follows in the modern era on an answer that is no result yet: questions of the server
 * (inputRequired.ts), a task (tasks/extensionTasks.ts).
 */
import { type JsonObject, isObject } from '../../base/json.ts';
import type { Params } from '../types/message.ts';
import type { InFlight } from '../rpc/runningRequest.ts';
import type { Method } from '../types/methods.ts';
import { answerInputs, type InputContext, untilComplete } from './inputRequired.ts';
import type { CallOptions, ClientOptions, ServerDescription } from '../session/session.ts';
import { ExtensionTasks, type ExtensionTasksOwner } from './tasks/extensionTasks.ts';

export interface FollowUpsOwner extends Omit<ExtensionTasksOwner, 'answer'> {
  readonly hello: ClientOptions;
  server(): ServerDescription;
}

/** Whether an answer is not the last word on a call. Nearly all are. */
export function needsFollowUp(answer: unknown): boolean {
  return isOfType(answer, 'input_required') || isOfType(answer, 'task');
}

export class FollowUps {
  readonly #owner: FollowUpsOwner;
  readonly #tasks: ExtensionTasks;

  constructor(owner: FollowUpsOwner) {
    this.#owner = owner;
    this.#tasks = new ExtensionTasks({
      request: (...request) => owner.request(...request),
      answer: (requests, signal) =>
        answerInputs(requests, this.#inputContext('tools/call', signal)),
      diagnose: (level, text) => owner.diagnose(level, text),
      inFlight: owner.inFlight,
      lifetime: owner.lifetime,
    });
  }

  /** What waits for the server: calls that are tasks, and requests like others. */
  get inFlight(): InFlight {
    return this.#tasks.inFlight;
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
      result = await untilComplete(result, sendAgain, this.#inputContext(method, options.signal));
    }
    if (isOfType(result, 'task')) {
      const times = { ...this.#owner.hello.times, ...options.times };
      result = await this.#tasks.outcome(params, result, { ...options, times });
    }
    return result;
  }

  /** Gives up every task and tells the server so. Never rejects. */
  close(): Promise<void> {
    return this.#tasks.close();
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
}

function isOfType(result: unknown, type: string): boolean {
  return isObject(result) && result['resultType'] === type;
}
