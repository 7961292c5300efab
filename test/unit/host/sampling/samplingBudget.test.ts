import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { SamplingBudget, samplingLimits } from '../../../../src/host/sampling/samplingBudget.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const { perMinute, atOnce, tokensPerSession } = samplingLimits;

function admitted(budget: SamplingBudget, id = 'a'): () => void {
  const admission = budget.admit(id);
  assert.equal(admission.kind, 'admitted');
  return admission.release;
}

describe('SamplingBudget', () => {
  it('SAMP-21, SAM-12, HOST-08: so many requests a minute, each server by itself', () => {
    const clock = new FakeClock();
    const budget = new SamplingBudget(clock);
    for (let n = 0; n < perMinute; n += 1) {
      admitted(budget)();
    }
    assert.deepEqual(budget.admit('a'), {
      kind: 'perMinute',
      retryAfterMs: 60_000,
      isFirst: true,
    });
    admitted(budget, 'b')();
    clock.advance(60_000);
    admitted(budget)();
  });

  it('SAMP-21: so many a minute as the entry of the server says', () => {
    const budget = new SamplingBudget(new FakeClock());
    for (let n = 0; n < perMinute + 5; n += 1) {
      const admission = budget.admit('a', perMinute + 5);
      assert.ok(admission.kind === 'admitted');
      admission.release();
    }
    assert.equal(budget.admit('a', perMinute + 5).kind, 'perMinute');
  });

  it('SAMP-21: so many at once; a release counts once', () => {
    const budget = new SamplingBudget(new FakeClock());
    const releases = Array.from({ length: atOnce }, () => admitted(budget));
    const tooMany = (isFirst: boolean): void =>
      assert.deepEqual(budget.admit('a'), { kind: 'atOnce', isFirst });
    tooMany(true);
    tooMany(false);
    releases[0]?.();
    releases[0]?.();
    admitted(budget);
    tooMany(true);
  });

  it('SAMP-21: so many tokens a session, which the user can renew', () => {
    const budget = new SamplingBudget(new FakeClock());
    budget.spend('a', tokensPerSession - 1);
    assert.equal(budget.tokensLeft('a'), 1);
    admitted(budget)();
    budget.spend('a', 5);
    assert.equal(budget.admit('a').kind, 'tokens');
    assert.equal(budget.tokensLeft('b'), tokensPerSession);
    budget.renew('a');
    assert.equal(budget.tokensLeft('a'), tokensPerSession);
    assert.equal(budget.tokensUsed('a'), tokensPerSession + 4);
    admitted(budget)();
  });
});
