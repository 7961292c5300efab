import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RateLimit } from '../../../src/host/rateLimit.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('RateLimit', () => {
  it('HOST-08: admits so many in a sliding span of time, each key by itself', () => {
    const clock = new FakeClock();
    const limit = new RateLimit({ max: 2, windowMs: 1000 }, clock);
    assert.equal(limit.admit('a').kind, 'admitted');
    clock.advance(600);
    assert.equal(limit.admit('a').kind, 'admitted');
    assert.deepEqual(limit.admit('a'), { kind: 'refused', retryAfterMs: 400, isFirst: true });
    assert.deepEqual(limit.admit('a'), { kind: 'refused', retryAfterMs: 400, isFirst: false });
    assert.equal(limit.admit('b').kind, 'admitted');
    clock.advance(400);
    assert.equal(limit.admit('a').kind, 'admitted');
    assert.deepEqual(limit.admit('a'), { kind: 'refused', retryAfterMs: 600, isFirst: true });
  });

  it('HOST-08: refuses nobody for what was before the clock was set back', () => {
    const clock = new FakeClock();
    const limit = new RateLimit({ max: 1, windowMs: 1000 }, clock);
    limit.admit('a');
    clock.sleep(-3_600_000);
    assert.equal(limit.admit('a').kind, 'admitted');
    assert.equal(limit.admit('a').kind, 'refused');
  });
});
