/** The newest entries of the inspector, bounded by number and by size. Knows nothing of what they say. */
import { inspectorLimits, type Seen } from './seenMessage.ts';

interface BufferLimits {
  readonly entries: number;
  readonly totalChars: number;
}

export class MessageBuffer {
  readonly #limits: BufferLimits;
  /** By their numbers, which rise: oldest first. */
  readonly #entries = new Map<number, Seen>();
  /** Of each entry as it was added: later more may be known of it. */
  readonly #charsOf = new WeakMap<Seen, number>();
  readonly #onGone: (gone: Seen) => void;
  #chars = 0;

  /** @param onGone is told of each entry that made room */
  constructor(
    onGone: (gone: Seen) => void = () => undefined,
    limits: BufferLimits = inspectorLimits,
  ) {
    this.#onGone = onGone;
    this.#limits = limits;
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
    const chars = charsOf(entry);
    this.#charsOf.set(entry, chars);
    this.#chars += chars;
    const { entries, totalChars } = this.#limits;
    for (const oldest of this.#entries.values()) {
      const isTooMuch = this.#entries.size > entries || this.#chars > totalChars;
      if (!isTooMuch || oldest === entry) {
        break;
      }
      this.#entries.delete(oldest.n);
      this.#chars -= this.#charsOf.get(oldest) ?? 0;
      this.#onGone(oldest);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#chars = 0;
  }
}

/** What an entry takes up beside its text counts too, roughly: a flood of small ones is no less a flood. */
const ownChars = 500;

/** A request of ours is kept as it was sent, too. */
function charsOf(entry: Seen): number {
  if (entry.kind !== 'message') {
    return ownChars;
  }
  const { text, method, id = '', problem = '', params, bytes } = entry;
  const facts = method.length + String(id).length + problem.length;
  return ownChars + text.length + facts + (params === undefined ? 0 : bytes);
}
