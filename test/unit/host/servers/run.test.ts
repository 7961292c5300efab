/** One attempt to start a server: whose end its users hear of. */
import assert from 'node:assert/strict';
import { Run, RunEnds } from '../../../../src/host/servers/run.ts';
import { ServerMemory } from '../../../../src/host/servers/serverMemory.ts';
import { toError } from '../../../../src/base/async.ts';
import { createLog, Redactor } from '../../../../src/base/log.ts';
import { McpError } from '../../../../src/mcp/errors.ts';
import { deferred } from '../../../support/deferred.ts';

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

const reason = new McpError('cancelled', 'stopped');

describe('RunEnds', () => {
  it('waits for all that were added, and says which did not end in good order', async () => {
    const lines: string[] = [];
    const ends = new RunEnds({
      log: createLog((severity, line) => lines.push(`${severity}: ${line}`), new Redactor()),
      toError: (error) => new McpError('closed', toError(error).message),
    });
    await ends.all;
    const slow = deferred<void>();
    let isOver = false;
    ends.add({ end: () => slow.promise }, reason);
    ends.add({ end: () => Promise.reject(new Error('process 7 lives on')) }, reason);
    const all = ends.all.then(() => (isOver = true));
    await Promise.resolve();
    assert.equal(isOver, false);
    slow.resolve();
    await all;
    assert.deepEqual(lines, ['warn: The server did not end cleanly: process 7 lives on']);
  });
});
