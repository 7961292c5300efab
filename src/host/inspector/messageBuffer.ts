/** The newest entries of the inspector, limited by number and memory. Does not know their content. */
import type { HeldMemory, MemoryAccount } from '../../base/memory.ts';
import { inspectorLimits, type Seen, type SeenExchange } from './seenMessage.ts';

export class MessageBuffer {
  /** By number, in ascending order: oldest first. */
  readonly #entries = new Map<number, Seen>();
  /** The size of each entry as last counted. */
  readonly #charsOf = new WeakMap<Seen, number>();
  readonly #onGone: (gone: Seen) => void;
  readonly #held: HeldMemory;
  #chars = 0;

  /**
   * @param memory of the server: entries are dropped when other data needs room
   * @param onGone called with each dropped entry
   */
  constructor(memory: MemoryAccount, onGone: (gone: Seen) => void) {
    this.#onGone = onGone;
    this.#held = memory.hold(() => this.#makeRoom(true));
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The number of the oldest entry; that of the next one when there is none. */
  firstOr(next: number): number {
    const [first = next] = this.#entries.keys();
    return first;
  }

  get(n: number): Seen | undefined {
    return this.#entries.get(n);
  }

  all(): readonly Seen[] {
    return [...this.#entries.values()];
  }

  add(entry: Seen): void {
    this.#entries.set(entry.n, entry);
    this.#count(entry);
    this.#makeRoom();
  }

  /** An entry has got more facts. @returns whether it is still here */
  grown(entry: Seen): boolean {
    if (this.#entries.get(entry.n) === entry) {
      this.#count(entry);
      this.#makeRoom();
    }
    return this.#entries.get(entry.n) === entry;
  }

  clear(): void {
    this.#entries.clear();
    this.#chars = 0;
    this.#held.set(0);
  }

  #count(entry: Seen): void {
    const chars = charsOf(entry);
    this.#chars += chars - (this.#charsOf.get(entry) ?? 0);
    this.#charsOf.set(entry, chars);
  }

  /** The newest stays, however large. @param isPressed: all others are dropped */
  #makeRoom(isPressed = false): void {
    for (const oldest of this.#entries.values()) {
      const isTooMuch =
        isPressed ||
        this.#entries.size > inspectorLimits.entries ||
        !this.#held.set(this.#chars * charBytes);
      if (!isTooMuch || this.#entries.size === 1) {
        break;
      }
      this.#entries.delete(oldest.n);
      this.#chars -= this.#charsOf.get(oldest) ?? 0;
      this.#onGone(oldest);
    }
  }
}

/** Bytes of a UTF-16 unit, in texts that need two. */
const charBytes = 2;

/** An estimate for an entry without its texts: a flood of small entries counts, too. */
const ownChars = 500;

function charsOf(entry: Seen): number {
  switch (entry.kind) {
    case 'event':
      return ownChars + entry.text.length;
    case 'stream':
      return ownChars + charsOfExchange(entry.exchange);
    case 'message': {
      const { text, method, id = '', problem = '', params, bytes, exchanges } = entry;
      const facts = method.length + String(id).length + problem.length;
      // Our own requests are also stored as they were sent.
      const sent = params === undefined ? 0 : bytes;
      return ownChars + text.length + facts + sent + sum(exchanges.map(charsOfExchange));
    }
  }
}

function charsOfExchange({ url, sent, received = [], error = '' }: SeenExchange): number {
  const headers = [...sent, ...received].map(([name, value]) => name.length + value.length);
  return url.length + error.length + sum(headers);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
