import assert from 'node:assert/strict';
import {
  CoalescedRun,
  Sequencer,
  after,
  afterInBackground,
  delay,
  linkedController,
  newestOnly,
  onAbort,
  raceSignal,
  settlesWithin,
} from '../../../src/base/async.ts';
import { deferred } from '../../support/deferred.ts';

describe('async', () => {
  it('delay waits, and ends with the reason of the signal', async () => {
    await delay(1);
    const reason = new Error('enough');
    const controller = new AbortController();
    const waiting = delay(60_000, controller.signal);
    controller.abort(reason);
    await assert.rejects(waiting, reason);
    await assert.rejects(delay(60_000, controller.signal), reason);
  });

  it('newestOnly runs one at a time, and of those that wait the newest', async () => {
    const runs = [deferred<string>(), deferred<string>()];
    let begun = 0;
    const run = newestOnly(async () => runs[begun++]?.promise);
    const first = run();
    await delay(1);
    const second = run();
    const third = run();
    await delay(1);
    assert.equal(begun, 1);
    runs[0]?.reject(new Error('the first'));
    await assert.rejects(first, /the first/u);
    assert.equal(await second, undefined);
    runs[1]?.resolve('newest');
    assert.equal(await third, 'newest');
    assert.equal(begun, 2);
  });

  it('after runs once unless disposed', async () => {
    const seen: string[] = [];
    after(1, () => seen.push('first'));
    after(1, () => seen.push('second')).dispose();
    await delay(30);
    assert.deepEqual(seen, ['first']);
  });

  it('what is to happen after more than a timer takes does not happen at once', async () => {
    const seen: string[] = [];
    for (const ms of [2 ** 31, Infinity]) {
      after(ms, () => seen.push('never')).dispose();
      after(ms, () => seen.push('never'));
      afterInBackground(ms, () => seen.push('never'));
    }
    assert.equal(await settlesWithin(Promise.resolve(), Infinity), true);
    await delay(30);
    assert.deepEqual(seen, []);
  });

  it('onAbort calls once, at once for a signal that has aborted, and not after its disposal', () => {
    const seen: string[] = [];
    const note = (what: string) => (): number => seen.push(what);
    const controller = new AbortController();
    const { signal } = controller;
    onAbort(signal, note('disposed')).dispose();
    const abortion = onAbort(signal, note('aborted'));
    assert.equal(seen.length, 0);
    controller.abort();
    onAbort(signal, note('late')).dispose();
    abortion.dispose();
    assert.deepEqual(seen, ['aborted', 'late']);
  });

  it('raceSignal gives the outcome, or the reason when that comes first', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const failure = new Error('failed');
    assert.equal(await raceSignal(Promise.resolve(1), signal), 1);
    await assert.rejects(raceSignal(Promise.reject(failure), signal), failure);
    const slow = deferred<void>();
    const waiting = raceSignal(slow.promise, signal);
    const reason = new Error('enough');
    controller.abort(reason);
    await assert.rejects(waiting, reason);
    // A failure that nobody waits for any more is no unhandled rejection.
    slow.reject(failure);
    await assert.rejects(raceSignal(Promise.reject(failure), signal), reason);
    await delay(1);
  });

  it('settlesWithin says whether it did, and leaves no timer', async () => {
    assert.equal(await settlesWithin(Promise.resolve(), 60_000), true);
    assert.equal(await settlesWithin(Promise.reject(new Error('failed')), 60_000), true);
    assert.equal(await settlesWithin(new Promise(() => undefined), 1), false);
  });

  it('linkedController follows its parent until disposed', () => {
    const parent = new AbortController();
    const follower = linkedController(parent.signal);
    const stranger = linkedController(parent.signal);
    stranger.dispose();
    parent.abort(new Error('all'));
    assert.equal(follower.controller.signal.aborted, true);
    assert.equal(follower.controller.signal.reason, parent.signal.reason);
    assert.equal(stranger.controller.signal.aborted, false);
    assert.equal(linkedController(parent.signal).controller.signal.aborted, true);
  });

  it('Sequencer runs one task at a time, in order, past failures', async () => {
    const sequencer = new Sequencer();
    const seen: string[] = [];
    const first = sequencer.run(async () => {
      await delay(5);
      seen.push('first');
      throw new Error('first failed');
    });
    const second = sequencer.run(async () => seen.push('second'));
    await assert.rejects(first, /first failed/);
    await second;
    assert.deepEqual(seen, ['first', 'second']);
  });

  it('CoalescedRun makes one run of many requests', async () => {
    let runs = 0;
    const run = new CoalescedRun(async () => void runs++, { quietMs: 5, maxMs: 1000 });
    for (let count = 0; count < 10; count++) {
      run.request();
    }
    await until(() => runs > 0);
    await delay(30);
    assert.equal(runs, 1);
    run.dispose();
  });

  it('CoalescedRun does not wait for quiet for ever', async () => {
    let runs = 0;
    const run = new CoalescedRun(async () => void runs++, { quietMs: 60_000, maxMs: 20 });
    run.request();
    await until(() => runs === 1);
    run.dispose();
  });

  it('CoalescedRun is idle when what was asked for is done, and at its end', async () => {
    const gates = [deferred<void>(), deferred<void>()];
    let runs = 0;
    const run = new CoalescedRun(async () => gates[runs++]?.promise, { quietMs: 1, maxMs: 10 });
    await run.whenIdle();
    run.request();
    let isIdle = false;
    const idle = run.whenIdle().then(() => (isIdle = true));
    await until(() => runs === 1);
    run.request();
    gates[0]?.resolve();
    await until(() => runs === 2);
    assert.equal(isIdle, false);
    gates[1]?.resolve();
    await idle;
    run.request();
    const over = run.whenIdle();
    run.dispose();
    await over;
    await run.whenIdle();
  });

  it('CoalescedRun runs exactly once more for requests during a run', async () => {
    let runs = 0;
    const gate = deferred<void>();
    const run = new CoalescedRun(
      async () => {
        runs++;
        await gate.promise;
      },
      { quietMs: 0, maxMs: 0 },
    );
    run.request();
    await until(() => runs === 1);
    run.request();
    run.request();
    gate.resolve();
    await until(() => runs === 2);
    await delay(20);
    assert.equal(runs, 2);
    run.dispose();
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await delay(1);
  }
}
