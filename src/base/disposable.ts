/**
 * Ownership: whoever creates something disposes it. `dispose` is synchronous, may be called twice and never
 * throws; what takes time has a `close` or `stop` that returns a promise.
 *
 * Lifetimes are nested: the extension, a connection, a run of its server, a call. Each has a signal that is
 * linked to the one around it.
 */
export interface Disposable {
  dispose(): void;
}

/** Turns a function into a Disposable that runs it once. */
export function toDisposable(dispose: () => void): Disposable {
  let isDone = false;
  return {
    dispose: () => {
      if (!isDone) {
        isDone = true;
        dispose();
      }
    },
  };
}

/** Owns many Disposables. A Disposable that is added after the end is disposed at once. */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #isDisposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.#isDisposed) {
      item.dispose();
    } else {
      this.#items.add(item);
    }
    return item;
  }

  /** Disposes its content and stays usable. */
  clear(): void {
    const items = [...this.#items];
    this.#items.clear();
    for (const item of items) {
      item.dispose();
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.clear();
  }
}

/** Ends with all that it keeps in its store. */
export abstract class DisposableOwner implements Disposable {
  protected readonly store = new DisposableStore();

  dispose(): void {
    this.store.dispose();
  }
}

/** A slot for one Disposable that is replaced over time; setting it disposes the previous one. */
export class MutableDisposable<T extends Disposable> implements Disposable {
  #value: T | undefined;
  #isDisposed = false;

  get value(): T | undefined {
    return this.#value;
  }

  set value(value: T | undefined) {
    const previous = this.#value;
    if (this.#isDisposed) {
      value?.dispose();
      return;
    }
    this.#value = value;
    if (previous !== value) {
      previous?.dispose();
    }
  }

  dispose(): void {
    this.value = undefined;
    this.#isDisposed = true;
  }
}
