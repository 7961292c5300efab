/**
 * Event streams whose reply has been read. The server should end them now; those it does not end are cut
 * after a while. One timer serves all: the usual stream ends at once and costs no timer.
 */
import type { IncomingMessage } from 'node:http';
import { after } from '../../../base/async.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { Slab } from './slab.ts';

interface Lingering {
  readonly response: IncomingMessage;
  readonly cutAt: number;
}

export class LingeringStreams implements Disposable {
  readonly #lingerMs: number;
  readonly #streams = new Slab<Lingering>();
  #timer: Disposable | undefined;

  constructor(lingerMs: number) {
    this.#lingerMs = lingerMs;
  }

  /** @returns the slot for {@link release}. */
  add(response: IncomingMessage): number {
    this.#timer ??= after(this.#lingerMs, () => this.#sweep());
    return this.#streams.add({ response, cutAt: performance.now() + this.#lingerMs });
  }

  /** Call once per stream, at its end. */
  release(slot: number): void {
    this.#streams.release(slot);
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #sweep(): void {
    this.#timer = undefined;
    const now = performance.now();
    let nextAt = Infinity;
    for (const { response, cutAt } of this.#streams.all()) {
      if (cutAt <= now) {
        response.destroy();
      } else {
        nextAt = Math.min(nextAt, cutAt);
      }
    }
    if (nextAt !== Infinity) {
      this.#timer = after(Math.ceil(nextAt - now), () => this.#sweep());
    }
  }
}
