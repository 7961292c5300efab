import assert from 'node:assert/strict';
import { Throttle, type ThrottleOptions } from '../../../src/base/throttle.ts';
import { FakeClock } from '../../support/fakeClock.ts';

function create(options: Partial<ThrottleOptions>): {
  readonly throttle: Throttle<string>;
  readonly clock: FakeClock;
  readonly delivered: string[];
} {
  const clock = new FakeClock();
  const delivered: string[] = [];
  const throttle = new Throttle<string>(
    {
      perSecond: 2,
      maxHeld: 100,
      clock,
      onDropped: (count) => delivered.push(`${count} dropped`),
      ...options,
    },
    (value) => delivered.push(value),
  );
  return { throttle, clock, delivered };
}

describe('Throttle', () => {
  it('delivers at once within the limit, then the newest of each key, in order', () => {
    const { throttle, clock, delivered } = create({});
    for (const value of ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2']) {
      throttle.push(value, value.charAt(0));
    }
    assert.deepEqual(delivered, ['a1', 'a2']);
    clock.advance(1_000);
    assert.deepEqual(delivered, ['a1', 'a2', 'a4', 'c1', 'b2']);
    throttle.push('d');
    assert.equal(delivered.at(-1), 'd', 'a new second has begun');
    assert.equal(clock.pending, 0);
  });

  it('holds no more than it may, and says how many it dropped', () => {
    const { throttle, delivered } = create({ maxHeld: 3 });
    for (let index = 0; index < 100_000; index++) {
      throttle.push(String(index));
    }
    throttle.flush();
    assert.deepEqual(delivered, ['0', '1', '99995 dropped', '99997', '99998', '99999']);
  });

  it('delivers nothing after it was disposed', () => {
    const { throttle, clock, delivered } = create({ perSecond: 0, maxHeld: 1 });
    throttle.push('a');
    throttle.push('b');
    throttle.dispose();
    throttle.flush();
    assert.deepEqual([...delivered, clock.pending], [0]);
  });

  it('goes on when the clock is set back, and keeps the order when its timer is late', () => {
    const { throttle, clock, delivered } = create({ perSecond: 1 });
    throttle.push('a');
    throttle.push('b');
    clock.sleep(-3_600_000);
    throttle.push('c');
    assert.deepEqual(delivered, ['a', 'b', 'c']);
  });
});
