/**
 * Calls tools of servers for a model: checks the inputs, asks the user once about all, and calls side by side. Every outcome
 * becomes a result for the model and an event for display.
 */
import { toError } from '../../base/async.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import type { CallToolResult } from '../../mcp/types/methods.ts';
import { type ModelPart, textPart } from '../models/model.ts';
import type { ApprovalOutcome, ToolInput } from '../toolApproval/approvals.ts';
import {
  callTool,
  type CallerServices,
  inputProblems,
  type ToolOutcome,
} from '../tools/callTool.ts';
import type { AgentCall, AgentEvent, CallEnd } from './agentEvents.ts';
import { type ResultLimits, shortened, toModelParts } from './modelParts.ts';

export interface CallServices extends CallerServices {
  readonly limits: ResultLimits;
  readonly emit: (event: AgentEvent) => void;
  /** Makes a call that is approved so that the editor draws the app of its tool; undefined if it cannot. */
  readonly draw?: (
    wanted: WantedCall,
    make: () => Promise<ToolOutcome>,
    signal: AbortSignal,
  ) => Promise<ToolOutcome> | undefined;
  /** The skills that act in the conversation. */
  readonly acting?: readonly string[];
}

/** The result of a call for the model. */
export interface Answer {
  readonly parts: readonly ModelPart[];
  readonly isError?: boolean;
}

export interface WantedCall {
  readonly call: AgentCall;
  readonly input: ToolInput;
}

interface ServerAnswer extends Answer {
  readonly result?: CallToolResult;
}

/**
 * Calls servers' tools side by side, after one question to the user about all that need one. One that fails does not
 * stop the others.
 * @returns what the model gets for each, in this order, and the server's result if there is one
 * @throws the signal's reason when it aborts
 */
export async function callForModel<W extends WantedCall>(
  services: CallServices,
  wanted: readonly W[],
  signal: AbortSignal,
): Promise<ReadonlyMap<W, ServerAnswer>> {
  const { approvals, checker, emit, acting: skills = [] } = services;
  const checks = wanted.map(async (one) => {
    const problems = await inputProblems(checker(), one.call.tool, one.input);
    return { one, problems };
  });
  const checked = await Promise.all(checks);
  const fitting = checked.filter(({ problems }) => problems.length === 0).map(({ one }) => one);
  for (const { call } of fitting) {
    emit({ kind: 'callRequested', call });
  }
  const outcomes = approvals.requestAll(
    fitting.map(({ call: { server, tool }, input }) => ({
      server: server.config,
      tool,
      input,
      caller: 'model',
      skills,
    })),
    signal,
  );
  const approvalOf = new Map(fitting.map((one, index) => [one, outcomes[index]]));
  const ends = await Promise.allSettled(
    checked.map(async ({ one, problems }) => {
      const approval = await approvalOf.get(one);
      const answer =
        approval === undefined
          ? invalid(services, one, problems)
          : await callApproved(services, one, approval, signal);
      return [one, answer] as const;
    }),
  );
  return new Map(
    ends.map((end) => {
      if (end.status === 'rejected') {
        throw toError(end.reason);
      }
      return end.value;
    }),
  );
}

function invalid(
  { emit }: CallServices,
  { call, input }: WantedCall,
  problems: readonly string[],
): Answer {
  emit({ kind: 'callEnded', call, input, end: { kind: 'invalidInput', problems } });
  const words = "The input does not fit the tool's schema; nothing was sent.";
  return failure(`${words} ${problems.join('. ')}`);
}

async function callApproved(
  services: CallServices,
  { call, input: wanted }: WantedCall,
  approval: ApprovalOutcome,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const { checker, callServices, limits, emit } = services;
  const { server, tool } = call;
  if (approval.kind === 'denied') {
    emit({ kind: 'callEnded', call, input: wanted, end: { kind: 'denied' } });
    return failure(`${approval.why}. Nothing was sent. Do not repeat it.`);
  }
  const { input } = approval;
  const ended = (end: CallEnd): void => emit({ kind: 'callEnded', call, input, end });
  emit({ kind: 'callStarted', call });
  const startedAt = Date.now();
  const make = (): Promise<ToolOutcome> =>
    callTool(server, checker(), {
      ...callServices(server.config),
      tool,
      input,
      signal,
      onProgress: (progress) => emit({ kind: 'callProgress', call, progress }),
    });
  const drawn = services.draw?.({ call, input }, make, signal);
  const outcome = await (drawn ?? make()).catch((error: unknown) => {
    signal.throwIfAborted();
    return toMcpError(error);
  });
  if (isMcpError(outcome)) {
    if (outcome.code === 'denied') {
      ended({ kind: 'denied' });
      return failure(`${outcome.message}. Nothing was sent. Do not repeat it.`);
    }
    ended({ kind: 'failed', error: outcome });
    return failure(failureText(outcome));
  }
  if (outcome.kind === 'invalidInput') {
    return invalid(services, { call, input }, outcome.problems);
  }
  const notes = input === wanted ? [] : [`The user changed the input to ${JSON.stringify(input)}.`];
  const { parts, cutChars } = toModelParts(tool, outcome, limits, notes);
  ended({
    kind: 'result',
    outcome,
    durationMs: Date.now() - startedAt,
    cutChars,
    isDrawn: drawn !== undefined,
  });
  return { parts, isError: outcome.result.isError === true, result: outcome.result };
}

/** Characters. The words may be a server's. */
const maxFailureChars = 4_000;

export function failure(words: string): Answer {
  return { parts: [shortened(textPart(words), maxFailureChars)], isError: true };
}

/** A call with an unknown outcome must not be repeated as if it had not been made. */
function failureText({ code, message }: McpError): string {
  const isOpen = code === 'timeout' || code === 'closed' || code === 'cancelled';
  const warning =
    ' It is unknown whether the tool has done its work; do not simply repeat the call.';
  return `The call failed: ${message}.${isOpen ? warning : ''}`;
}

export function toMcpError(error: unknown): McpError {
  return isMcpError(error)
    ? error
    : new McpError('protocol', toError(error).message, { cause: error });
}
