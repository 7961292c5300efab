import assert from 'node:assert/strict';
import {
  parseProcStat,
  parsePsLine,
  type ProcessEntry,
  readProcessTable,
  selectTree,
  taskkillArguments,
} from '../../../../../src/mcp/transport/stdio/processTree.ts';

function entry(pid: number, parentPid: number, groupId: number, isZombie = false): ProcessEntry {
  return { pid, parentPid, groupId, isZombie };
}

const pidsOf = (entries: readonly ProcessEntry[]): readonly number[] =>
  entries.map(({ pid }) => pid).toSorted((a, b) => a - b);

describe('process tree', () => {
  it('reads /proc stat lines, also with brackets and blanks in the name', () => {
    assert.deepEqual(
      parseProcStat('4711 (a) b (c) S 12 4711 4711 0 -1 4194304 100 0'),
      entry(4711, 12, 4711),
    );
    assert.deepEqual(parseProcStat('9 (x) Z 1 8 8 0'), entry(9, 1, 8, true));
    assert.equal(parseProcStat(''), undefined);
    assert.equal(parseProcStat('9 (cut'), undefined);
  });

  it('reads lines of ps', () => {
    assert.deepEqual(parsePsLine('  501     1   500 Ss'), entry(501, 1, 500));
    assert.deepEqual(parsePsLine('502 501 500 Z+'), entry(502, 501, 500, true));
    assert.equal(parsePsLine(''), undefined);
  });

  it('takes the group, what descends from it, and nothing else', () => {
    const table = [
      entry(100, 1, 100),
      entry(101, 100, 100),
      entry(102, 101, 102), // left the group with setsid
      entry(103, 102, 102),
      entry(104, 100, 100, true), // dead
      entry(200, 1, 200), // a daemon: no longer a descendant
      entry(50, 1, 50),
    ];
    assert.deepEqual(pidsOf(selectTree(table, 100)), [100, 101, 102, 103]);
    assert.deepEqual(pidsOf(selectTree(table, 77)), []);
    assert.deepEqual(pidsOf(selectTree(table, 77, new Set([102]))), [102, 103]);
  });

  it('finds descendants of a group whose leader is gone', () => {
    const table = [entry(101, 1, 100), entry(102, 101, 102)];
    assert.deepEqual(pidsOf(selectTree(table, 100)), [101, 102]);
  });

  it('survives a table in which a process is its own parent', () => {
    assert.deepEqual(pidsOf(selectTree([entry(0, 0, 0), entry(5, 5, 5)], 5)), [5]);
  });

  it('finds this process in the table of the machine', function () {
    if (process.platform === 'win32') {
      assert.deepEqual(readProcessTable(), []);
      return;
    }
    const own = readProcessTable().find(({ pid }) => pid === process.pid);
    assert.equal(own?.parentPid, process.ppid);
  });

  it('STDIO-07: asks Windows to end the process with its descendants', () => {
    assert.deepEqual(taskkillArguments(4711), ['/PID', '4711', '/T', '/F']);
  });
});
