/**
 * A server's requests that belong to a task: the answer names the task (TASK-09), and the request is
 * withdrawn when we give up the task.
 */
import { isObject } from '../../../base/json.ts';
import { RpcError, rpcCodes } from '../../errors.ts';
import type { RequestHandler } from '../../rpc/peer.ts';
import { relatedTaskOf, withRelatedTask } from './task.ts';

/** @param signalOf aborts when a task of ours is over; undefined for any other task */
export function tiedToTasks(
  handler: RequestHandler,
  signalOf: (taskId: string) => AbortSignal | undefined,
): RequestHandler {
  return async (params, context) => {
    const taskId = relatedTaskOf(params);
    if (taskId === undefined) {
      return handler(params, context);
    }
    const over = signalOf(taskId);
    const signal = over === undefined ? context.signal : AbortSignal.any([context.signal, over]);
    try {
      const result = await handler(params, { ...context, signal });
      return isObject(result) ? withRelatedTask(result, taskId) : result;
    } catch (error) {
      if (over?.aborted === true) {
        throw new RpcError(rpcCodes.internalError, 'The task that this belongs to is over');
      }
      throw error;
    }
  };
}
