/**
 * Events in the shape of `vscode.Event`, so that editor adapters pass them on unchanged.
 *
 * Delivery is synchronous and in order of subscription. An error in a listener goes to
 * {@link onUnexpectedError}; the other listeners are still called.
 */
import type { Disposable } from './disposable.ts';
import { jsonChars } from './memory.ts';

export type Event<T> = (
  listener: (event: T) => unknown,
  thisArg?: unknown,
  disposables?: Disposable[],
) => Disposable;

/** An event that never fires. */
export const noEvent: Event<never> = () => ({ dispose: () => undefined });

let report: (error: unknown) => void = (error) => {
  queueMicrotask(() => {
    throw error;
  });
};

/** Sets the handler for errors that no caller can receive. The default throws them in a microtask. */
export function setUnexpectedErrorHandler(handler: (error: unknown) => void): void {
  report = handler;
}

/** Reports an error that no caller can receive, such as one thrown by an event listener. */
export function onUnexpectedError(error: unknown): void {
  report(error);
}

interface Subscription<T> {
  readonly listener: (event: T) => unknown;
  isActive: boolean;
}

export class Emitter<T> implements Disposable {
  #subscriptions: readonly Subscription<T>[] = [];
  #isDisposed = false;

  readonly event: Event<T> = (listener, thisArg, disposables) => {
    // One record per subscription, so that a function subscribed twice is removed one at a time.
    const added: Subscription<T> = {
      listener: thisArg === undefined ? listener : listener.bind(thisArg),
      isActive: !this.#isDisposed,
    };
    if (added.isActive) {
      this.#subscriptions = [...this.#subscriptions, added];
    }
    const subscription: Disposable = {
      dispose: () => {
        added.isActive = false;
        this.#subscriptions = this.#subscriptions.filter((other) => other !== added);
      },
    };
    disposables?.push(subscription);
    return subscription;
  };

  get hasListeners(): boolean {
    return this.#subscriptions.length > 0;
  }

  /** Calls the listeners that were subscribed at the start, except those disposed by a listener meanwhile. */
  fire(event: T): void {
    for (const subscription of this.#subscriptions) {
      if (!subscription.isActive) {
        continue;
      }
      try {
        subscription.listener(event);
      } catch (error) {
        report(error);
      }
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const subscription of this.#subscriptions) {
      subscription.isActive = false;
    }
    this.#subscriptions = [];
  }
}

/** Limit of characters held for a first listener; a larger event is not held. */
const maxHeldChars = 4 * 1024 * 1024;

/**
 * An Emitter that holds events fired before anyone listens, at most `limit`, dropping the oldest first. The
 * first listener gets them in order, synchronously, when it subscribes. For sources that fire before their
 * owner has reached its listeners.
 */
export class HoldingEmitter<T> {
  readonly #emitter = new Emitter<T>();
  readonly #limit: number;
  #held: { readonly event: T; readonly chars: number }[] = [];
  #chars = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  readonly event: Event<T> = (listener, thisArg, disposables) => {
    const subscription = this.#emitter.event(listener, thisArg, disposables);
    const held = this.#held;
    this.#held = [];
    this.#chars = 0;
    for (const { event } of held) {
      this.#emitter.fire(event);
    }
    return subscription;
  };

  fire(event: T): void {
    if (this.#emitter.hasListeners) {
      this.#emitter.fire(event);
      return;
    }
    const chars = jsonChars(event, maxHeldChars);
    if (chars > maxHeldChars) {
      return;
    }
    this.#held.push({ event, chars });
    this.#chars += chars;
    while (this.#held.length > this.#limit || this.#chars > maxHeldChars) {
      this.#chars -= this.#held.shift()?.chars ?? 0;
    }
  }
}
