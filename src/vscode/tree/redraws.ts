/**
 * Which rows of a tree the editor must ask for again, and when: as few as possible. While it asks for a row again it
 * forgets the rows below, may close one that was just opened, and may lose a click. Draws nothing.
 *
 * The editor drops a redraw of a row that it has not finished drawing (VS Code logs "Tree element not
 * found"). So what changes while it may be busy is told once more, unless it has asked for it since.
 */
import { CoalescedRun } from '../../base/async.ts';
import { DisposableOwner } from '../../base/disposable.ts';

/**
 * What the editor asks for separately: the row itself, its tooltip, and the rows below it. Each is a list of values that
 * are other ones after a change. Rows are known by identity, as the editor knows them; undefined is the root.
 */
export interface DrawnParts<N> {
  readonly look: (row: N | undefined) => readonly unknown[];
  readonly tooltip: (row: N | undefined) => readonly unknown[];
  readonly inside: (row: N | undefined) => readonly unknown[];
}

/** A ready server has its lists a moment later, and a quick start is drawn once: nobody notices a row that is this late. */
const burstTimes = { quietMs: 150, maxMs: 300 } as const;

/** Milliseconds in which the editor may be drawing what it asked for. */
const busyMs = 2_000;
const againTimes = { quietMs: busyMs, maxMs: 3 * busyMs } as const;

export class Redraws<N> extends DisposableOwner {
  readonly #parts: DrawnParts<N>;
  readonly #below: (row: N | undefined) => readonly N[];
  readonly #tell: (rows: N[] | undefined) => void;
  /** What the editor has got. */
  readonly #drawn = new Map<N | undefined, Map<keyof DrawnParts<N>, readonly unknown[]>>();
  readonly #run = this.store.add(new CoalescedRun(async () => this.now(), burstTimes));
  /** The time of a monotonic clock until which the editor may be busy. */
  #busyUntil = 0;
  /** Told while it was. */
  readonly #doubtful = new Set<N | undefined>();
  readonly #again = this.store.add(new CoalescedRun(async () => this.#tellAgain(), againTimes));

  /**
   * @param below the rows that are redrawn on their own; others are redrawn with the row above
   * @param tell called with the rows to redraw; undefined for all, never with none
   */
  constructor(
    parts: DrawnParts<N>,
    below: (row: N | undefined) => readonly N[],
    tell: (rows: N[] | undefined) => void,
  ) {
    super();
    this.#parts = parts;
    this.#below = below;
    this.#tell = tell;
  }

  /** The editor got this part of the row. */
  drew(row: N | undefined, part: keyof DrawnParts<N>): void {
    const drawn = this.#drawn.get(row) ?? new Map<keyof DrawnParts<N>, readonly unknown[]>();
    this.#drawn.set(row, drawn.set(part, this.#parts[part](row)));
    if (part === 'inside') {
      this.#busyUntil = performance.now() + busyMs;
      [row, ...this.#below(row)].forEach((each) => this.#doubtful.delete(each));
    }
  }

  /** Something may have changed. */
  soon(): void {
    this.#run.request();
  }

  /** The user has just asked for a change. */
  now(): void {
    const changed = this.#changed(undefined);
    if (changed.length > 0 && performance.now() < this.#busyUntil) {
      changed.forEach((row) => this.#doubtful.add(row));
      this.#again.request();
    }
    this.#tellOf(changed);
  }

  /** This row and those below it are no longer drawn. */
  forget(row: N | undefined): void {
    this.#drawn.delete(row);
    this.#doubtful.delete(row);
    this.#below(row).forEach((each) => this.forget(each));
  }

  #tellAgain(): void {
    const rows = [...this.#doubtful];
    this.#doubtful.clear();
    this.#tellOf(rows);
  }

  #tellOf(all: readonly (N | undefined)[]): void {
    const rows = all.filter((row) => row !== undefined);
    if (all.length > 0) {
      this.#tell(rows.length < all.length ? undefined : rows);
    }
  }

  #changed(row: N | undefined): readonly (N | undefined)[] {
    const drawn = [...(this.#drawn.get(row) ?? [])];
    if (drawn.every(([part, before]) => isSame(before, this.#parts[part](row)))) {
      return this.#below(row).flatMap((each) => this.#changed(each));
    }
    this.forget(row);
    return [row];
  }
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((value, index) => value === now[index]);
}
