import assert from 'node:assert/strict';
import { delay } from '../../../../src/base/async.ts';
import { fromUser } from '../../../../src/host/requestOrigin.ts';
import { RunningCalls, runningCallLimits } from '../../../../src/host/tools/runningCalls.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const notes = stdioServer('notes');
const key = 'mcpHost.runningCalls';

function begin(calls: RunningCalls, id: string) {
  const call = { era: 'modern', tool: 'report', origin: fromUser } as const;
  const task = calls.open(notes, call, () => undefined);
  task.began(id);
  return task;
}

describe('RunningCalls', () => {
  let memory: FakeMemory;
  let now: number;

  beforeEach(() => {
    memory = new FakeMemory();
    now = 1_000_000_000_000;
  });

  const open = (): RunningCalls => new RunningCalls(memory, () => now);

  const ids = (): readonly (string | undefined)[] => open().all.map(({ id }) => id);

  it('a task is kept until it is over', () => {
    const task = begin(open(), 't1');
    begin(open(), 't2');
    assert.deepEqual(ids(), ['t1', 't2']);
    task.over();
    assert.deepEqual(ids(), ['t2']);
  });

  it('when the window closes, tasks are left and kept; a call that is none yet is not left', () => {
    const calls = open();
    const task = begin(calls, 't1');
    const other = calls.open(
      notes,
      { era: 'legacy', tool: 'add', origin: fromUser },
      () => undefined,
    );
    assert.equal(task.isLeft(), false);
    calls.leaveAll();
    assert.deepEqual([task.isLeft(), other.isLeft()], [true, false]);
    task.over();
    assert.deepEqual(ids(), ['t1']);
  });

  it('a call that is no task is kept once it takes long, until it is over', async () => {
    const calls = open();
    const add = { era: 'legacy', tool: 'add', origin: fromUser } as const;
    const [first, second] = [1, 2].map(() => calls.open(notes, add, () => undefined));
    assert.deepEqual(open().all, []);
    await delay(1_100);
    assert.deepEqual(
      open().all.map(({ tool, id }) => [tool, id]),
      [
        ['add', undefined],
        ['add', undefined],
      ],
    );
    second?.began('t1'); // a task, after all
    assert.deepEqual(ids(), [undefined, 't1']);
    first?.over();
    assert.deepEqual(ids(), ['t1']);
  });

  it('the oldest go beyond the limit, and after their time', () => {
    const calls = open();
    for (let count = 0; count <= runningCallLimits.calls; count += 1) {
      begin(calls, `t${count}`);
    }
    assert.deepEqual([ids().length, ids()[0]], [runningCallLimits.calls, 't1']);
    now += runningCallLimits.ageMs + 1;
    assert.deepEqual(ids(), []);
  });

  it('what is damaged is left out', async () => {
    begin(open(), 't1');
    const [whole] = open().all;
    for (const member of [
      'key',
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
