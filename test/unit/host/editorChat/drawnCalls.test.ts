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
    const taken: unknown[] = [];
    const ended = await setup.run(async () => {
      taken.push(await setup.calls.take(sameInput), setup.calls.take(call));
    });
    assert.deepEqual([taken, ended, setup.made], [[outcome, undefined], outcome, 1]);
  });

  it('is told from calls of other servers, tools and inputs', async () => {
    const setup = new Setup();
    const others = [{ server: 'user/b' }, { tool: 'lock' }, { input: { place: 'Oslo' } }];
    let taken: unknown[] = [];
    await setup.run(async () => {
      taken = others.map((other) => setup.calls.take({ ...call, ...other }));
    });
    assert.deepEqual([taken, setup.made], [[undefined, undefined, undefined], 1]);
    assert.equal(setup.calls.take(call), undefined, 'of one that the editor has not made');
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
