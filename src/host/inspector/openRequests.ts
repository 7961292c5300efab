/** The requests of both sides without a response, while their entries are stored. */
import type { Id } from './messageFacts.ts';
import type { Direction, Seen, SeenMessage } from './seenMessage.ts';

export interface OpenRequest {
  readonly entry: SeenMessage;
  /** From a monotonic clock. */
  readonly since: number;
}

export class OpenRequests {
  readonly #byDirection: Readonly<Record<Direction, Map<Id, OpenRequest>>> = {
    sent: new Map(),
    received: new Map(),
  };

  get entries(): readonly SeenMessage[] {
    const { sent, received } = this.#byDirection;
    return [...sent.values(), ...received.values()].map(({ entry }) => entry);
  }

  /** An entry without an id is no request. */
  add(entry: SeenMessage): void {
    if (entry.id !== undefined) {
      this.#byDirection[entry.direction].set(entry.id, { entry, since: performance.now() });
    }
  }

  /** @param direction of the request */
  find(direction: Direction, id: Id | undefined): OpenRequest | undefined {
    return id === undefined ? undefined : this.#byDirection[direction].get(id);
  }

  /** The entry no longer waits: it has its response, or is no longer stored. */
  remove(entry: Seen): void {
    if (entry.kind === 'message' && this.find(entry.direction, entry.id)?.entry === entry) {
      this.#byDirection[entry.direction].delete(entry.id ?? '');
    }
  }

  clear(): void {
    this.#byDirection.sent.clear();
    this.#byDirection.received.clear();
  }
}
