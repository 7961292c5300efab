/**
 * `notifications/progress`: what is read of one, the values that count, tokens that outlive the
 * request that carried them, and what a server is told that waits for us.
 */
import { after } from '../../base/async.ts';
import { type Disposable, MutableDisposable, toDisposable } from '../../base/disposable.ts';
import { onUnexpectedError } from '../../base/event.ts';
import { isObject } from '../../base/json.ts';
import type { Params, RequestId } from '../types/message.ts';
import { metaOf } from './notificationMeta.ts';
import type { Progress } from './peer.ts';

/** Milliseconds: what is answered sooner needs no progress. */
const firstReportMs = 1_000;
/** Milliseconds between later ones; servers commonly lose patience after 60 s without any. */
const reportEveryMs = 10_000;

/**
 * While a person or a model makes up the answer to a request of the server: says so again and again, if
 * the server asked for that, until it is disposed (PROG-05).
 * @param send sends `notifications/progress`
 */
export function reportProgress(request: Params, send: (params: Params) => void): Disposable {
  const meta = request['_meta'];
  const progressToken = isObject(meta) ? meta['progressToken'] : undefined;
  const timer = new MutableDisposable<Disposable>();
  if (typeof progressToken === 'string' || typeof progressToken === 'number') {
    const report = (progress: number): void => {
      send({ progressToken, progress });
      timer.value = after(reportEveryMs, () => report(progress + 1));
    };
    timer.value = after(firstReportMs, () => report(1));
  }
  return timer;
}

/** Hands on a value that rises (PROG-03); returns the highest so far. */
export function deliverProgress(
  params: Params,
  last: Progress | undefined,
  onProgress: (progress: Progress) => void,
): Progress | undefined {
  const { progress, total, message } = params;
  if (typeof progress !== 'number' || progress <= (last?.progress ?? -Infinity)) {
    return last;
  }
  const next: Progress = {
    progress,
    total: typeof total === 'number' ? total : undefined,
    message: typeof message === 'string' ? message : undefined,
    ...metaOf(params),
  };
  try {
    onProgress(next);
  } catch (error) {
    onUnexpectedError(error);
  }
  return next;
}

interface Followed {
  readonly onProgress: (progress: Progress) => void;
  last: Progress | undefined;
}

/** Tokens that callers chose themselves. */
export class FollowedProgress {
  readonly #byToken = new Map<unknown, Followed>();

  follow(token: string, onProgress: (progress: Progress) => void): Disposable {
    this.#byToken.set(token, { onProgress, last: undefined });
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

/** The token goes inside `params._meta` (META-04), beside what the caller put there. */
export function withProgressToken(params: Params | undefined, progressToken: RequestId): Params {
  const meta = params?.['_meta'];
  return { ...params, _meta: { ...(isObject(meta) ? meta : undefined), progressToken } };
}
