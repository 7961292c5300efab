import assert from 'node:assert/strict';
import { RateLimit } from '../../../src/base/rateLimit.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('RateLimit', () => {
  it('HOST-08: admits so many within any minute, each key by itself', () => {
    const clock = new FakeClock();
    const limit = new RateLimit(2, clock);
    assert.equal(limit.admit('a').kind, 'admitted');
    clock.advance(36_000);
    assert.equal(limit.admit('a').kind, 'admitted');
    assert.deepEqual(limit.admit('a'), { kind: 'refused', retryAfterMs: 24_000, isFirst: true });
    assert.deepEqual(limit.admit('a'), { kind: 'refused', retryAfterMs: 24_000, isFirst: false });
    assert.equal(limit.admit('b').kind, 'admitted');
    clock.advance(24_000);
    assert.equal(limit.admit('a').kind, 'admitted');
    assert.deepEqual(limit.admit('a'), { kind: 'refused', retryAfterMs: 36_000, isFirst: true });
  });

  it('HOST-08: refuses nobody for what was before the clock was set back', () => {
    const clock = new FakeClock();
    const limit = new RateLimit(1, clock);
    limit.admit('a');
    clock.sleep(-3_600_000);
    assert.equal(limit.admit('a').kind, 'admitted');
    assert.equal(limit.admit('a').kind, 'refused');
  });
});
