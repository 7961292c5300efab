import assert from 'node:assert/strict';
import { withoutRequiredTasks } from '../../../src/bridge/tasks.ts';

describe('withoutRequiredTasks', () => {
  it('TRAP-53: takes from tools what would keep clients without tasks from calling them', () => {
    const page = {
      tools: [
        { name: 'plain' },
        { name: 'free', execution: { taskSupport: 'optional' } },
        { name: 'task', execution: { taskSupport: 'required' } },
        { name: 'more', execution: { taskSupport: 'required', 'x-more': 1 } },
        null,
      ],
      nextCursor: 'n',
    };
    assert.deepEqual(withoutRequiredTasks(page), {
      tools: [
        { name: 'plain' },
        { name: 'free', execution: { taskSupport: 'optional' } },
        { name: 'task' },
        { name: 'more', execution: { 'x-more': 1 } },
        null,
      ],
      nextCursor: 'n',
    });
  });

  it('leaves everything else as it came', () => {
    for (const page of [{ prompts: [] }, { tools: [{ name: 'a' }] }, { tools: 7 }, null, 'x']) {
      assert.equal(withoutRequiredTasks(page), page);
    }
  });
});
