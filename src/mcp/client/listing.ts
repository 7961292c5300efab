/**
 * Reads a whole list page by page. It ends whatever the server does: with the complete list, or with what
 * was read so far and the reason why it stopped.
 */
import { isString } from '../../base/json.ts';
import { type HeldMemory, heapBytes, type MemoryAccount } from '../../base/memory.ts';
import { truncated } from '../../base/text.ts';
import type { CallOptions, Session } from '../session/session.ts';
import { type RpcError, isRpcError, rpcCodes } from '../errors.ts';
import { omitted, type OmittedItem } from '../types/lists.ts';
import type { Method } from '../types/methods.ts';
import { type ListItems, type ListName, checkItem } from '../listItems.ts';
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
  const end = await first.readAll();
  if (end !== 'cursorRefused') {
    return first.result(end);
  }
  first.letGo();
  // Cursors may expire, and the list may have changed since its first page: start again once.
  const second = new PageReader(session, list, options);
  const last = await second.readAll();
  return second.result(
    last === 'cursorRefused' ? { truncated: 'the server refused its own cursor' } : last,
  );
}

/** How reading the pages ended. */
type End = 'cursorRefused' | { readonly truncated?: string };

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
  readonly #seenCursors = new Set<string>();
  readonly #hasEmptyCursors: boolean;
  readonly #held: HeldMemory | undefined;
  /** Size of the pages and their cursors. */
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
    const { maxItems = 0, maxItemsHint } = this.#options;
    const maxPages = Math.max(listLimits.pages, Math.ceil(maxItems / leastPage));
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
        return {}; // PAGE-02: some servers send null or the empty string for no cursor.
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
    const hint = maxItemsHint && `${maxItemsHint} (a page for each ${leastPage} items)`;
    return { truncated: reached(maxPages, 'pages', hint) };
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
      // Many servers have resources but do not implement templates.
      if (this.#list === 'resourceTemplates' && error.rpcCode === rpcCodes.methodNotFound) {
        return {};
      }
      throw error;
    }
    return error.rpcCode === rpcCodes.invalidParams
      ? 'cursorRefused'
      : { truncated: `page ${page} failed: ${error.message}` };
  }

  /** The list is valid for as long as its shortest-lived page. */
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

  /** Returns false when the item limit was reached; dropped items count. */
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

const methods = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  skills: 'skills/list',
} as const satisfies Readonly<Record<ListName, Method>>;

async function fetchPage(
  session: Session,
  list: ListName,
  cursor: string | undefined,
  { signal, times, isFresh }: CallOptions,
): Promise<Page> {
  const params = cursor === undefined ? {} : { cursor };
  const page: PageOf = await session.call(methods[list], params, { signal, times, isFresh });
  const { nextCursor, ttlMs, [omitted]: out } = page;
  return { values: page[list] ?? [], nextCursor, ttlMs, omitted: out };
}

/** The name an invalid item gives itself, for the reason. */
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
