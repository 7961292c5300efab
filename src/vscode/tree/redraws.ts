/**
 * When the editor is told of changed rows: a burst is told at once. The editor delays a second redraw within 200 ms
 * until those are over, and a redraw in the meantime may close a row that was just opened. Draws nothing.
 */
import { CoalescedRun } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { DrawnRows } from './drawnRows.ts';

/** A ready server has its lists a moment later; nobody notices a row that is this late. */
const burstTimes = { quietMs: 50, maxMs: 200 } as const;

export class Redraws<N> implements Disposable {
  readonly #rows: Pick<DrawnRows<N>, 'changed'>;
  readonly #tell: (rows: readonly N[]) => void;
  readonly #due = new Set<N>();
  readonly #run = new CoalescedRun(async () => this.#runDue(), burstTimes);

  /** @param tell called with the rows to redraw, never with none */
  constructor(rows: Pick<DrawnRows<N>, 'changed'>, tell: (rows: readonly N[]) => void) {
    this.#rows = rows;
    this.#tell = tell;
  }

  /** This row or one below it may have changed. */
  soon(row: N): void {
    this.#due.add(row);
    this.#run.request();
  }

  /** The same for a change that the user has just asked for. */
  now(row: N): void {
    this.#look([row]);
  }

  dispose(): void {
    this.#run.dispose();
  }

  #runDue(): void {
    const due = [...this.#due];
    this.#due.clear();
    this.#look(due);
  }

  #look(rows: readonly N[]): void {
    const changed = rows.flatMap((row) => this.#rows.changed(row));
    if (changed.length > 0) {
      this.#tell(changed);
    }
  }
}
