import assert from 'node:assert/strict';
import { lazily, lazilyLoaded, perObject } from '../../../src/base/lazily.ts';

describe('lazily', () => {
  it('makes one value, when it is first asked for', () => {
    let made = 0;
    const value = lazily(() => ({ number: (made += 1) }));
    assert.equal(made, 0);
    assert.equal(value(), value());
    assert.equal(made, 1);
  });
});

describe('lazilyLoaded', () => {
  it('loads once for all who ask', async () => {
    let loads = 0;
    const loaded = lazilyLoaded(async () => (loads += 1));
    assert.equal(loads, 0);
    assert.deepEqual(await Promise.all([loaded(), loaded()]), [1, 1]);
    assert.equal(await loaded(), 1);
  });

  it('tells all who wait of a failure, and tries anew for the next', async () => {
    let loads = 0;
    const loaded = lazilyLoaded(async () => {
      loads += 1;
      if (loads === 1) {
        throw new Error('too many open files');
      }
      return loads;
    });
    const outcomes = await Promise.allSettled([loaded(), loaded()]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(loads, 1);
    assert.equal(await loaded(), 2);
    assert.equal(await loaded(), 2);
  });
});

describe('perObject', () => {
  it('makes one value for each object, and another for an equal one', () => {
    let made = 0;
    const numberOf = perObject((_key: object) => (made += 1));
    const [one, equal] = [{}, {}];
    assert.deepEqual([numberOf(one), numberOf(equal), numberOf(one)], [1, 2, 1]);
  });
});
