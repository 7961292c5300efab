import assert from 'node:assert/strict';
import { DrawnCalls } from '../../../../src/host/editorChat/drawnCalls.ts';
import type { ToolOutcome } from '../../../../src/host/tools/callTool.ts';

const call = { server: 'user/a', tool: 'look', input: { place: 'Oslo', days: 2 } };
const outcome = { kind: 'invalidInput', problems: ['told apart'] } as const;

class Setup {
  readonly calls = new DrawnCalls();
  made = 0;

  run(invoke: () => Promise<unknown>): Promise<ToolOutcome> {
    return this.calls.run(
      call,
      async () => {
        this.made += 1;
        return outcome;
      },
      invoke,
    );
  }
}

describe('A call whose app the editor draws', () => {
  it('is made when it arrives at the bridge, once', async () => {
    const setup = new Setup();
    const sameInput = { ...call, input: { days: 2, place: 'Oslo' } };
    const ended = await setup.run(async () => {
      assert.equal(await setup.calls.take(sameInput), outcome);
      assert.equal(setup.calls.take(call), undefined);
    });
    assert.deepEqual([ended, setup.made], [outcome, 1]);
    assert.equal(setup.calls.take(call), undefined);
  });

  it('is told from calls of other servers, tools and inputs', async () => {
    const setup = new Setup();
    await setup.run(async () => {
      assert.equal(setup.calls.take({ ...call, server: 'user/b' }), undefined);
      assert.equal(setup.calls.take({ ...call, tool: 'lock' }), undefined);
      assert.equal(setup.calls.take({ ...call, input: { place: 'Oslo' } }), undefined);
      assert.equal(setup.made, 0);
    });
    assert.equal(setup.made, 1);
  });

  it('is made without the editor where that fails, and not where the user declines', async () => {
    const setup = new Setup();
    assert.equal(await setup.run(() => Promise.reject(new Error('No such tool'))), outcome);
    const canceled = Object.assign(new Error('Canceled'), { name: 'Canceled' });
    await assert.rejects(
      setup.run(() => Promise.reject(canceled)),
      { code: 'denied' },
    );
    assert.equal(setup.made, 1);
  });

  it('keeps its outcome where the editor fails after it', async () => {
    const setup = new Setup();
    const ended = await setup.run(async () => {
      await setup.calls.take(call);
      throw new Error('The page could not be read');
    });
    assert.deepEqual([ended, setup.made], [outcome, 1]);
  });
});
