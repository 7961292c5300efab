/**
 * Events in the shape of `vscode.Event`, so that editor adapters pass them on unchanged.
 *
 * Delivery is synchronous and in order of subscription. A listener that throws is reported to
 * {@link onUnexpectedError} and keeps no other listener from being called.
 */
import type { Disposable } from './disposable.ts';

export type Event<T> = (
  listener: (event: T) => unknown,
  thisArg?: unknown,
  disposables?: Disposable[],
) => Disposable;

let report: (error: unknown) => void = (error) => {
  queueMicrotask(() => {
    throw error;
  });
};

/** Says where errors go that no caller can receive. The default throws them in a microtask. */
export function setUnexpectedErrorHandler(handler: (error: unknown) => void): void {
  report = handler;
}

/** Reports an error that no caller can receive, such as one thrown by an event listener. */
export function onUnexpectedError(error: unknown): void {
  report(error);
}

export class Emitter<T> implements Disposable {
  #listeners: readonly ((event: T) => unknown)[] = [];
  #isDisposed = false;

  readonly event: Event<T> = (listener, thisArg, disposables) => {
    const bound = thisArg === undefined ? listener : listener.bind(thisArg);
    // One wrapper a subscription, so that the same function subscribed twice is removed once a time.
    const entry = (event: T): unknown => bound(event);
    if (!this.#isDisposed) {
      this.#listeners = [...this.#listeners, entry];
    }
    const subscription: Disposable = {
      dispose: () => {
        this.#listeners = this.#listeners.filter((other) => other !== entry);
      },
    };
    disposables?.push(subscription);
    return subscription;
  };

  get hasListeners(): boolean {
    return this.#listeners.length > 0;
  }

  fire(event: T): void {
    const listeners = this.#listeners;
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        report(error);
      }
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#listeners = [];
  }
}
