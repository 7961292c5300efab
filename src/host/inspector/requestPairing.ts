/** Finds the request of a response, and the message that an HTTP request carries, among the stored entries. */
import { type Id, shortened, toId } from './maskedText.ts';
import type { Direction, Seen, SeenMessage } from './seenMessage.ts';
import { isObject, isString } from '../../base/json.ts';
import type { MessageBuffer } from './messageBuffer.ts';

export interface OpenRequest {
  readonly entry: SeenMessage;
  /** From a monotonic clock. */
  readonly since: number;
}

export class OpenRequests {
  readonly #byDirection: Readonly<Record<Direction, Map<Id, OpenRequest>>> = {
    sent: new Map(),
    received: new Map(),
    fromApp: new Map(),
    toApp: new Map(),
  };

  get entries(): readonly SeenMessage[] {
    return Object.values(this.#byDirection).flatMap((open) =>
      [...open.values()].map(({ entry }) => entry),
    );
  }

  /** An entry without an id is no request. */
  add(entry: SeenMessage): void {
    if (entry.id !== undefined) {
      const key = keyOf(entry.id, entry.view);
      this.#byDirection[entry.direction].set(key, { entry, since: performance.now() });
    }
  }

  /** @param direction of the request */
  find(direction: Direction, id: Id | undefined, view?: string): OpenRequest | undefined {
    return id === undefined ? undefined : this.#byDirection[direction].get(keyOf(id, view));
  }

  /** The entry no longer waits: it has its response, or is no longer stored. */
  remove(entry: Seen): void {
    if (
      entry.kind === 'message' &&
      this.find(entry.direction, entry.id, entry.view)?.entry === entry
    ) {
      this.#byDirection[entry.direction].delete(keyOf(entry.id ?? '', entry.view));
    }
  }

  clear(): void {
    for (const open of Object.values(this.#byDirection)) {
      open.clear();
    }
  }
}

/** Views count their requests alike. */
function keyOf(id: Id, view: string | undefined): Id {
  return view === undefined ? id : JSON.stringify([view, id]);
}

/** The number of messages that are searched. */
const carriedAmong = 200;

/**
 * @param body of the HTTP request
 * @param last the number of the newest entry
 */
export function carriedMessage(
  body: string,
  buffer: MessageBuffer,
  last: number,
): SeenMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(first)) {
    return undefined;
  }
  const method = isString(first['method']) ? shortened(first['method']) : undefined;
  const id = toId(first['id']);
  for (let n = last; n > last - carriedAmong; n -= 1) {
    const seen = buffer.get(n);
    if (seen?.kind === 'message' && seen.direction === 'sent' && seen.id === id) {
      const isIt =
        method === undefined
          ? seen.type === 'response'
          : seen.method === method && seen.type !== 'response';
      if (isIt) {
        return seen;
      }
    }
  }
  return undefined;
}
