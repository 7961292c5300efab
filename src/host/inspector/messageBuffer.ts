/** The newest entries of the inspector, bounded by number and by size. Knows nothing of what they say. */
import type { HeldMemory, MemoryAccount } from '../../base/memory.ts';
import { inspectorLimits, type Seen, type SeenExchange } from './seenMessage.ts';

interface BufferLimits {
  readonly entries: number;
  readonly totalChars: number;
}

export class MessageBuffer {
  readonly #limits: BufferLimits;
  /** By their numbers, which rise: oldest first. */
  readonly #entries = new Map<number, Seen>();
  /** Of each entry as it was counted last. */
  readonly #charsOf = new WeakMap<Seen, number>();
  readonly #onGone: (gone: Seen) => void;
  readonly #held: HeldMemory | undefined;
  #chars = 0;

  /**
   * @param onGone is told of each entry that made room
   * @param memory of the server: what is kept makes room in it for other data
   */
  constructor(
    onGone: (gone: Seen) => void = () => undefined,
    memory?: MemoryAccount,
    limits: BufferLimits = inspectorLimits,
  ) {
    this.#onGone = onGone;
    this.#limits = limits;
    this.#held = memory?.hold(() => this.#makeRoom(true));
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Of the oldest entry; of the next one to come when there is none. */
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

  /** More is known of an entry than when it was added. @returns whether it is here still */
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
    this.#held?.set(0);
  }

  #count(entry: Seen): void {
    const chars = charsOf(entry);
    this.#chars += chars - (this.#charsOf.get(entry) ?? 0);
    this.#charsOf.set(entry, chars);
  }

  /** The newest stays, however large. @param isPressed: all others go */
  #makeRoom(isPressed = false): void {
    const { entries, totalChars } = this.#limits;
    for (const oldest of this.#entries.values()) {
      const isTooMuch =
        isPressed ||
        this.#entries.size > entries ||
        this.#chars > totalChars ||
        this.#held?.set(this.#chars * charBytes) === false;
      if (!isTooMuch || this.#entries.size === 1) {
        break;
      }
      this.#entries.delete(oldest.n);
      this.#chars -= this.#charsOf.get(oldest) ?? 0;
      this.#onGone(oldest);
    }
  }
}

/** Of a character, where some are wide. */
const charBytes = 2;

/** What an entry takes up beside its texts counts too, roughly: a flood of small ones is no less a flood. */
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
      // A request of ours is kept as it was sent, too.
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
