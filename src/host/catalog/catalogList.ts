/**
 * One list of one server: fetched when a session begins and again when the server announces a change, and compared
 * before listeners are told. The catalog owns four of them.
 */
import { t } from '../../base/l10n.ts';
import { CoalescedRun, delay, Sequencer } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { HeldMemory, MemoryAccount } from '../../base/memory.ts';
import { isCancelled, isMcpError, McpError } from '../../mcp/errors.ts';
import type { Session } from '../../mcp/session/session.ts';
import type { ListItems, ListName } from '../../mcp/listItems.ts';
import type { DroppedItem, listAll, ListingOptions } from '../../mcp/client/listing.ts';

export type ListState<T> =
  /** The server does not offer the list, or was not connected yet. */
  | { readonly kind: 'none' }
  /** The first fetch is running. `items` are those of the pages so far. */
  | { readonly kind: 'loading'; readonly items: readonly T[] }
  | {
      readonly kind: 'ready';
      readonly items: readonly T[];
      /** Malformed items that were left out, each with its reason. */
      readonly dropped: readonly DroppedItem[];
      /** Why there may be more than `items`; absent when the list is whole. */
      readonly truncated?: string;
      /** Why a later fetch failed; the items are then those of the last one that worked. */
      readonly staleBecause?: McpError;
    }
  | { readonly kind: 'failed'; readonly error: McpError };

/** A burst of announcements leads to one fetch: after this much quiet, at the latest after the maximum. */
export const refetchTimes = { quietMs: 150, maxMs: 2_000 } as const;

/** Milliseconds between two progress events of a fetch. The first page is reported at once. */
const progressMs = 750;

/** Items that are compared without a pause: a few milliseconds of work. */
const comparedAtOnce = 2_000;

/** Of one server: all of them are told to models (SKL-08). */
export const maxSkills = 2_000;

/** What the lists of one server have in common. */
export interface ListParts {
  readonly listAll: typeof listAll;
  /** Absent: the default. */
  readonly maxItems?: number | undefined;
  readonly memory?: MemoryAccount | undefined;
  readonly withoutSecrets?: (error: unknown) => unknown;
}

export class CatalogList<L extends ListName> implements Disposable {
  readonly name: L;
  readonly #listAll: typeof listAll;
  readonly #withoutSecrets: (error: unknown) => unknown;
  readonly #limits: Omit<ListingOptions, 'signal' | 'times' | 'isFresh' | 'onPage'>;
  readonly #changed = new Emitter<void>();
  readonly #refetch: CoalescedRun;
  readonly onDidChange = this.#changed.event;
  #state: ListState<ListItems[L]> = { kind: 'none' };
  /** The session of the next fetch; after it is replaced, results of an older one are dropped. */
  #source: Source | undefined;
  /** The end of the time to live that the server gave (CACHE-03). */
  #staleAt = Infinity;
  /** The memory of the items. */
  #held: HeldMemory | undefined;

  constructor(name: L, { listAll: list, maxItems, memory, withoutSecrets }: ListParts) {
    this.name = name;
    this.#listAll = list;
    this.#withoutSecrets = withoutSecrets ?? ((error) => error);
    this.#limits =
      name === 'skills'
        ? { memory, maxItems: maxSkills }
        : {
            memory,
            maxItems,
            maxItemsHint: t('which `{0}` of its entry can raise', 'limits.listItems'),
          };
    this.#refetch = new CoalescedRun(() => this.#fetch(true), refetchTimes);
  }

  get state(): ListState<ListItems[L]> {
    return this.#state;
  }

  /**
   * Fetches from `session` from now on, the first time at once. Items of an earlier session stay until that is done.
   * Resolves when it is done or has failed.
   */
  async attach(session: Session, signal: AbortSignal): Promise<void> {
    this.#source = { session, signal, fetches: new Sequencer() };
    if (this.#state.kind !== 'ready' && this.#state.kind !== 'loading') {
      this.#set({ kind: 'loading', items: [] });
    }
    await this.#fetch(false);
  }

  /** The session is over. The items stay if another one will follow. */
  detach(willReturn: boolean): void {
    this.#source = undefined;
    if (this.#state.kind !== 'none' && (!willReturn || this.#state.kind === 'loading')) {
      this.#hold(undefined);
      this.#set({ kind: 'none' });
    }
  }

  /** Fetches the list again: it has changed, or a caller wants to be sure. */
  refresh(): void {
    if (this.#source !== undefined) {
      this.#refetch.request();
    }
  }

  /**
   * Call before using the list: fetches it again when its time to live is over and the server announces no changes
   * (CACHE-04), or when the first fetch has failed. No timer does that (CACHE-05).
   */
  renew(): void {
    if (this.#state.kind === 'failed' || performance.now() >= this.#staleAt) {
      this.refresh();
    }
  }

  /** Resolves when all announced changes are fetched. Never rejects. */
  async whenSettled(): Promise<void> {
    await this.#refetch.whenIdle();
  }

  dispose(): void {
    this.#source = undefined;
    this.#hold(undefined);
    this.#refetch.dispose();
    this.#changed.dispose();
  }

  async #fetch(isFresh: boolean): Promise<void> {
    const source = this.#source;
    await source?.fetches.run(() => this.#take(source, isFresh));
  }

  async #take(source: Source, isFresh: boolean): Promise<void> {
    const { state: next, held } = await this.#read(source, isFresh);
    if (next === undefined || this.#source !== source) {
      held?.set(0);
      return;
    }
    const isSame = await isSameState(this.#state, next);
    if (this.#source !== source || isSame) {
      held?.set(0);
      return;
    }
    if (held !== undefined) {
      this.#hold(held);
    }
    this.#set(next);
  }

  #hold(held: HeldMemory | undefined): void {
    this.#held?.set(0);
    this.#held = held;
  }

  /** Shows the first pages of a list that has no items yet; a list that is fetched again stays as it is. */
  #onPage(source: Source): (items: readonly ListItems[L][]) => void {
    let toldAt = -Infinity;
    return (items) => {
      const now = performance.now();
      if (
        this.#source === source &&
        this.#state.kind === 'loading' &&
        items.length > 0 &&
        now - toldAt >= progressMs
      ) {
        toldAt = now;
        this.#set({ kind: 'loading', items: [...items] });
      }
    };
  }

  /** Without a state when the fetch was cancelled: the canceller sets the next one. */
  async #read(
    source: Source,
    isFresh: boolean,
  ): Promise<{
    readonly state?: ListState<ListItems[L]>;
    readonly held?: HeldMemory | undefined;
  }> {
    try {
      const { signal, session } = source;
      const onPage = this.#onPage(source);
      const options = { ...this.#limits, signal, isFresh, onPage };
      const { holdsForMs, held, ...listing } = await this.#listAll(session, this.name, options);
      // Also where changes are announced: a server may grant no subscription to them.
      this.#staleAt = performance.now() + (holdsForMs ?? Infinity);
      return { state: { kind: 'ready', ...listing }, held };
    } catch (reason) {
      const error = this.#withoutSecrets(reason);
      if (isCancelled(error)) {
        return {};
      }
      const problem = isMcpError(error)
        ? error
        : new McpError('protocol', t('The list "{0}" could not be read', this.name), {
            cause: error,
          });
      const state = this.#state;
      return {
        state:
          state.kind === 'ready'
            ? { ...state, staleBecause: problem }
            : { kind: 'failed', error: problem },
      };
    }
  }

  #set(next: ListState<ListItems[L]>): void {
    this.#state = next;
    this.#changed.fire();
  }
}

interface Source {
  readonly session: Session;
  readonly signal: AbortSignal;
  /** One at a time: a change during the first fetch is followed by one more. */
  readonly fetches: Sequencer;
}

/** Item by item with pauses: 100,000 of them at once would block the extension host. */
async function isSameState(before: ListState<unknown>, next: ListState<unknown>): Promise<boolean> {
  if (JSON.stringify(headOf(before)) !== JSON.stringify(headOf(next))) {
    return false;
  }
  const [old, items] = [itemsOf(before), itemsOf(next)];
  for (let from = 0; from < items.length; from += comparedAtOnce) {
    if (from > 0) {
      await delay(0);
    }
    const to = from + comparedAtOnce;
    if (JSON.stringify(old.slice(from, to)) !== JSON.stringify(items.slice(from, to))) {
      return false;
    }
  }
  return true;
}

function itemsOf(state: ListState<unknown>): readonly unknown[] {
  return state.kind === 'ready' ? state.items : [];
}

/** Everything except the items. JSON shows no members of an Error. */
function headOf(state: ListState<unknown>): unknown {
  switch (state.kind) {
    case 'ready':
      return { ...state, items: state.items.length, staleBecause: state.staleBecause?.message };
    case 'failed':
      return { ...state, error: state.error.message };
    case 'loading':
    case 'none':
      return { kind: state.kind };
  }
}
