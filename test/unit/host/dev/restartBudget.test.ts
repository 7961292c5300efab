import assert from 'node:assert/strict';
import { RestartBudget, restartBudget } from '../../../../src/host/dev/restartBudget.ts';

describe('RestartBudget', () => {
  it('lets so many through in a minute, and more once the oldest are over', () => {
    const { max, periodMs } = restartBudget;
    const budget = new RestartBudget();
    const taken = Array.from({ length: max + 5 }, (_, index) => budget.take(index * 1000));
    assert.equal(taken.filter(Boolean).length, max);
    assert.equal(budget.take(periodMs - 1), false);
    assert.deepEqual([budget.take(periodMs), budget.take(periodMs)], [true, false]);
    assert.equal(budget.take(periodMs + 1000), true);
  });
});
