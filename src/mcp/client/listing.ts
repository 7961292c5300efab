/**
 * Reads a whole list page by page. It ends whatever the server does: with the complete list, or with what
 * was read so far and the reason why it stopped.
 */
import { t } from '../../base/l10n.ts';
import { toError } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { type HeldMemory, heapBytes, type MemoryAccount } from '../../base/memory.ts';
import { truncated } from '../../base/text.ts';
import type { CallOptions, Session } from '../session/session.ts';
import { isRpcError, rpcCodes } from '../errors.ts';
import { omitted, type OmittedItem } from '../types/lists.ts';
import { type ListItems, type ListName, checkItem, listMethods } from '../listItems.ts';
import { revisions } from '../revisions.ts';

/** Default limits, for a server that never ends its list. */
export const listLimits = { pages: 1_000, items: 100_000 } as const;

/** The least items we assume in a page of a long list: a large `maxItems` raises the page limit accordingly. */
const leastPage = 100;

export interface ListingOptions<L extends ListName = ListName> extends Pick<
  CallOptions,
  'signal' | 'times' | 'isFresh'
> {
  /** Default: {@link listLimits}. */
  readonly maxItems?: number | undefined;
  /** Part of the message about the limit: how to change it. */
  readonly maxItemsHint?: string;
  /** The server's memory account: the list counts towards it, and stops when it is full. */
  readonly memory?: MemoryAccount | undefined;
  /** Called after each page but the last, with all items so far. The array keeps growing. */
  readonly onPage?: (items: readonly ListItems[L][]) => void;
}

/** An item that was left out, and why. */
export interface DroppedItem {
  /** Index in the whole list, from 0, counting dropped items. Approximate where the session dropped the item. */
  readonly index: number;
  /** The item's name or URI, if any. */
  readonly name?: string;
  readonly reason: string;
}

export interface Listing<T> {
  readonly items: readonly T[];
  readonly dropped: readonly DroppedItem[];
  /** Why there may be more than `items`; absent when the list is whole. */
  readonly truncated?: string;
  /** How long the whole list is valid, in milliseconds; 0: not at all. Absent when the server does not say. */
  readonly holdsForMs?: number;
  /** The memory that the list takes, to be released by whoever holds the list. Absent without a memory account. */
  readonly held?: HeldMemory | undefined;
}

/**
 * Reads all pages (PAGE-01 to PAGE-03).
 * @throws McpError if the request for the first page fails. If a later page fails with a JSON-RPC error,
 *   the items so far are kept; other failures of a later page are thrown.
 */
export async function listAll<L extends ListName>(
  session: Session,
  list: L,
  options: ListingOptions<L> = {},
): Promise<Listing<ListItems[L]>> {
  const first = new PageReader(session, list, options);
  const listing = await first.read();
  if (!first.isCursorRefused) {
    return listing;
  }
  listing.held?.set(0);
  // Cursors may expire, and the list may have changed since its first page: start again once.
  return new PageReader(session, list, options).read();
}

interface Page {
  readonly values: readonly unknown[];
  readonly nextCursor?: unknown;
  readonly omitted?: readonly OmittedItem[];
  readonly ttlMs?: unknown;
}

/** A result with the list that was asked for. */
type PageOf = Omit<Page, 'values' | 'omitted'> & {
  readonly [L in ListName]?: readonly unknown[];
} & { readonly [omitted]?: readonly OmittedItem[] };

class PageReader<L extends ListName> {
  readonly #session: Session;
  readonly #list: L;
  readonly #options: ListingOptions<L>;
  readonly #maxItems: number;
  readonly #items: ListItems[L][] = [];
  readonly #dropped: DroppedItem[] = [];
  readonly #held: HeldMemory | undefined;
  /** Size of the pages and their cursors. */
  #bytes = 0;
  readonly #names = new Set<string>();
  #holdsForMs: number | undefined;
  isCursorRefused = false;

  constructor(session: Session, list: L, options: ListingOptions<L>) {
    this.#session = session;
    this.#list = list;
    this.#options = options;
    this.#held = options.memory?.hold();
    this.#maxItems = options.maxItems ?? listLimits.items;
  }

  async read(): Promise<Listing<ListItems[L]>> {
    try {
      const truncatedBy = await this.#readPages();
      return {
        items: this.#items,
        dropped: this.#dropped,
        truncated: truncatedBy,
        ...(this.#holdsForMs !== undefined && { holdsForMs: this.#holdsForMs }),
        ...(this.#held !== undefined && { held: this.#held }),
      };
    } catch (error) {
      this.#held?.set(0);
      throw error;
    }
  }

  /** Returns why there may be more. */
  async #readPages(): Promise<string | undefined> {
    const { maxItems = 0, maxItemsHint, memory, onPage } = this.#options;
    const { emptyCursors } = revisions[this.#session.server.revision];
    const maxPages = Math.max(listLimits.pages, Math.ceil(maxItems / leastPage));
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let number = 1; number <= maxPages; number++) {
      let page: Page;
      try {
        page = await this.#fetch(cursor);
      } catch (error) {
        return this.#endAt(error, cursor, number);
      }
      if (!this.#hasRoom(page)) {
        return `page ${number} ${memory?.refusal}`;
      }
      this.#holdNoLonger(page.ttlMs);
      if (!this.#take(page)) {
        return reached(this.#maxItems, t('items'), maxItemsHint);
      }
      const next = page.nextCursor ?? undefined;
      if (next === undefined || (next === '' && !emptyCursors)) {
        return undefined; // PAGE-02: some servers send null or the empty string for no cursor.
      }
      if (!isString(next)) {
        return t('the cursor after page {0} is not a string', number);
      }
      if (seen.has(next)) {
        return t('page {0} points back to a page that was read', number);
      }
      seen.add(next);
      onPage?.(this.#items);
      cursor = next;
    }
    const hint = maxItemsHint && t('{0} (a page for each {1} items)', maxItemsHint, leastPage);
    return reached(maxPages, t('pages'), hint);
  }

  async #fetch(cursor: string | undefined): Promise<Page> {
    const { signal, times, isFresh } = this.#options;
    const params = cursor === undefined ? {} : { cursor };
    const page: PageOf = await this.#session.call(listMethods[this.#list], params, {
      signal,
      times,
      isFresh,
    });
    const { nextCursor, ttlMs, [omitted]: out } = page;
    return { values: page[this.#list] ?? [], nextCursor, ttlMs, omitted: out };
  }

  #endAt(error: unknown, cursor: string | undefined, number: number): string | undefined {
    // Many servers have resources but do not implement templates.
    const hasNone = this.#list === 'resourceTemplates' && cursor === undefined;
    if (hasNone && isRpcError(error) && error.rpcCode === rpcCodes.methodNotFound) {
      return undefined;
    }
    if (!isRpcError(error) || cursor === undefined) {
      throw toError(error);
    }
    this.isCursorRefused = error.rpcCode === rpcCodes.invalidParams;
    return this.isCursorRefused
      ? t('the server refused its own cursor')
      : t('page {0} failed: {1}', number, error.message);
  }

  #hasRoom({ values, nextCursor, omitted: out = [] }: Page): boolean {
    if (this.#held === undefined) {
      return true;
    }
    this.#bytes += heapBytes([values, nextCursor, out], this.#names);
    return this.#held.set(this.#bytes);
  }

  /** The list is valid for as long as its shortest-lived page. */
  #holdNoLonger(ttlMs: unknown): void {
    if (typeof ttlMs === 'number') {
      this.#holdsForMs = Math.min(this.#holdsForMs ?? Infinity, Math.max(0, ttlMs));
    }
  }

  /** Returns false when the item limit was reached; dropped items count. */
  #take({ values, omitted: out = [] }: Page): boolean {
    const room = this.#maxItems - this.#items.length - this.#dropped.length;
    for (const { name, reason } of out.slice(0, room)) {
      this.#drop(name, reason);
    }
    for (const value of values.slice(0, Math.max(0, room - out.length))) {
      const checked = checkItem(this.#list, value);
      if (checked.kind === 'item') {
        this.#items.push(checked.item);
      } else {
        this.#drop(nameOf(value), checked.reason);
      }
    }
    return out.length + values.length <= room;
  }

  #drop(name: string | undefined, reason: string): void {
    this.#dropped.push({ index: this.#items.length + this.#dropped.length, name, reason });
  }
}

/** The name an invalid item gives itself, for the reason. */
function nameOf(value: unknown): string | undefined {
  const item = isObject(value) ? value : {};
  const name = [item['name'], item['uri'], item['uriTemplate'], item['title']].find(
    (text) => isString(text) && text !== '',
  );
  return isString(name) ? truncated(name, 200) : undefined;
}

function reached(limit: number, unit: string, hint: string | undefined): string {
  return hint === undefined
    ? t('the limit of {0} {1} was reached', limit, unit)
    : t('the limit of {0} {1}, {2}, was reached', limit, unit, hint);
}
