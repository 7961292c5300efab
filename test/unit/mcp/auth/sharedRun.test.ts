import assert from 'node:assert/strict';
import { SharedRun } from '../../../../src/mcp/auth/sharedRun.ts';
import { deferred } from '../../../support/deferred.ts';

const never = new AbortController().signal;

describe('SharedRun', () => {
  it('runs once for all who wait, and anew after that', async () => {
    const shared = new SharedRun<number>();
    const result = deferred<number>();
    let runs = 0;
    const run = (): Promise<number> => {
      runs += 1;
      return result.promise;
    };
    const all = [shared.join(run, never), shared.join(run, never), shared.join(run, never)];
    result.resolve(5);
    assert.deepEqual(await Promise.all(all), [5, 5, 5]);
    assert.equal(runs, 1);
    await shared.join(run, never);
    assert.equal(runs, 2);
  });

  it('goes on while anybody waits, and is given up with the last one', async () => {
    const shared = new SharedRun<number>();
    let own: AbortSignal | undefined;
    const run = (signal: AbortSignal): Promise<number> => {
      own = signal;
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')));
      });
    };
    const [first, second] = [new AbortController(), new AbortController()];
    const all = [shared.join(run, first.signal), shared.join(run, second.signal)];
    first.abort(new Error('first'));
    await assert.rejects(all[0] ?? Promise.resolve(), /first/u);
    assert.equal(own?.aborted, false);
    second.abort(new Error('second'));
    await assert.rejects(all[1] ?? Promise.resolve(), /second/u);
    assert.equal(own?.aborted, true);
  });

  it('whoever comes to a run that was given up gets one of its own', async () => {
    const shared = new SharedRun<number>();
    const ending = deferred<number>();
    const leaving = new AbortController();
    const left = shared.join(() => ending.promise, leaving.signal);
    leaving.abort(new Error('left'));
    await assert.rejects(left, /left/u);
    const next = shared.join(() => Promise.resolve(2), never);
    ending.reject(new Error('given up'));
    assert.equal(await next, 2);
  });
});
