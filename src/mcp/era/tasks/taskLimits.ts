/** How long a call that becomes a task is waited for: its caller, its limit in all, the connection. */
import { after, linkedController } from '../../../base/async.ts';
import { type Disposable, toDisposable } from '../../../base/disposable.ts';
import { McpError, abortedError } from '../../errors.ts';
import type { CallOptions, RequestTimes } from '../session.ts';
import { connectionEnded } from './taskErrors.ts';

export interface TaskCallOptions extends Pick<CallOptions, 'signal' | 'onProgress' | 'trace'> {
  readonly times: RequestTimes;
}

/** The longest time that a timer takes. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Runs `work` with a signal that aborts when nobody waits any more.
 * @throws McpError `cancelled`, `timeout` or `closed` when it did; else what `work` throws
 */
export async function withinLimits<T>(
  { signal, times }: TaskCallOptions,
  lifetime: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted === true) {
    throw abortedError(signal, '"tools/call"');
  }
  const both = linkedController(lifetime);
  const { controller } = both;
  const onAbort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const limit = limitOf(times.totalMs, controller);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? endOf(controller.signal, lifetime) : error;
  } finally {
    limit.dispose();
    signal?.removeEventListener('abort', onAbort);
    both.dispose();
  }
}

function limitOf(totalMs: number, controller: AbortController): Disposable {
  return totalMs > maxTimerMs
    ? toDisposable(() => undefined)
    : after(totalMs, () => {
        const text = `"tools/call" was not done within its limit of ${totalMs / 1000} s in all`;
        controller.abort(new McpError('timeout', text));
      });
}

function endOf(signal: AbortSignal, lifetime: AbortSignal): McpError {
  return signal.reason === lifetime.reason
    ? connectionEnded()
    : abortedError(signal, '"tools/call"');
}
