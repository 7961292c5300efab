/**
 * Which resources of one server its clients watch, each once for all of them and carried over to another
 * connection. Who is told of a change is not decided here.
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

  /** @throws what the server refuses the subscription with */
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

  /** The same is watched at another connection from now on. */
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
