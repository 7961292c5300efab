import assert from 'node:assert/strict';
import { AppContexts } from '../../../../src/host/apps/appContexts.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';

const said = (text: string) => ({ content: [{ type: 'text', text }] }) as const;

describe('the context of apps', () => {
  it('APP-72, APP-79: is the newest of each app, until the app says nothing or is gone', () => {
    const contexts = new AppContexts(new FakeMemory());
    contexts.set('1', 'weather', said('old'));
    contexts.set('2', 'maps', said('here'));
    contexts.set('1', 'weather', said('new'));
    assert.deepEqual(contexts.all, [
      { call: '2', server: 'maps', context: said('here') },
      { call: '1', server: 'weather', context: said('new') },
    ]);
    contexts.set('1', 'weather', undefined);
    contexts.set('2', 'maps', undefined);
    assert.deepEqual(contexts.all, []);
  });

  it('stays left out, whatever the app says later, also in the next window', async () => {
    const memory = new FakeMemory();
    const contexts = new AppContexts(memory);
    contexts.set('1', 'weather', said('once'));
    await contexts.leaveOut('1');
    assert.deepEqual(contexts.all, []);
    contexts.set('1', 'weather', said('again'));
    contexts.set('2', 'weather', said('another'));
    assert.deepEqual(
      contexts.all.map(({ call }) => call),
      ['2'],
    );
    const later = new AppContexts(memory);
    later.set('1', 'weather', said('again'));
    assert.deepEqual(later.all, []);
  });
});
