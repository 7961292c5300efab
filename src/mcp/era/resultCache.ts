/**
 * Keeps answers that a server declared valid for a while (`ttlMs`), for one session and one authorization.
 * Nothing is shared, whatever the `cacheScope` (CACHE-08, CACHE-10).
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
import { type JsonObject, isObject, stableStringify } from '../../base/json.ts';
import { type HeldMemory, heapBytes, type MemoryAccount } from '../../base/memory.ts';
import type { ServerChange } from '../session/session.ts';

/** Limit for the TTL, whatever the server says (CACHE-13). */
const maxTtlMs = 24 * 60 * 60 * 1_000;
/** Limit of entries; the oldest is dropped first. */
const maxEntries = 200;

type Group = 'tools' | 'prompts' | 'resources' | 'resource';

const groups: ReadonlyMap<string, Group> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resources'],
  ['resources/read', 'resource'],
]);

interface Entry {
  readonly group: Group;
  /** The URI of a read. */
  readonly uri: unknown;
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
  /** Counts announcements of changes: an answer is not kept if one came while it was under way (CACHE-11). */
  #announcements = 0;

  /** @param memory the server's memory account: cached answers make room for other data */
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
    const group = groups.get(method);
    if (group === undefined) {
      return keepNothing;
    }
    const before = this.#announcements;
    return (result) => {
      const ttlMs = freshMs(result);
      if (ttlMs !== undefined && before === this.#announcements) {
        const freshUntil = this.#now() + ttlMs;
        const { uri }: JsonObject = { ...params };
        const key = keyOf(method, params);
        const held = this.#memory?.hold(() => this.#delete(key));
        this.#store(key, { group, uri, result, freshUntil, held });
      }
    };
  }

  /** Drops what a change affects: the server announced it (CACHE-11), or refused its own cursor (CACHE-12). */
  forget(change: ServerChange): void {
    this.#announcements += 1;
    for (const [key, { group, uri }] of this.#entries) {
      const isConcerned =
        change.kind === 'resource'
          ? group === 'resource' && typeof uri === 'string' && change.uri.startsWith(uri)
          : group === change.kind;
      if (isConcerned) {
        this.#delete(key);
      }
    }
  }

  /** Drops everything: the server identifies us as another user now, so its answers may differ (CACHE-08). */
  forgetAll(): void {
    this.#announcements += 1;
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
    for (const [oldest] of this.#entries) {
      if (this.#entries.size <= maxEntries) {
        break;
      }
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    this.#entries.get(key)?.held?.set(0);
    this.#entries.delete(key);
  }
}

function keepNothing(): void {}

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
