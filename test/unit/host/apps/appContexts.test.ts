import assert from 'node:assert/strict';
import { AppContexts } from '../../../../src/host/apps/appContexts.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';

const byHand = (call: string) => ({ call, server: 'weather', inChat: false });
const said = (text: string) => ({ content: [{ type: 'text', text }] }) as const;

describe('the context of apps', () => {
  it('APP-72, APP-79: is the newest of each app, until the app says nothing or is gone', () => {
    const contexts = new AppContexts(new FakeMemory());
    contexts.set(byHand('1'), said('old'));
    contexts.set(byHand('2'), said('here'));
    contexts.set(byHand('1'), said('new'));
    assert.deepEqual(contexts.of([]), [
      { ...byHand('2'), context: said('here') },
      { ...byHand('1'), context: said('new') },
    ]);
    contexts.set(byHand('1'), undefined);
    contexts.set(byHand('2'), undefined);
    assert.deepEqual(contexts.of([]), []);
  });

  it('APP-72: is for the conversation in which the app’s call was made', () => {
    const contexts = new AppContexts(new FakeMemory());
    contexts.set({ ...byHand('1'), inChat: true }, said('here'));
    contexts.set(byHand('2'), said('everywhere'));
    const callsOf = (calls: readonly string[]) => contexts.of(calls).map(({ call }) => call);
    assert.deepEqual(callsOf(['1']), ['1', '2']);
    assert.deepEqual(callsOf(['3']), ['2']);
  });

  it('stays left out, whatever the app says later, also in the next window', async () => {
    const memory = new FakeMemory();
    const contexts = new AppContexts(memory);
    contexts.set(byHand('1'), said('once'));
    await contexts.leaveOut('1');
    assert.deepEqual(contexts.of([]), []);
    contexts.set(byHand('1'), said('again'));
    contexts.set(byHand('2'), said('another'));
    assert.deepEqual(
      contexts.of([]).map(({ call }) => call),
      ['2'],
    );
    const later = new AppContexts(memory);
    later.set(byHand('1'), said('again'));
    assert.deepEqual(later.of([]), []);
  });
});
