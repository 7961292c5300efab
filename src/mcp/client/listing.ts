/**
 * A whole list from its pages. Whatever a server does, it ends: with all there is, or with what was
 * read until it made no sense to go on, and the reason.
 */
import { isString } from '../../base/json.ts';
import { type HeldMemory, heapBytes, type MemoryAccount } from '../../base/memory.ts';
import { truncated } from '../../base/text.ts';
import type { CallOptions, Session } from '../session/session.ts';
import { type RpcError, isRpcError, rpcCodes } from '../errors.ts';
import { type OmittedItem, omitted } from '../types/omittedItems.ts';
import { type ListItems, type ListName, checkItem } from '../listItems.ts';
import { revisions } from '../revisions.ts';

/** However long a server goes on. */
export const listLimits = { pages: 1_000, items: 100_000 } as const;

/** Items that a page of a long list has at least: where more of them are wanted, there may be more pages. */
const leastPage = 100;

export interface ListingOptions<L extends ListName = ListName> extends Pick<
  CallOptions,
  'signal' | 'times' | 'isFresh'
> {
  /** Default: {@link listLimits}, or as many as `maxItems` takes. */
  readonly maxPages?: number;
  /** Default: {@link listLimits}. */
  readonly maxItems?: number | undefined;
  /** Said with these limits: how to change them. Pages are those of `maxItems` where nothing else is said. */
  readonly maxPagesHint?: string;
  readonly maxItemsHint?: string;
  /** Of the server: the list adds to it, and ends where it has no room. */
  readonly memory?: MemoryAccount | undefined;
  /** Told after each page but the last: all items so far, in an array that goes on growing. */
  readonly onPage?: (items: readonly ListItems[L][]) => void;
}

/** An item that was left out, and why. */
export interface DroppedItem {
  /** Its place in the whole list, from 0, dropped items counted; near it where the session took it out. */
  readonly index: number;
  /** Its name or URI, where it has one. */
  readonly name?: string;
  readonly reason: string;
}

export interface Listing<T> {
  readonly items: readonly T[];
  readonly dropped: readonly DroppedItem[];
  /** Why there may be more than `items`; absent when the list is whole. */
  readonly truncated?: string;
  /** Milliseconds for which all of it holds, 0 for no time at all; absent where the server says nothing of it. */
  readonly holdsForMs?: number;
  /** What it takes, until whoever has the list lets go of it; absent where there is no account. */
  readonly held?: HeldMemory | undefined;
}

/**
 * Reads all pages (PAGE-01 to PAGE-03).
 * @throws McpError what the call for the first page was rejected with. When a later page fails with an
 *   error reply, what was read is kept; other failures of a later page are thrown.
 */
export async function listAll<L extends ListName>(
  session: Session,
  list: L,
  options: ListingOptions<L> = {},
): Promise<Listing<ListItems[L]>> {
  const first = new PageReader(session, list, options);
  const end = await first.readAll();
  if (end !== 'cursorRefused') {
    return first.result(end);
  }
  first.letGo();
  // Cursors may expire, and the list may have changed since its first page: once more from the start.
  const second = new PageReader(session, list, options);
  const secondEnd = await second.readAll();
  return second.result(
    secondEnd === 'cursorRefused' ? { truncated: 'the server refused its own cursor' } : secondEnd,
  );
}

/** How a run over the pages ended. */
type End = 'cursorRefused' | { readonly truncated?: string };

interface Page {
  readonly values: readonly unknown[];
  readonly nextCursor?: unknown;
  readonly omitted?: readonly OmittedItem[];
  readonly ttlMs?: unknown;
}

class PageReader<L extends ListName> {
  readonly #session: Session;
  readonly #list: L;
  readonly #options: ListingOptions<L>;
  readonly #maxItems: number;
  readonly #items: ListItems[L][] = [];
  readonly #dropped: DroppedItem[] = [];
  readonly #seenCursors = new Set<string>();
  readonly #hasEmptyCursors: boolean;
  readonly #held: HeldMemory | undefined;
  /** Of the pages and their cursors. */
  #bytes = 0;
  readonly #names = new Set<string>();
  #holdsForMs: number | undefined;

  constructor(session: Session, list: L, options: ListingOptions<L>) {
    this.#session = session;
    this.#list = list;
    this.#options = options;
    this.#held = options.memory?.hold();
    this.#maxItems = options.maxItems ?? listLimits.items;
    this.#hasEmptyCursors = revisions[session.server.revision].emptyCursors;
  }

  result(end: Exclude<End, 'cursorRefused'>): Listing<ListItems[L]> {
    return {
      items: this.#items,
      dropped: this.#dropped,
      truncated: end.truncated,
      ...(this.#holdsForMs !== undefined && { holdsForMs: this.#holdsForMs }),
      ...(this.#held !== undefined && { held: this.#held }),
    };
  }

  letGo(): void {
    this.#held?.set(0);
  }

  async readAll(): Promise<End> {
    try {
      return await this.#readPages();
    } catch (error) {
      this.letGo();
      throw error;
    }
  }

  async #readPages(): Promise<End> {
    const { maxPages, maxPagesHint } = pageLimit(this.#options);
    let cursor: string | undefined;
    for (let page = 1; page <= maxPages; page++) {
      const read = await this.#readPage(cursor, page);
      if (!('values' in read)) {
        return read.end;
      }
      if (!this.#hasRoom(read)) {
        return { truncated: `page ${page} ${this.#options.memory?.refusal}` };
      }
      this.#holdNoLonger(read.ttlMs);
      if (!this.#take(read)) {
        return { truncated: reached(this.#maxItems, 'items', this.#options.maxItemsHint) };
      }
      const next = read.nextCursor;
      if (next === undefined || next === null || (next === '' && !this.#hasEmptyCursors)) {
        return {}; // PAGE-02: null and the empty string are how some servers spell absence.
      }
      if (!isString(next)) {
        return { truncated: `the cursor after page ${page} is not a string` };
      }
      if (this.#seenCursors.has(next)) {
        return { truncated: `page ${page} points back to a page that was read` };
      }
      this.#seenCursors.add(next);
      this.#options.onPage?.(this.#items);
      cursor = next;
    }
    return { truncated: reached(maxPages, 'pages', maxPagesHint) };
  }

  #hasRoom({ values, nextCursor, omitted: out = [] }: Page): boolean {
    if (this.#held === undefined) {
      return true;
    }
    this.#bytes += heapBytes([values, nextCursor, out], this.#names);
    return this.#held.set(this.#bytes);
  }

  async #readPage(cursor: string | undefined, page: number): Promise<Page | { end: End }> {
    try {
      return await fetchPage(this.#session, this.#list, cursor, this.#options);
    } catch (error) {
      if (!isRpcError(error)) {
        throw error;
      }
      return { end: this.#endAt(error, cursor, page) };
    }
  }

  #endAt(error: RpcError, cursor: string | undefined, page: number): End {
    if (cursor === undefined) {
      // Many servers have resources and have never heard of templates.
      if (this.#list === 'resourceTemplates' && error.rpcCode === rpcCodes.methodNotFound) {
        return {};
      }
      throw error;
    }
    return error.rpcCode === rpcCodes.invalidParams
      ? 'cursorRefused'
      : { truncated: `page ${page} failed: ${error.message}` };
  }

  /** The list holds for as long as the page does that holds for the shortest time. */
  #holdNoLonger(ttlMs: unknown): void {
    if (typeof ttlMs === 'number') {
      const holdsForMs = Math.max(0, ttlMs);
      this.#holdsForMs = Math.min(this.#holdsForMs ?? holdsForMs, holdsForMs);
    }
  }

  get #count(): number {
    return this.#items.length + this.#dropped.length;
  }

  get #isFull(): boolean {
    return this.#count >= this.#maxItems;
  }

  #drop({ name, reason }: OmittedItem): void {
    this.#dropped.push({ index: this.#count, name, reason });
  }

  /** False when the limit of items was reached, which counts those that are dropped, too. */
  #take({ values, omitted: out = [] }: Page): boolean {
    for (const item of out) {
      if (this.#isFull) {
        return false;
      }
      this.#drop(item);
    }
    for (const value of values) {
      if (this.#isFull) {
        return false;
      }
      const checked = checkItem(this.#list, value);
      if (checked.kind === 'item') {
        this.#items.push(checked.item);
      } else {
        this.#drop({ name: nameOf(value), reason: checked.reason });
      }
    }
    return true;
  }
}

/** Said as it was set, or so many pages that all items that are wanted have room. */
function pageLimit({
  maxPages,
  maxPagesHint,
  maxItems = 0,
  maxItemsHint,
}: Omit<ListingOptions, 'onPage'>): {
  readonly maxPages: number;
  readonly maxPagesHint: string | undefined;
} {
  return {
    maxPages: maxPages ?? Math.max(listLimits.pages, Math.ceil(maxItems / leastPage)),
    maxPagesHint:
      maxPagesHint ?? (maxItemsHint && `${maxItemsHint} (a page for each ${leastPage} items)`),
  };
}

async function fetchPage(
  session: Session,
  list: ListName,
  cursor: string | undefined,
  options: CallOptions,
): Promise<Page> {
  const params = cursor === undefined ? {} : { cursor };
  const { signal, times, isFresh } = options;
  const call = { signal, times, isFresh };
  switch (list) {
    case 'tools': {
      const {
        tools,
        nextCursor,
        ttlMs,
        [omitted]: out,
      } = await session.call('tools/list', params, call);
      return { values: tools, nextCursor, ttlMs, omitted: out };
    }
    case 'prompts': {
      const { prompts, nextCursor, ttlMs } = await session.call('prompts/list', params, call);
      return { values: prompts, nextCursor, ttlMs };
    }
    case 'resources': {
      const { resources, nextCursor, ttlMs } = await session.call('resources/list', params, call);
      return { values: resources, nextCursor, ttlMs };
    }
    case 'resourceTemplates': {
      const { resourceTemplates, nextCursor, ttlMs } = await session.call(
        'resources/templates/list',
        params,
        call,
      );
      return { values: resourceTemplates, nextCursor, ttlMs };
    }
  }
}

/** What an item that is no item calls itself, for the reason. */
function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  for (const member of ['name', 'uri', 'uriTemplate', 'title']) {
    const text: unknown = Reflect.get(value, member);
    if (isString(text) && text !== '') {
      return truncated(text, 200);
    }
  }
  return undefined;
}

function reached(limit: number, unit: 'items' | 'pages', hint: string | undefined): string {
  return `the limit of ${limit} ${unit}${hint === undefined ? '' : `, ${hint},`} was reached`;
}
