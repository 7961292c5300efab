/**
 * Handles answers of the modern era that are not a result yet: requests for input (inputRequired.ts), and
 * tasks (tasks/extensionTasks.ts).
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

/** Whether an answer needs a follow-up. Nearly none does. */
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

  /** Requests that wait for the server, including calls that run as tasks. */
  get inFlight(): InFlight {
    return this.#tasks.inFlight;
  }

  /**
   * @param answer the answer to the call `method` with `params`; returned as it is if it is the result
   * @param sendAgain sends the call again, with these members added to its params
   * @throws McpError of untilComplete and ExtensionTasks; any error of `sendAgain`
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

  /** Cancels every task and tells the server. Never rejects. */
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
