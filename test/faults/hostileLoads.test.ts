/** Hostile servers at every limit at once, in a process with a heap of 512 MB that survives. */
import assert from 'node:assert/strict';
import {
  type HostileLoad,
  type HostileOutcome,
  hostileLoads,
  runHostileLoads,
  unrefusedOf,
} from './hostileLoads.ts';
import { isWhole } from '../support/whole.ts';

function check(outcome: HostileOutcome): void {
  const { code, problems, asked, answered, left } = outcome;
  assert.equal(code, 0, problems);
  assert.equal(left, 0);
  assert.ok(answered > 5 && answered === asked, `${answered} of ${asked} answered`);
  assert.deepEqual(unrefusedOf(outcome), []);
}

describe('hostile loads', function () {
  this.timeout(240_000);

  // A minute of work; the dearest of them are below.
  if (isWhole) {
    it('all of them at once: the process survives, the server beside them answers, each is refused in words', async () => {
      check(await runHostileLoads(hostileLoads));
    });
  }

  it('several servers with the dearest of them', async () => {
    const dearest: readonly HostileLoad[] = ['lists', 'names', 'questions', 'http:results'];
    check(await runHostileLoads([...dearest, ...dearest, ...dearest]));
  });

  it('one that goes on is stopped with a sentence that names server, budget and setting', async () => {
    const outcome = await runHostileLoads(['http:results'], 'stopped');
    check(outcome);
    assert.match(
      outcome.said['http:results 0'] ?? '',
      /^failed\nThe server "http:results 0" was stopped: it kept sending data that would take more memory than the 128 MiB that the server may use, which `limits\.memoryMegabytes` of its entry can raise\.$/mu,
    );
  });
});
