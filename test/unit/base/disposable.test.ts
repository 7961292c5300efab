import assert from 'node:assert/strict';
import { DisposableStore, MutableDisposable, toDisposable } from '../../../src/base/disposable.ts';

function counted() {
  const item = {
    count: 0,
    dispose: () => {
      item.count++;
    },
  };
  return item;
}

describe('Disposables', () => {
  it('toDisposable runs its function once', () => {
    const item = counted();
    const disposable = toDisposable(item.dispose);
    disposable.dispose();
    disposable.dispose();
    assert.equal(item.count, 1);
  });

  it('a store disposes what it holds, and what comes after the end', () => {
    const store = new DisposableStore();
    const [cleared, held, late] = [counted(), counted(), counted()];
    store.add(cleared);
    store.clear();
    store.add(held);
    store.dispose();
    store.dispose();
    store.add(late);
    assert.deepEqual([cleared.count, held.count, late.count], [1, 1, 1]);
  });

  it('a slot disposes what it replaces, never what it keeps', () => {
    const slot = new MutableDisposable<ReturnType<typeof counted>>();
    const [first, second, late] = [counted(), counted(), counted()];
    slot.value = first;
    slot.value = first;
    assert.equal(first.count, 0);
    slot.value = second;
    assert.equal(first.count, 1);
    assert.equal(slot.value, second);
    slot.dispose();
    slot.dispose();
    slot.value = late;
    assert.deepEqual([second.count, late.count], [1, 1]);
    assert.equal(slot.value, undefined);
  });
});
