import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Slots } from '../../../../../src/mcp/transport/http/requestSlots.ts';

describe('Slots', () => {
  it('holds what was added until it is released, and uses slots again', () => {
    const slots = new Slots<string>();
    const a = slots.add('a');
    const b = slots.add('b');
    assert.deepEqual(slots.all(), ['a', 'b']);
    slots.release(a);
    assert.deepEqual(slots.all(), ['b']);
    assert.equal(slots.add('c'), a);
    slots.release(b);
    assert.deepEqual(slots.all(), ['c']);
  });

  it('may be changed while those that were there are gone through', () => {
    const slots = new Slots<number>();
    const taken = [1, 2, 3].map((item) => slots.add(item));
    const seen: number[] = [];
    for (const item of slots.all()) {
      seen.push(item);
      slots.release(taken[item - 1] ?? -1);
    }
    assert.deepEqual(seen, [1, 2, 3]);
    assert.deepEqual(slots.all(), []);
  });
});
