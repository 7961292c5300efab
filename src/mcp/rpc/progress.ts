/**
 * `notifications/progress`: what is read of one, the values that count, and tokens that outlive the
 * request that carried them.
 */
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { onUnexpectedError } from '../../base/event.ts';
import type { Params } from './message.ts';
import type { Progress } from './peer.ts';

/** Hands on a value that rises (PROG-03); returns the highest so far. */
export function deliverProgress(
  params: Params,
  last: number,
  onProgress: (progress: Progress) => void,
): number {
  const { progress, total, message } = params;
  if (typeof progress !== 'number' || progress <= last) {
    return last;
  }
  try {
    onProgress({
      progress,
      total: typeof total === 'number' ? total : undefined,
      message: typeof message === 'string' ? message : undefined,
    });
  } catch (error) {
    onUnexpectedError(error);
  }
  return progress;
}

interface Followed {
  readonly onProgress: (progress: Progress) => void;
  last: number;
}

/** Tokens that callers chose themselves. */
export class FollowedProgress {
  readonly #byToken = new Map<unknown, Followed>();

  follow(token: string, onProgress: (progress: Progress) => void): Disposable {
    this.#byToken.set(token, { onProgress, last: -Infinity });
    return toDisposable(() => this.#byToken.delete(token));
  }

  /** False when nobody follows the token. */
  receive(params: Params): boolean {
    const followed = this.#byToken.get(params['progressToken']);
    if (followed !== undefined) {
      followed.last = deliverProgress(params, followed.last, followed.onProgress);
    }
    return followed !== undefined;
  }
}
