/**
 * What the inspector's page gets: the rows that match its filter, up to the pause, their counts, and the selected
 * message in full. New rows are sent in batches.
 */
import * as vscode from 'vscode';
import { after } from '../../base/async.ts';
import { type Disposable, DisposableOwner, MutableDisposable } from '../../base/disposable.ts';
import { toPredicate } from '../../host/inspector/filterAndExport.ts';
import { isMessage, type MessageFilter, type Seen } from '../../host/inspector/seenMessage.ts';
import { countText } from '../resources/annotationText.ts';
import type { ObservedServer } from './observedServer.ts';
import type { ToPage } from './pageMessages.ts';
import { toDetail, toRow } from './rows.ts';

/** New rows go to the page together: a flood makes no more than ten posts a second. */
const batchMs = 100;
/** Methods that the filter offers at most: a server may send any number. */
const maxMethods = 100;

export class PageFeed extends DisposableOwner {
  readonly #observed: ObservedServer;
  readonly #post: (message: ToPage) => void;
  readonly #batch = this.store.add(new MutableDisposable<Disposable>());
  readonly #changed = new Set<Seen>();
  readonly #methods = new Set<string>();
  #isShown: (seen: Seen) => boolean = () => true;
  /** The numbers of the rows that the page has. */
  #shown = new Set<number>();
  /** The first entry after the pause; undefined while there is none. */
  #pausedAt: number | undefined;
  #selected: number | undefined;

  /** @param observed is disposed with this */
  constructor(observed: ObservedServer, post: (message: ToPage) => void) {
    super();
    this.#observed = observed;
    this.#post = post;
    observed.onDidChange((seen) => {
      this.#changed.add(seen);
      this.#batch.value ??= after(batchMs, () => {
        this.#batch.value = undefined;
        this.#postChanged();
      });
    });
  }

  /** The entries that match the filter, without those that came after the pause. */
  get entries(): readonly Seen[] {
    return this.#observed.recorder.buffer
      .all()
      .filter((seen) => !this.#isHeldBack(seen) && this.#isShown(seen));
  }

  /** Sends everything again. */
  show(filter: MessageFilter): void {
    this.#isShown = toPredicate(filter);
    this.#postAll();
  }

  pause(isPaused: boolean): void {
    this.#pausedAt = isPaused ? this.#observed.recorder.next : undefined;
    this.#postAll();
  }

  clear(): void {
    this.#observed.clear();
    this.#methods.clear();
    this.#selected = undefined;
    this.#postAll();
  }

  select(n: number): void {
    this.#selected = n;
    this.#postDetail();
  }

  /** Selects an entry that the page may not have yet. */
  reveal(n: number): void {
    // A page that is still being reopened asks for the selection itself.
    this.#selected = n;
    this.#postChanged();
    this.#postDetail();
    this.#post({ kind: 'reveal', n });
  }

  #postAll(): void {
    const { entries } = this;
    this.#changed.clear();
    this.#shown = new Set(entries.map(({ n }) => n));
    this.#noteMethods(this.#observed.recorder.buffer.all());
    this.#post({
      kind: 'rows',
      rows: entries.map(toRow),
      counts: this.#counts(),
      methods: this.#sortedMethods(),
      isPaused: this.#pausedAt !== undefined,
      selected: this.#selected,
    });
    this.#postDetail();
  }

  #postChanged(): void {
    const { buffer, first } = this.#observed.recorder;
    const changed = [...this.#changed].filter((seen) => buffer.get(seen.n) === seen);
    this.#changed.clear();
    for (const n of this.#shown) {
      if (n < first) {
        this.#shown.delete(n);
      }
    }
    this.#noteMethods(changed);
    // A shown row stays, even if it no longer matches: it must not vanish while somebody reads it.
    const rows = changed.filter(
      (seen) => this.#shown.has(seen.n) || (!this.#isHeldBack(seen) && this.#isShown(seen)),
    );
    for (const { n } of rows) {
      this.#shown.add(n);
    }
    this.#post({
      kind: 'changed',
      rows: rows.toSorted((a, b) => a.n - b.n).map(toRow),
      first,
      counts: this.#counts(),
      methods: this.#sortedMethods(),
    });
    if (changed.some(({ n }) => n === this.#selected)) {
      this.#postDetail();
    }
  }

  #postDetail(): void {
    const { recorder, redactor } = this.#observed;
    const seen = this.#selected === undefined ? undefined : recorder.buffer.get(this.#selected);
    this.#post({ kind: 'detail', detail: seen && toDetail(seen, redactor) });
  }

  #isHeldBack({ n }: Seen): boolean {
    return this.#pausedAt !== undefined && n >= this.#pausedAt;
  }

  #counts(): string {
    const { buffer, first, next } = this.#observed.recorder;
    const waiting = next - Math.max(this.#pausedAt ?? next, first);
    const shown = entriesText(this.#shown.size, buffer.size - waiting);
    return this.#pausedAt === undefined
      ? shown
      : `${shown} · ${vscode.l10n.t('paused, {0} new', countText(waiting))}`;
  }

  #noteMethods(entries: readonly Seen[]): void {
    for (const seen of entries) {
      if (isMessage(seen) && seen.method !== '' && this.#methods.size < maxMethods) {
        this.#methods.add(seen.method);
      }
    }
  }

  #sortedMethods(): readonly string[] {
    return [...this.#methods].toSorted();
  }
}

function entriesText(shown: number, all: number): string {
  if (shown !== all) {
    return vscode.l10n.t('{0} of {1} entries', countText(shown), countText(all));
  }
  return all === 1 ? vscode.l10n.t('1 entry') : vscode.l10n.t('{0} entries', countText(all));
}
