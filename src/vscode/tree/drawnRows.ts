/**
 * What the editor has drawn of a tree, and which of its rows it is to ask for again: as few as can be. While it asks
 * for a row again it has forgotten what is below, and may close a row there that was just opened, or lose a click.
 * It draws nothing and knows neither editor nor servers.
 */

/** The rows as they would be drawn now, from one that all others are below. */
export interface RowsNow<N> {
  /** The same for one row whatever object stands for it. */
  readonly id: (row: N) => string;
  /** What its line shows. */
  readonly look: (row: N) => string;
  /** What a pointer over it shows, where that is no part of its look. */
  readonly hover: (row: N) => string;
  readonly below: (row: N) => readonly N[];
  /** Whether the same object stands for it each time: by another one the editor would not know it. */
  readonly isKept: (row: N) => boolean;
}

/** Each part once the editor has asked for it. */
interface Drawn {
  readonly look?: string;
  readonly hover?: string;
  /** Ids. */
  readonly below?: readonly string[];
}

export class DrawnRows<N> {
  readonly #now: RowsNow<N>;
  readonly #drawn = new Map<string, Drawn>();

  constructor(now: RowsNow<N>) {
    this.#now = now;
  }

  /** Rows of which something is known. */
  get size(): number {
    return this.#drawn.size;
  }

  /** The editor has been given the line of this row, which looks like this. */
  drew(row: N, look: string): void {
    const id = this.#now.id(row);
    const below = this.#drawn.get(id)?.below;
    this.#drawn.set(id, { look, ...(below && { below }) });
  }

  /** The editor has been given what is below this row. */
  asked(row: N, below: readonly N[]): void {
    const id = this.#now.id(row);
    const drawn = this.#drawn.get(id);
    const ids = below.map(this.#now.id);
    const left = new Set(ids);
    drawn?.below?.filter((old) => !left.has(old)).forEach((old) => this.#forget(old));
    this.#drawn.set(id, { ...drawn, below: ids });
  }

  /** Somebody has been shown what a pointer over this row shows. */
  lookedAt(row: N): void {
    const id = this.#now.id(row);
    this.#drawn.set(id, { ...this.#drawn.get(id), hover: this.#now.hover(row) });
  }

  /**
   * Which of this row and those below it are to be asked for again, each with all that is below it. Nothing is told of
   * them a second time until they have been.
   */
  changed(row: N): readonly N[] {
    const changed = this.#changed(row);
    changed.forEach((each) => this.forget(each));
    return changed;
  }

  /** Of this row and those below it nothing is drawn any more. */
  forget(row: N): void {
    this.#forget(this.#now.id(row));
  }

  #changed(row: N): readonly N[] {
    const now = this.#now;
    const drawn = this.#drawn.get(now.id(row));
    if (drawn === undefined) {
      return [];
    }
    if (
      (drawn.look !== undefined && drawn.look !== now.look(row)) ||
      (drawn.hover !== undefined && drawn.hover !== now.hover(row))
    ) {
      return [row];
    }
    if (drawn.below === undefined) {
      return [];
    }
    const below = now.below(row);
    if (!isSameOrder(drawn.below, below.map(now.id))) {
      return [row];
    }
    const changed: N[] = [];
    for (const child of below) {
      const inside = this.#changed(child);
      if (inside.length > 0 && !now.isKept(child)) {
        return [row];
      }
      changed.push(...inside);
    }
    return changed;
  }

  #forget(id: string): void {
    const below = this.#drawn.get(id)?.below;
    this.#drawn.delete(id);
    below?.forEach((child) => this.#forget(child));
  }
}

function isSameOrder(before: readonly string[], now: readonly string[]): boolean {
  return before.length === now.length && before.every((id, index) => id === now[index]);
}
