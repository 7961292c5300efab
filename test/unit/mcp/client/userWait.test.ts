import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event.ts';
import { connect } from '../../../../src/mcp/client/connect.ts';
import { RestingLimit } from '../../../../src/mcp/client/userWait.ts';
import { FakeTransport } from '../../../support/fakeTransport.ts';
import { hello, initializeResult } from '../../../support/hello.ts';
import { expectNoListeners } from '../../../support/leaks.ts';
import { withTimeJumps } from '../../../support/timeJump.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

function userWait() {
  const changed = new Emitter<void>();
  const wait = { isWaiting: false, onDidChange: changed.event };
  const set = (isWaiting: boolean): void => {
    wait.isWaiting = isWaiting;
    changed.fire();
  };
  return { wait, set, changed };
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

  it('TIME-04: what has passed counts, however often it rests', async () => {
    await withTimeJumps(async (pass) => {
      const { wait, set } = userWait();
      let isOver = false;
      const limit = new RestingLimit(1_000, wait, () => (isOver = true));
      pass(600);
      set(true);
      pass(5_000);
      set(false);
      pass(300);
      assert.equal(isOver, false);
      pass(150);
      assert.equal(isOver, true);
      limit.dispose();
    });
  });

  it('is never over once disposed', async () => {
    let isOver = false;
    new RestingLimit(5, undefined, () => (isOver = true)).dispose();
    await another(10);
    assert.equal(isOver, false);
  });
});

describe('a connection whose user is waited for', () => {
  it('TIME-04: its requests do not become late meanwhile, and it listens no longer than it lives', async () => {
    await withTimeJumps(async (pass) => {
      const { wait, set, changed } = userWait();
      const transport = new FakeTransport().respond('initialize', () => initializeResult());
      const binding = {
        label: 'HTTP+SSE',
        wire: 'http',
        eras: ['legacy'],
        connect: () => transport,
      } as const;
      const times = { idleMs: 1_000, totalMs: 60_000 };
      const { signal } = new AbortController();
      const session = await connect([binding], hello({ userWait: wait, times }), signal);
      set(true);
      let failure: unknown;
      const call = session.call('tools/list', {}).catch((error: unknown) => (failure = error));
      pass(5_000);
      set(false);
      pass(900);
      await turns();
      assert.equal(failure, undefined);
      pass(200);
      await call;
      assert.match(String(failure), /no answer and no sign of progress for 1 s/u);
      await session.close();
      expectNoListeners(changed);
    });
  });
});
