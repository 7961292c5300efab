import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toError } from '../../../../src/base/async.ts';
import { createLog, Redactor } from '../../../../src/base/log.ts';
import { RunEnds } from '../../../../src/host/servers/runEnds.ts';
import { McpError } from '../../../../src/mcp/errors.ts';
import { deferred } from '../../../support/deferred.ts';

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
