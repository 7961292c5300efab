/**
 * One list of one server: fetched when a session begins, fetched again when the server says that it
 * changed, compared before anyone hears of it. The catalog owns four of them.
 */
import { CoalescedRun } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { isCancelled, isMcpError, McpError } from '../../mcp/errors.ts';
import type { Session } from '../../mcp/era/session.ts';
import { type DroppedItem, listAll } from '../../mcp/listing.ts';
import type { ListItems, ListName } from '../../mcp/listItems.ts';

export type ListState<T> =
  /** The server does not offer the list, or has not been reached yet. */
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
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

export class CatalogList<L extends ListName> implements Disposable {
  readonly name: L;
  readonly #changed = new Emitter<void>();
  readonly #refetch: CoalescedRun;
  readonly onDidChange = this.#changed.event;
  #state: ListState<ListItems[L]> = { kind: 'none' };
  /** The session that the next fetch asks; replaced, it makes the result of an older one worthless. */
  #source: { readonly session: Session; readonly signal: AbortSignal } | undefined;
  #isFirstFetch = false;
  #isAskedAgain = false;
  /** When what was fetched stops to hold, by the server's word (CACHE-03). */
  #staleAt = Infinity;

  constructor(name: L) {
    this.name = name;
    this.#refetch = new CoalescedRun(() => this.#fetch(), refetchTimes);
  }

  get state(): ListState<ListItems[L]> {
    return this.#state;
  }

  /**
   * Fetches from `session` from now on, the first time at once. Items of an earlier session stay
   * until that is done. The promise resolves when it is, or when it has failed.
   */
  async attach(session: Session, signal: AbortSignal): Promise<void> {
    this.#source = { session, signal };
    if (this.#state.kind !== 'ready') {
      this.#set({ kind: 'loading' });
    }
    this.#isFirstFetch = true;
    this.#isAskedAgain = false;
    const source = this.#source;
    await this.#fetch();
    if (this.#source === source) {
      this.#isFirstFetch = false;
      if (this.#isAskedAgain) {
        this.#refetch.request();
      }
    }
  }

  /** The session is over. Items stay when another one is on its way. */
  detach(willReturn: boolean): void {
    this.#source = undefined;
    if (!willReturn || this.#state.kind === 'loading') {
      this.#set({ kind: 'none' });
    }
  }

  /** The list has changed, or somebody wants to be sure. */
  refresh(): void {
    if (this.#source === undefined) {
      return;
    }
    if (this.#isFirstFetch) {
      this.#isAskedAgain = true; // one more, once the first is done
    } else {
      this.#refetch.request();
    }
  }

  /**
   * For who is about to use the list: fetches it again where its time is over and the server, which
   * tells of no changes, has to be asked (CACHE-04). No timer does (CACHE-05).
   */
  renew(): void {
    if (performance.now() >= this.#staleAt) {
      this.refresh();
    }
  }

  /** Resolves when no announced change is left to be fetched. Never rejects. */
  async whenSettled(): Promise<void> {
    await this.#refetch.whenIdle();
  }

  dispose(): void {
    this.#source = undefined;
    this.#refetch.dispose();
    this.#changed.dispose();
  }

  async #fetch(): Promise<void> {
    const source = this.#source;
    if (source === undefined) {
      return;
    }
    const next = await this.#read(source);
    if (this.#source === source && next !== undefined) {
      this.#set(next);
    }
  }

  /** Undefined when the fetch was cancelled: whoever did that says what comes next. */
  async #read(source: {
    readonly session: Session;
    readonly signal: AbortSignal;
  }): Promise<ListState<ListItems[L]> | undefined> {
    try {
      const { signal, session } = source;
      const options = { signal, isFresh: !this.#isFirstFetch };
      const { holdsForMs, ...listing } = await listAll(session, this.name, options);
      const announces = session.server.capabilities[capabilityOf(this.name)]?.listChanged === true;
      this.#staleAt = announces ? Infinity : performance.now() + (holdsForMs ?? Infinity);
      return { kind: 'ready', ...listing };
    } catch (error) {
      if (isCancelled(error)) {
        return undefined;
      }
      const problem = isMcpError(error)
        ? error
        : new McpError('protocol', `The list "${this.name}" could not be read`, { cause: error });
      return this.#state.kind === 'ready'
        ? { ...this.#state, staleBecause: problem }
        : { kind: 'failed', error: problem };
    }
  }

  #set(next: ListState<ListItems[L]>): void {
    const isSame = JSON.stringify(comparable(this.#state)) === JSON.stringify(comparable(next));
    if (!isSame) {
      this.#state = next;
      this.#changed.fire();
    }
  }
}

export function capabilityOf(list: ListName): 'tools' | 'prompts' | 'resources' {
  return list === 'resourceTemplates' ? 'resources' : list;
}

/** An Error has no members of its own that JSON would show. */
function comparable(state: ListState<unknown>): unknown {
  switch (state.kind) {
    case 'ready':
      return { ...state, staleBecause: state.staleBecause?.message };
    case 'failed':
      return { ...state, error: state.error.message };
    case 'loading':
    case 'none':
      return state;
  }
}
