import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event.ts';
import { RestingLimit } from '../../../../src/mcp/client/userWait.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

function userWait() {
  const changed = new Emitter<void>();
  const wait = { isWaiting: false, onDidChange: changed.event };
  const set = (isWaiting: boolean): void => {
    wait.isWaiting = isWaiting;
    changed.fire();
  };
  return { wait, set };
}

/** A limit that began later and is longer is over. */
function another(ms: number): Promise<void> {
  return new Promise((resolve) => {
    void new RestingLimit(ms, undefined, resolve);
  });
}

describe('RestingLimit', () => {
  it('is over after its time', async () => {
    let isOver = false;
    const limit = new RestingLimit(10, undefined, () => (isOver = true));
    await waitUntil('the end', () => isOver);
    limit.dispose();
  });

  it('TIME-04 (legacy): rests while the user is waited for, and goes on with what is left', async () => {
    const { wait, set } = userWait();
    let isOver = false;
    set(true);
    const limit = new RestingLimit(20, wait, () => (isOver = true));
    await another(40);
    assert.equal(isOver, false);
    set(false);
    set(true);
    await another(40);
    assert.equal(isOver, false);
    set(false);
    await waitUntil('the end', () => isOver);
    limit.dispose();
  });

  it('is never over once disposed', async () => {
    let isOver = false;
    new RestingLimit(5, undefined, () => (isOver = true)).dispose();
    await another(10);
    assert.equal(isOver, false);
  });
});
