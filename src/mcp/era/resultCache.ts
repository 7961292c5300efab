/**
 * Keeps answers that a server declared valid for a while (`ttlMs`), for one session and one authorization.
 * Nothing is shared, whatever the `cacheScope` (CACHE-08, CACHE-10).
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
import { type JsonObject, isObject, stableStringify } from '../../base/json.ts';
import { type HeldMemory, heapBytes, type MemoryAccount } from '../../base/memory.ts';
import { listMethods } from '../listItems.ts';

/** Limit for the TTL, whatever the server says (CACHE-13). */
const maxTtlMs = 24 * 60 * 60 * 1_000;

const cacheable: ReadonlySet<string> = new Set([...Object.values(listMethods), 'resources/read']);

interface Entry {
  readonly result: unknown;
  readonly freshUntil: number;
  readonly held: HeldMemory | undefined;
}

/** How long a result is valid according to the server, in milliseconds; undefined for not at all (CACHE-03). */
export function freshMs(result: unknown): number | undefined {
  const ttlMs = isObject(result) ? result['ttlMs'] : undefined;
  return typeof ttlMs === 'number' && ttlMs > 0 ? Math.min(ttlMs, maxTtlMs) : undefined;
}

export class ResultCache {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  readonly #memory: MemoryAccount | undefined;
  /** Counts {@link clear}: an answer is not kept if it was under way then (CACHE-11). */
  #cleared = 0;

  /** @param memory the server's memory account, the only limit: cached answers make room for other data */
  constructor(memory?: MemoryAccount, now: () => number = () => performance.now()) {
    this.#memory = memory;
    this.#now = now;
  }

  /** The answer to the same request with the same parameters (CACHE-02), if it is still valid. */
  get(method: string, params: object): unknown {
    if (this.#entries.size === 0) {
      return undefined;
    }
    const key = keyOf(method, params);
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.freshUntil <= this.#now()) {
      this.#delete(key);
      return undefined;
    }
    return entry?.result;
  }

  /** Call before the request is sent; pass the answer to the returned function. */
  expect(method: string, params: object): (result: unknown) => void {
    const before = this.#cleared;
    return (result) => {
      const ttlMs = freshMs(result);
      if (ttlMs !== undefined && cacheable.has(method) && before === this.#cleared) {
        const key = keyOf(method, params);
        const held = this.#memory?.hold(() => this.#delete(key));
        this.#store(key, { result, freshUntil: this.#now() + ttlMs, held });
      }
    };
  }

  /**
   * Drops everything: the server announced a change (CACHE-11), refused its own cursor (CACHE-12), or identifies us as
   * another user now (CACHE-08).
   */
  clear(): void {
    this.#cleared += 1;
    for (const key of this.#entries.keys()) {
      this.#delete(key);
    }
  }

  #store(key: string, entry: Entry): void {
    this.#delete(key);
    if (entry.held?.set(heapBytes(entry.result)) === false) {
      return;
    }
    this.#entries.set(key, entry);
  }

  #delete(key: string): void {
    this.#entries.get(key)?.held?.set(0);
    this.#entries.delete(key);
  }
}

/** Made of what affects the answer. The trace context of a request (SEP-414) does not. */
function keyOf(method: string, params: object): string {
  const { _meta, ...rest }: JsonObject = { ...params };
  const { traceparent: _parent, tracestate: _state, baggage: _baggage, ...meta } = toObject(_meta);
  const affecting = Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
  return `${method} ${stableStringify(affecting)}`;
}

function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
