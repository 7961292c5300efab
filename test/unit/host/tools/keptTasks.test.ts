import assert from 'node:assert/strict';
import { fromUser } from '../../../../src/host/requestOrigin.ts';
import { KeptTasks, keptTaskLimits } from '../../../../src/host/tools/keptTasks.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const notes = stdioServer('notes');
const key = 'mcpHost.runningTasks';

function begin(tasks: KeptTasks, id: string) {
  const call = { era: 'modern', tool: 'report', origin: fromUser } as const;
  const task = tasks.open(notes, call, () => undefined);
  task.began(id);
  return task;
}

describe('KeptTasks', () => {
  let memory: FakeMemory;
  let now: number;

  beforeEach(() => {
    memory = new FakeMemory();
    now = 1_000_000_000_000;
  });

  const open = (): KeptTasks => new KeptTasks(memory, () => now);

  const ids = (): readonly string[] => open().all.map(({ id }) => id);

  it('a task is kept until it is over', () => {
    const task = begin(open(), 't1');
    begin(open(), 't2');
    assert.deepEqual(ids(), ['t1', 't2']);
    task.over();
    assert.deepEqual(ids(), ['t2']);
  });

  it('when the window closes, tasks are left and kept; a call that is none yet is not left', () => {
    const tasks = open();
    const task = begin(tasks, 't1');
    const other = tasks.open(
      notes,
      { era: 'legacy', tool: 'add', origin: fromUser },
      () => undefined,
    );
    assert.equal(task.isLeft(), false);
    tasks.leaveAll();
    assert.deepEqual([task.isLeft(), other.isLeft()], [true, false]);
    task.over();
    assert.deepEqual(ids(), ['t1']);
  });

  it('the oldest go beyond the limit, and after their time', () => {
    const tasks = open();
    for (let count = 0; count <= keptTaskLimits.tasks; count += 1) {
      begin(tasks, `t${count}`);
    }
    assert.deepEqual([ids().length, ids()[0]], [keptTaskLimits.tasks, 't1']);
    now += keptTaskLimits.ageMs + 1;
    assert.deepEqual(ids(), []);
  });

  it('what is damaged is left out', async () => {
    begin(open(), 't1');
    const [whole] = open().all;
    for (const member of [
      'id',
      'serverId',
      'definition',
      'era',
      'method',
      'tool',
      'origin',
      'at',
    ]) {
      await memory.set(key, [null, { ...whole, [member]: {} }, whole]);
      assert.deepEqual(ids(), ['t1'], member);
    }
    await memory.set(key, 'nonsense');
    assert.deepEqual(ids(), []);
  });
});
