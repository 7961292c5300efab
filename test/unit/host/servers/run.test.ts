/** One attempt to start a server: whose end its users hear of. */
import assert from 'node:assert/strict';
import { Run } from '../../../../src/host/servers/run.ts';
import { ServerMemory } from '../../../../src/host/servers/serverMemory.ts';

const newRun = (): Run => new Run(false, new ServerMemory().open());

describe('Run', () => {
  it('tells work of a caller who has given up before it began', async () => {
    const reason = new Error('given up');
    const seen = await newRun().during(AbortSignal.abort(reason), async (both) => both);
    assert.equal(seen.aborted, true);
    assert.equal(seen.reason, reason);
  });

  it('tells work of a caller who gives up, and of its own end', async () => {
    const caller = new AbortController();
    const reasons: unknown[] = [];
    const run = newRun();
    await run.during(caller.signal, async (both) => {
      caller.abort(new Error('given up'));
      reasons.push(both.reason);
    });
    const never = new AbortController().signal;
    await run.during(never, async (both) => {
      await run.end(new Error('stopped'));
      reasons.push(both.reason);
    });
    assert.deepEqual(reasons, [new Error('given up'), new Error('stopped')]);
    assert.equal(run.uses, 0);
  });
});
