/**
 * The resources of one server that its clients watch: each is subscribed once for all clients, and again at a new
 * connection. It does not decide who is told of a change.
 */
import type { Disposable } from '../base/disposable.ts';
import type { ServerResources } from '../host/resources/resources.ts';

interface Watch {
  readonly disposable: Disposable;
  readonly count: number;
}

export class SharedWatches implements Disposable {
  #resources: ServerResources;
  readonly #watches = new Map<string, Watch>();

  constructor(resources: ServerResources) {
    this.#resources = resources;
  }

  get uris(): Iterable<string> {
    return this.#watches.keys();
  }

  /** @throws the server's error when it refuses the subscription */
  async watch(uri: string): Promise<void> {
    const resources = this.#resources;
    const { disposable, count } = this.#watches.get(uri) ?? {
      disposable: resources.watch(uri),
      count: 0,
    };
    this.#watches.set(uri, { disposable, count: count + 1 });
    try {
      await resources.whenWatched();
    } catch (error) {
      this.unwatch(uri);
      throw error;
    }
  }

  unwatch(uri: string): void {
    const watch = this.#watches.get(uri);
    if (watch === undefined) {
      return;
    }
    if (watch.count > 1) {
      this.#watches.set(uri, { ...watch, count: watch.count - 1 });
    } else {
      this.#watches.delete(uri);
      watch.disposable.dispose();
    }
  }

  /** Subscribes to the same resources at another connection. */
  moveTo(resources: ServerResources): void {
    this.#resources = resources;
    for (const [uri, { disposable, count }] of this.#watches) {
      disposable.dispose();
      this.#watches.set(uri, { disposable: resources.watch(uri), count });
    }
  }

  dispose(): void {
    for (const { disposable } of this.#watches.values()) {
      disposable.dispose();
    }
    this.#watches.clear();
  }
}
