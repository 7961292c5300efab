/** What a call fails with whose task came to no result, in either era. */
import { McpError, isRpcError, rpcCodes } from '../../errors.ts';
import type { TaskState } from './task.ts';

/** Also what the caller gets whose tasks end with the connection. */
export function connectionEnded(): McpError {
  const text =
    'The connection ended before "tools/call" was done; whether it took effect is unknown';
  return new McpError('closed', text);
}

/** For an error of the question how a task is: -32602 is for one that is unknown or expired. Else the error itself. */
export function lostTask(tool: string, error: unknown): unknown {
  if (!isRpcError(error) || error.rpcCode !== rpcCodes.invalidParams) {
    return error;
  }
  const text = `The server no longer knows the task of "${tool}" (${error.message}): whether it took effect is unknown`;
  return new McpError('closed', text, { cause: error });
}

/** Not `cancelled`, which is for what the caller wanted. */
export function cancelledByServer(tool: string, state: TaskState): McpError {
  return new McpError('closed', `The server cancelled the task of "${tool}"${whyOf(state)}`);
}

/** What the server says of a status (TASK-13), to be added to a sentence, unless it has been said. */
export function whyOf({ message }: TaskState, said = ''): string {
  return message === undefined || said.includes(message) ? '' : `: ${message}`;
}
