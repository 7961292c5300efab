/**
 * Whether an MCP app may call a tool of its server. Apps call the same tool over and over: one answer, yes or no, counts
 * for a tool until the window closes, or until the user takes it back.
 */
import { raceSignal } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { RateLimit } from '../../base/rateLimit.ts';
import { McpError } from '../../mcp/errors.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { displayLabel } from '../catalog/labels.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { ApprovalOutcome, ToolApprovals, ToolInput } from './approvals.ts';
import { definitionOf } from './toolDefinition.ts';

/** Calls of one server's apps: a view that is dragged or polls stays below it. */
export const maxAppCallsPerSecond = 20;

/** Questions of one server's apps, about tools, links, messages and files; as many as of the server itself. */
export const maxAppQuestionsPerMinute = 20;

export interface AppToolCall {
  readonly server: ServerConfig;
  readonly tool: Tool;
  readonly input: ToolInput;
}

/** How often apps have called a tool. */
interface AppCalls {
  /** The name. */
  readonly server: string;
  /** Of the tool. */
  readonly label: string;
  readonly times: number;
}

export class AppApprovals {
  readonly #approvals: Pick<ToolApprovals, 'request' | 'isRestricted' | 'needsQuestion'>;
  readonly #rate: RateLimit;
  readonly #questions: RateLimit;
  /** By server and tool with their definitions: an open question, or a no. */
  readonly #answers = new Map<string, Promise<ApprovalOutcome>>();
  /** By server and tool. */
  readonly #calls = new Map<string, AppCalls>();
  readonly #called = new Emitter<void>();
  /** A call was allowed. */
  readonly onDidCall = this.#called.event;

  constructor(
    approvals: Pick<ToolApprovals, 'request' | 'isRestricted' | 'needsQuestion'>,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#approvals = approvals;
    this.#rate = new RateLimit(maxAppCallsPerSecond, clock, 1_000);
    this.#questions = new RateLimit(maxAppQuestionsPerMinute, clock);
  }

  /** Those that were allowed, since the window was opened. */
  get calls(): readonly AppCalls[] {
    return [...this.#calls.values()];
  }

  /** Call before a question. @throws McpError `denied` for too many */
  admitQuestion({ id, name }: Pick<ServerConfig, 'id' | 'name'>): void {
    if (this.#questions.admit(id).kind === 'refused') {
      const text = `Apps of "${name}" ask more than ${maxAppQuestionsPerMinute} questions a minute. Nothing was done.`;
      throw new McpError('denied', text);
    }
  }

  /** @throws McpError `denied`: refused, or too many; the signal's reason */
  async require(call: AppToolCall, signal: AbortSignal): Promise<void> {
    const { server } = call;
    if (this.#rate.admit(server.id).kind === 'refused') {
      const text = `Apps of "${server.name}" call its tools more than ${maxAppCallsPerSecond} times a second. Nothing was sent.`;
      throw new McpError('denied', text);
    }
    // Under a rule, an answer is for the input that was shown, and for that call alone.
    const outcome = await (this.#approvals.isRestricted(call)
      ? this.#ask(call, signal)
      : this.#shared(call, signal));
    if (outcome.kind === 'denied') {
      throw new McpError('denied', `${outcome.why}. Nothing was sent. Do not repeat it.`);
    }
    this.#count(call);
  }

  #count({ server, tool }: AppToolCall): void {
    const key = JSON.stringify([server.id, tool.name]);
    const times = (this.#calls.get(key)?.times ?? 0) + 1;
    this.#calls.set(key, { server: server.name, label: displayLabel(tool), times });
    this.#called.fire();
  }

  /** One question for all calls of a tool. */
  async #shared(call: AppToolCall, signal: AbortSignal): Promise<ApprovalOutcome> {
    const { server, tool } = call;
    const key = JSON.stringify([server.id, tool.name, definitionOf(server, tool)]);
    for (let open = this.#answers.get(key); open !== undefined; open = this.#answers.get(key)) {
      try {
        return await raceSignal(open, signal);
      } catch {
        signal.throwIfAborted(); // else the call that asked was withdrawn
      }
    }
    const answer = this.#ask(call, signal);
    this.#answers.set(key, answer);
    let outcome: ApprovalOutcome | undefined;
    try {
      outcome = await answer;
      return outcome;
    } finally {
      // Approvals remember a yes, and a withdrawn question gives no answer for the next call.
      if (outcome?.kind !== 'denied' || outcome.isRuled === true) {
        this.#answers.delete(key);
      }
    }
  }

  async #ask(call: AppToolCall, signal: AbortSignal): Promise<ApprovalOutcome> {
    const request = { ...call, caller: 'app' } as const;
    if (this.#approvals.needsQuestion(request)) {
      this.admitQuestion(call.server);
    }
    return this.#approvals.request(request, signal);
  }
}
