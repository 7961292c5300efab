import assert from 'node:assert/strict';
import { Redraws, ServerRedraws } from '../../../../src/vscode/tree/redraws.ts';
import { waitUntil } from '../../../support/waitUntil.ts';
import type { ConnectionState } from '../../../../src/host/servers/connectionState.ts';

describe('Redraws', () => {
  let told: (readonly string[])[];
  let looked: string[];
  /** By row: those to be drawn anew when it is looked at. */
  let changes: Map<string, readonly string[]>;
  let redraws: Redraws<string>;

  beforeEach(() => {
    told = [];
    looked = [];
    changes = new Map();
    const changed = (row: string): readonly string[] => {
      looked.push(row);
      return changes.get(row) ?? [];
    };
    redraws = new Redraws({ changed }, (rows) => told.push(rows));
  });

  afterEach(() => redraws.dispose());

  it('tells of a burst once, each row looked at once', async () => {
    changes.set('a', ['a']).set('b', ['b1', 'b2']);
    for (const row of ['a', 'b', 'a', 'b']) {
      redraws.soon(row);
    }
    assert.deepEqual(told, []);
    await waitUntil('the burst', () => told.length > 0);
    assert.deepEqual(told, [['a', 'b1', 'b2']]);
    assert.deepEqual(looked, ['a', 'b']);
  });

  it('tells nothing where nothing has changed', async () => {
    redraws.soon('a');
    await waitUntil('the look', () => looked.length > 0);
    redraws.now('a');
    assert.deepEqual(looked, ['a', 'a']);
    assert.deepEqual(told, []);
  });

  it('tells at once of what the user asked for', () => {
    changes.set('a', ['a']);
    redraws.now('a');
    assert.deepEqual(told, [['a']]);
  });

  it('does not wait for a burst that goes on and on', async () => {
    changes.set('a', ['a']);
    await waitUntil('the first', () => {
      redraws.soon('a');
      return told.length > 0;
    });
    assert.deepEqual(told, [['a']]);
  });

  it('tells nothing any more when it is disposed', async () => {
    redraws.soon('a');
    redraws.dispose();
    const other = new Redraws({ changed: () => ['b'] }, (rows) => told.push(rows));
    other.soon('b');
    await waitUntil('the other', () => told.length > 0);
    assert.deepEqual([told, looked], [[['b']], []]);
    other.dispose();
  });
});

const starting: ConnectionState = { kind: 'starting', attempt: 0, wasReady: false };
const asking: ConnectionState = { ...starting, waitsFor: 'consent' };
const stopped: ConnectionState = { kind: 'stopped' };

describe('ServerRedraws', () => {
  let drawn: string[];
  let redraws: ServerRedraws;

  beforeEach(() => {
    drawn = [];
    redraws = new ServerRedraws((id) => drawn.push(id));
  });

  afterEach(() => redraws.dispose());

  it('draws a question at once, and never the start before it', async () => {
    redraws.changed('a', starting);
    redraws.changed('a', asking);
    assert.deepEqual(drawn, ['a']);
    // A start that takes its time is drawn, long after that of "a" would have been.
    redraws.changed('b', starting);
    await waitUntil('the start', () => drawn.includes('b'));
    assert.deepEqual(drawn, ['a', 'b']);
  });

  it('draws a start again that goes on after the answer, and everything else at once', async () => {
    redraws.changed('a', asking);
    redraws.changed('a', starting);
    await waitUntil('the start', () => drawn.length === 2);
    redraws.changed('a', stopped);
    redraws.changed('a', undefined);
    assert.deepEqual(drawn, ['a', 'a', 'a', 'a']);
  });

  it('draws nothing any more when it is disposed', async () => {
    redraws.changed('a', starting);
    redraws.dispose();
    redraws = new ServerRedraws((id) => drawn.push(id));
    redraws.changed('b', starting);
    await waitUntil('the other', () => drawn.length > 0);
    assert.deepEqual(drawn, ['b']);
  });
});
