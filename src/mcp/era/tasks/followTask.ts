/**
 * Waits for the end of a task of the server by polling its state, in either era. States that the server sends
 * unasked are not needed for that; one with another status brings the next poll forward.
 */
import { t } from '../../../base/l10n.ts';
import { delay, toError } from '../../../base/async.ts';
import { isMcpError, isRpcError, McpError, rpcCodes } from '../../errors.ts';
import { isTerminal, type TaskState } from './task.ts';
import type { TaskCall, TaskCallOptions } from './taskCalls.ts';

/**
 * Milliseconds between two polls. The server's wish is kept within `least` and `most`: shorter would flood
 * the server, and longer would make a slow task look like a lost one. Without a wish the wait grows from
 * `unasked` by half each time.
 */
const pollLimits = { least: 250, most: 60_000, unasked: 2_000, unaskedMost: 10_000 };
/** Failures in a row that are tolerated at least, however short the patience is; and attempts of one request. */
const leastFailures = 3;

export interface FollowedTask<S extends TaskState> {
  readonly call: TaskCall;
  readonly seed: S;
  /** For one poll. Polling may fail for as long as one may be silent. */
  readonly times: TaskCallOptions['times'];
  /** Polls the state once. */
  readonly ask: () => Promise<S>;
  /** Called with each state, including the seed and the last one. */
  readonly onState: (state: S) => void;
}

/**
 * @returns the last state, which is not `cancelled`
 * @throws McpError `closed` when the server cancelled the task or no longer knows it; the signal's reason; an error of
 *   `ask` that is not temporary
 */
export async function followTask<S extends TaskState>(task: FollowedTask<S>): Promise<S> {
  const { call, seed, times, ask, onState } = task;
  let state = seed;
  let waitMs = pollLimits.least;
  let unaskedMs = pollLimits.unasked;
  let failures = 0;
  let answeredAt = performance.now();
  for (;;) {
    call.note(state);
    onState(state);
    if (state.status === 'cancelled') {
      throw cancelledByServer(call.tool, state);
    }
    if (isTerminal(state)) {
      return state;
    }
    await delay(pollLimits.least, call.signal);
    await call.untilTold(waitMs - pollLimits.least);
    try {
      state = await ask();
      failures = 0;
      answeredAt = performance.now();
    } catch (error) {
      call.signal.throwIfAborted();
      failures += 1;
      const isLate = performance.now() - answeredAt >= times.idleMs;
      if (!mayPass(error) || (isLate && failures >= leastFailures)) {
        throw lostTask(call.tool, toError(error));
      }
    }
    const { pollMs } = state;
    waitMs = Math.min(Math.max(pollMs ?? unaskedMs, pollLimits.least), pollLimits.most);
    unaskedMs = Math.min(unaskedMs * 1.5, pollLimits.unaskedMost);
  }
}

/**
 * Makes a few attempts at a request about a task, while its failure may be temporary.
 * @param isOutcome whether an error is what was asked for, so that no other attempt is made
 * @throws the last error
 */
export async function persistently<T>(
  send: () => Promise<T>,
  signal: AbortSignal,
  isOutcome: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const isFinal = isOutcome(error) || !mayPass(error) || attempt === leastFailures;
      if (isFinal || signal.aborted) {
        throw error;
      }
    }
  }
}

/** -32602 means an unknown or expired task, -32601 that there are no tasks any more. */
const lossCodes: readonly number[] = [rpcCodes.invalidParams, rpcCodes.methodNotFound];

/** Whether a failure is temporary: the task goes on while a broken connection prevents polling. */
function mayPass(error: unknown): boolean {
  if (isRpcError(error)) {
    return !lossCodes.includes(error.rpcCode);
  }
  const passing = ['timeout', 'closed', 'unreachable', 'http', 'sessionExpired'];
  return isMcpError(error) && passing.includes(error.code);
}

/** Translates an error of a poll. Errors that do not mean the loss of the task are returned as they are. */
function lostTask(tool: string, error: Error): Error {
  if (!isRpcError(error) || !lossCodes.includes(error.rpcCode)) {
    return error;
  }
  const text = t(
    'The server no longer knows the task of "{0}" ({1}): whether it took effect is unknown',
    tool,
    error.message,
  );
  return new TaskEnded('closed', text, { cause: error });
}

/** Its request must not be sent again: the tool may have run. */
export class TaskEnded extends McpError {}

/** Not `cancelled`: that code means the caller cancelled. */
function cancelledByServer(tool: string, state: TaskState): McpError {
  return new TaskEnded(
    'closed',
    t('The server cancelled the task of "{0}"{1}', tool, whyOf(state)),
  );
}

/** The server's status message (TASK-13), to be added to a sentence, unless it is in `said` already. */
export function whyOf({ message }: TaskState, said = ''): string {
  return message === undefined || said.includes(message) ? '' : `: ${message}`;
}
