/** The newest entries of the inspector, limited by number and memory; finds the one that an HTTP request carries. */
import { isObject, isString, parsedJson } from '../../base/json.ts';
import type { HeldMemory, MemoryAccount } from '../../base/memory.ts';
import { shortened, toId } from './maskedText.ts';
import { inspectorLimits, type Seen } from './seenMessage.ts';

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

/** An estimate for an entry in addition to its texts: a flood of small entries counts, too. */
const ownChars = 500;

/** Reads the message only by its length: it may be large, and an entry grows several times. */
function charsOf(entry: Seen): number {
  const { method, subject, id = '', text, params, bytes, problem = '', exchanges } = entry;
  // A request of ours is stored as it was sent, too.
  const sent = params === undefined ? 0 : bytes;
  const facts = method.length + subject.length + String(id).length + problem.length;
  return ownChars + facts + text.length + sent + JSON.stringify(exchanges).length;
}

/** The newest entry for the message in the body of an HTTP request. */
export function carriedMessage(
  body: string | undefined,
  entries: readonly Seen[],
): Seen | undefined {
  const value = parsedJson(body ?? '');
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(first)) {
    return undefined;
  }
  const method = isString(first['method']) ? shortened(first['method']) : undefined;
  const id = toId(first['id']);
  return entries.findLast(
    (seen) =>
      seen.direction === 'sent' &&
      seen.id === id &&
      (seen.kind === 'response' ? undefined : seen.method) === method,
  );
}
