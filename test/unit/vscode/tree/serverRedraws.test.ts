import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConnectionState } from '../../../../src/host/servers/connectionState.ts';
import { ServerRedraws } from '../../../../src/vscode/tree/serverRedraws.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const starting: ConnectionState = { kind: 'starting', attempt: 0, wasReady: false };
const asking: ConnectionState = { ...starting, waitsFor: 'consent' };
const stopped: ConnectionState = { kind: 'stopped' };

describe('ServerRedraws', () => {
  it('draws a question at once, and never the start before it', async () => {
    const drawn: string[] = [];
    const redraws = new ServerRedraws((id) => drawn.push(id));
    redraws.changed('a', starting);
    redraws.changed('a', asking);
    assert.deepEqual(drawn, ['a']);
    // A start that takes its time is drawn, long after that of "a" would have been.
    redraws.changed('b', starting);
    await waitUntil('the start', () => drawn.includes('b'));
    assert.deepEqual(drawn, ['a', 'b']);
    redraws.dispose();
  });

  it('draws a start again that goes on after the answer, and everything else at once', async () => {
    const drawn: string[] = [];
    const redraws = new ServerRedraws((id) => drawn.push(id));
    redraws.changed('a', asking);
    redraws.changed('a', starting);
    await waitUntil('the start', () => drawn.length === 2);
    redraws.changed('a', stopped);
    redraws.changed('a', undefined);
    assert.deepEqual(drawn, ['a', 'a', 'a', 'a']);
    redraws.dispose();
  });

  it('draws nothing any more when it is disposed', async () => {
    const drawn: string[] = [];
    const redraws = new ServerRedraws((id) => drawn.push(id));
    const other = new ServerRedraws((id) => drawn.push(id));
    redraws.changed('a', starting);
    redraws.dispose();
    other.changed('b', starting);
    await waitUntil('the other', () => drawn.length > 0);
    assert.deepEqual(drawn, ['b']);
    other.dispose();
  });
});
