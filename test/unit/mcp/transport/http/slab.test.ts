import assert from 'node:assert/strict';
import { Slab } from '../../../../../src/mcp/transport/http/slab.ts';

describe('Slab', () => {
  it('holds what was added until it is released, and uses slots again', () => {
    const slab = new Slab<string>();
    const a = slab.add('a');
    const b = slab.add('b');
    assert.deepEqual(slab.all(), ['a', 'b']);
    slab.release(a);
    assert.deepEqual(slab.all(), ['b']);
    assert.equal(slab.add('c'), a);
    slab.release(b);
    assert.deepEqual(slab.all(), ['c']);
  });

  it('may be changed while those that were there are gone through', () => {
    const slab = new Slab<number>();
    const taken = [1, 2, 3].map((item) => slab.add(item));
    const seen: number[] = [];
    for (const item of slab.all()) {
      seen.push(item);
      slab.release(taken[item - 1] ?? -1);
    }
    assert.deepEqual(seen, [1, 2, 3]);
    assert.deepEqual(slab.all(), []);
  });
});
