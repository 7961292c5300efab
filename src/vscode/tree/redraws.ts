/**
 * Which rows of a tree the editor must ask for again, and when: as few as possible. While it asks for a row again it
 * forgets the rows below, may close one that was just opened, and may lose a click. Draws nothing.
 */
import { CoalescedRun } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';

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

export class Redraws<N> implements Disposable {
  readonly #parts: DrawnParts<N>;
  readonly #below: (row: N | undefined) => readonly N[];
  readonly #tell: (rows: N[] | undefined) => void;
  /** What the editor has got. */
  readonly #drawn = new Map<N | undefined, Map<keyof DrawnParts<N>, readonly unknown[]>>();
  readonly #run = new CoalescedRun(async () => this.now(), burstTimes);

  /**
   * @param below the rows that are redrawn on their own; others are redrawn with the row above
   * @param tell called with the rows to redraw; undefined for all, never with none
   */
  constructor(
    parts: DrawnParts<N>,
    below: (row: N | undefined) => readonly N[],
    tell: (rows: N[] | undefined) => void,
  ) {
    this.#parts = parts;
    this.#below = below;
    this.#tell = tell;
  }

  /** The editor got this part of the row. */
  drew(row: N | undefined, part: keyof DrawnParts<N>): void {
    const drawn = this.#drawn.get(row) ?? new Map<keyof DrawnParts<N>, readonly unknown[]>();
    this.#drawn.set(row, drawn.set(part, this.#parts[part](row)));
  }

  /** Something may have changed. */
  soon(): void {
    this.#run.request();
  }

  /** The user has just asked for a change. Tells of each row once, until the editor has asked for it. */
  now(): void {
    const changed = this.#changed(undefined);
    if (changed.length > 0) {
      const rows = changed.filter((row) => row !== undefined);
      this.#tell(rows.length < changed.length ? undefined : rows);
    }
  }

  /** This row and those below it are no longer drawn. */
  forget(row: N | undefined): void {
    this.#drawn.delete(row);
    this.#below(row).forEach((each) => this.forget(each));
  }

  dispose(): void {
    this.#run.dispose();
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
