/**
 * `notifications/progress`: reads them, passes on values that rise, keeps tokens that outlive their
 * request, and reports our own progress to a waiting server.
 */
import { after } from '../../base/async.ts';
import { type Disposable, MutableDisposable, toDisposable } from '../../base/disposable.ts';
import { onUnexpectedError } from '../../base/event.ts';
import { isObject } from '../../base/json.ts';
import type { Params, RequestId } from '../types/message.ts';
import { metaOf, type Progress } from './peer.ts';

/** Milliseconds until the first report: a quicker answer needs none. */
const firstReportMs = 1_000;
/** Milliseconds between later reports; servers commonly time out after 60 s without any. */
const reportEveryMs = 10_000;

/**
 * Reports progress again and again while a person or a model works on the answer to a server's request, if
 * the server asked for it (PROG-05). Stops when disposed.
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

/** Passes on a value that rises (PROG-03); returns the highest so far. */
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

/** Tokens that callers chose. */
export class FollowedProgress {
  readonly #byToken = new Map<unknown, Followed>();

  follow(token: string, onProgress: (progress: Progress) => void): Disposable {
    this.#byToken.set(token, { onProgress, last: undefined });
    return toDisposable(() => this.#byToken.delete(token));
  }

  /** Returns false if nobody follows the token. */
  receive(params: Params): boolean {
    const followed = this.#byToken.get(params['progressToken']);
    if (followed !== undefined) {
      followed.last = deliverProgress(params, followed.last, followed.onProgress);
    }
    return followed !== undefined;
  }
}

/** Puts the token into `params._meta` (META-04), beside the caller's own members. */
export function withProgressToken(params: Params | undefined, progressToken: RequestId): Params {
  const meta = params?.['_meta'];
  return { ...params, _meta: { ...(isObject(meta) ? meta : undefined), progressToken } };
}
