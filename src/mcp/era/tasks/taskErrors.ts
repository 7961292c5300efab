/** The errors of calls whose task ended without a result, in either era. */
import { McpError, isRpcError, rpcCodes } from '../../errors.ts';
import type { TaskState } from './task.ts';

/** Also the error of a caller whose tasks end with the connection. */
export function connectionEnded(): McpError {
  const text =
    'The connection ended before "tools/call" was done; whether it took effect is unknown';
  return new McpError('closed', text);
}

/** Translates an error of a poll: -32602 means an unknown or expired task. Other errors are returned as they are. */
export function lostTask(tool: string, error: unknown): unknown {
  if (!isRpcError(error) || error.rpcCode !== rpcCodes.invalidParams) {
    return error;
  }
  const text = `The server no longer knows the task of "${tool}" (${error.message}): whether it took effect is unknown`;
  return new McpError('closed', text, { cause: error });
}

/** Not `cancelled`: that code means the caller cancelled. */
export function cancelledByServer(tool: string, state: TaskState): McpError {
  return new McpError('closed', `The server cancelled the task of "${tool}"${whyOf(state)}`);
}

/** The server's status message (TASK-13), to be added to a sentence, unless it is in `said` already. */
export function whyOf({ message }: TaskState, said = ''): string {
  return message === undefined || said.includes(message) ? '' : `: ${message}`;
}
