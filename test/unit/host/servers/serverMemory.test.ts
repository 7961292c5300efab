import assert from 'node:assert/strict';
import {
  budgetOf,
  memoryBudgets,
  ServerMemory,
} from '../../../../src/host/servers/serverMemory.ts';
import { withTimeJumps } from '../../../support/timeJump.ts';

const mebi = 2 ** 20;

describe('ServerMemory', () => {
  it('refuses a server what is over its budget, and says which setting raises it', () => {
    const all = new ServerMemory(100 * mebi);
    const account = all.open(10 * mebi);
    const first = account.hold();
    const second = account.hold();
    assert.equal(first.set(8 * mebi), true);
    assert.equal(second.set(3 * mebi), false);
    assert.equal(account.hasRoom(3 * mebi), false);
    assert.equal(account.used, 8 * mebi);
    assert.match(
      account.refusal,
      /^would take more memory than the 10 MiB that the server may use, which `limits\.memoryMegabytes` of its entry can raise$/u,
    );
    assert.equal(first.set(9 * mebi), true);
    assert.equal(first.set(11 * mebi), false);
    assert.equal(account.used, 9 * mebi);
    assert.equal(first.set(0), true);
    assert.equal(all.used, 0);
  });

  it('refuses who wants more than there is for all, and no server its share', () => {
    const all = new ServerMemory(20 * mebi);
    const large = all.open(20 * mebi);
    const small = all.open(20 * mebi);
    assert.equal(large.hold().set(18 * mebi), true);
    assert.equal(large.hasRoom(3 * mebi), false);
    assert.match(large.refusal, /than the 20 MiB that the server may use/u);
    const held = small.hold();
    assert.equal(held.set(memoryBudgets.shareBytes), true);
    assert.equal(held.set(memoryBudgets.shareBytes + 1), false);
    assert.match(small.refusal, /than the 20 MiB that all servers may use together$/u);
  });

  it('lets a server have as much as its entry says, whatever there is for all', () => {
    const all = new ServerMemory(20 * mebi);
    assert.equal(
      all
        .open(50 * mebi)
        .hold()
        .set(50 * mebi),
      true,
    );
  });

  it('has room for two of the messages that the entry allows, unless it says otherwise', () => {
    assert.equal(budgetOf(), memoryBudgets.serverBytes);
    assert.equal(budgetOf({ messageBytes: 1 * mebi }), memoryBudgets.serverBytes);
    assert.equal(budgetOf({ messageBytes: 256 * mebi }), 512 * mebi);
    assert.equal(budgetOf({ messageBytes: 256 * mebi, memoryBytes: mebi }), mebi);
  });

  it('lets go of what can be done without where room is needed: the oldest first, its own alone for its own budget', () => {
    const all = new ServerMemory(30 * mebi);
    const one = all.open(20 * mebi);
    const other = all.open(20 * mebi);
    const dropped: string[] = [];
    for (const [name, account] of [
      ['a', one],
      ['b', other],
      ['c', one],
    ] as const) {
      assert.equal(account.hold(() => dropped.push(name)).set(5 * mebi), true, name);
    }
    assert.equal(one.hold().set(12 * mebi), true);
    assert.deepEqual(dropped, ['a']);
    assert.equal(other.hold().set(15 * mebi), true);
    assert.deepEqual(dropped, ['a', 'b', 'c']);
    assert.equal(all.used, 27 * mebi);
  });

  it('asks to stop a server that goes on, and none for what others have, or for what it can do without', () => {
    const all = new ServerMemory(20 * mebi);
    const account = all.open(10 * mebi);
    const other = all.open(20 * mebi);
    const stops: string[] = [];
    account.onDidExceed(() => stops.push('account'));
    other.onDidExceed(() => stops.push('other'));
    account.hold().set(10 * mebi);
    for (let n = 0; n < memoryBudgets.refusals; n += 1) {
      assert.deepEqual(stops, []);
      assert.equal(other.hasRoom(15 * mebi), false);
      assert.equal(account.hold(() => undefined).set(11 * mebi), false);
      assert.equal(account.hasRoom(1), false);
    }
    assert.deepEqual(stops, ['account']);
  });

  it('asks for no stop because of refusals that are long past', async () => {
    const account = new ServerMemory().open(10 * mebi);
    const stops: string[] = [];
    account.onDidExceed(() => stops.push('account'));
    await withTimeJumps(async (pass) => {
      for (let n = 0; n < 2 * memoryBudgets.refusals; n += 1) {
        assert.equal(account.hasRoom(11 * mebi), false);
        pass(memoryBudgets.refusalsMs / 5);
      }
    });
    assert.deepEqual(stops, []);
  });

  it('has nothing of a run that is over', () => {
    const all = new ServerMemory();
    const account = all.open();
    account.hold().set(1);
    const run = account.forRun();
    const held = run.hold();
    held.set(5);
    const empty = run.hold();
    assert.equal(account.used, 6);
    run.dispose();
    assert.equal(account.used, 1);
    assert.equal(held.set(5), false);
    assert.equal(empty.set(5), false);
    assert.equal(run.hold().set(5), false);
    account.dispose();
    assert.equal(all.used, 0);
  });
});
