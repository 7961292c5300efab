import assert from 'node:assert/strict';
import { type Disposable } from '../../../src/base/disposable.ts';
import { Emitter, HoldingEmitter, setUnexpectedErrorHandler } from '../../../src/base/event.ts';

describe('Emitter', () => {
  const reported: unknown[] = [];
  afterEach(() => {
    reported.length = 0;
    setUnexpectedErrorHandler((error) =>
      queueMicrotask(() => {
        throw error;
      }),
    );
  });

  it('calls listeners in order of subscription, each as often as it subscribed', () => {
    const emitter = new Emitter<number>();
    const seen: string[] = [];
    const twice = (value: number): unknown => seen.push(`twice ${value}`);
    const first = emitter.event(twice);
    emitter.event((value) => seen.push(`other ${value}`));
    emitter.event(twice);
    emitter.fire(1);
    first.dispose();
    first.dispose();
    emitter.fire(2);
    assert.deepEqual(seen, ['twice 1', 'other 1', 'twice 1', 'other 2', 'twice 2']);
  });

  it('reports a listener that throws and calls the others', () => {
    setUnexpectedErrorHandler((error) => reported.push(error));
    const emitter = new Emitter<void>();
    const error = new Error('listener');
    let isReached = false;
    emitter.event(() => {
      throw error;
    });
    emitter.event(() => {
      isReached = true;
    });
    emitter.fire();
    assert.equal(isReached, true);
    assert.deepEqual(reported, [error]);
  });

  it('calls nobody who was disposed, also by a listener before', () => {
    const emitter = new Emitter<void>();
    const seen: string[] = [];
    emitter.event(() => second.dispose());
    const second = emitter.event(() => seen.push('second'));
    emitter.event(() => emitter.dispose());
    emitter.event(() => seen.push('fourth'));
    emitter.fire();
    assert.deepEqual(seen, []);
  });

  it('binds `this` and collects subscriptions as vscode.Event does', () => {
    const emitter = new Emitter<number>();
    const disposables: Disposable[] = [];
    const target = { sum: 0 };
    emitter.event(
      function (this: { sum: number }, value) {
        this.sum += value;
      },
      target,
      disposables,
    );
    emitter.fire(3);
    disposables[0]?.dispose();
    emitter.fire(4);
    assert.equal(target.sum, 3);
    assert.equal(emitter.hasListeners, false);
  });
});

describe('HoldingEmitter', () => {
  it('hands the newest of what was held to the first listener, then goes on as usual', () => {
    const emitter = new HoldingEmitter<number>(2);
    const first: number[] = [];
    const second: number[] = [];
    for (const value of [1, 2, 3]) {
      emitter.fire(value);
    }
    emitter.event((value) => first.push(value));
    emitter.event((value) => second.push(value));
    emitter.fire(4);
    assert.deepEqual(first, [2, 3, 4]);
    assert.deepEqual(second, [4]);
  });

  it('holds no more than a few million characters, and nothing that is larger', () => {
    const emitter = new HoldingEmitter<{ readonly data: string }>(100);
    const seen: number[] = [];
    for (const millions of [5, 1, 2, 1.5, 0.5, 5]) {
      emitter.fire({ data: 'x'.repeat(millions * 1_000_000) });
    }
    emitter.event(({ data }) => seen.push(data.length / 1_000_000));
    assert.deepEqual(seen, [2, 1.5, 0.5]);
  });
});
