import assert from 'node:assert/strict';
import { Coalescer } from '../../../src/base/coalescer.ts';
import { failOnLeaks } from '../../support/leaks.ts';
import { waitUntil } from '../../support/waitUntil.ts';

describe('Coalescer', () => {
  failOnLeaks();

  const rate = { max: 2, windowMs: 50 };

  it('delivers at once within the rate, then the newest of each kind, in order', async () => {
    const delivered: string[] = [];
    const coalescer = new Coalescer<string, string>(rate, (value) => delivered.push(value));
    for (const value of ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2']) {
      coalescer.push(value.charAt(0), value);
    }
    assert.deepEqual(delivered, ['a1', 'a2']);
    await waitUntil('the rest', () => delivered.length > 2);
    assert.deepEqual(delivered, ['a1', 'a2', 'a4', 'c1', 'b2']);
  });

  it('delivers a hundred thousand values in a few', () => {
    let delivered = 0;
    const coalescer = new Coalescer<string, number>({ max: 50, windowMs: 60_000 }, () => {
      delivered += 1;
    });
    for (let n = 0; n < 100_000; n++) {
      coalescer.push('', n);
    }
    coalescer.flush();
    assert.equal(delivered, 51);
  });

  it('holds no more kinds than it may, and nothing after it was disposed', () => {
    const delivered: number[] = [];
    const coalescer = new Coalescer<number, number>({ ...rate, maxHeld: 3 }, (value) =>
      delivered.push(value),
    );
    for (let n = 0; n < 100; n++) {
      coalescer.push(n, n);
    }
    coalescer.flush();
    assert.deepEqual(delivered, [0, 1, 97, 98, 99]);
    coalescer.push(1, 1);
    coalescer.dispose();
    coalescer.flush();
    assert.equal(delivered.length, 5);
  });
});
