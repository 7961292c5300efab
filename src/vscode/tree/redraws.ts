/**
 * When the editor is told that rows have changed: of a burst at once, since what it draws twice within 200 ms it draws
 * the second time only after those, and what comes in the middle of that may close what was just opened. It draws nothing.
 */
import { CoalescedRun } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { DrawnRows } from './drawnRows.ts';

/** A server that is ready has its lists a moment later; nobody notices a row that is this late. */
const burstTimes = { quietMs: 50, maxMs: 200 } as const;

export class Redraws<N> implements Disposable {
  readonly #rows: Pick<DrawnRows<N>, 'changed'>;
  readonly #tell: (rows: readonly N[]) => void;
  readonly #due = new Set<N>();
  readonly #run = new CoalescedRun(async () => this.#runDue(), burstTimes);

  /** @param tell called with rows that are to be drawn anew, never with none */
  constructor(rows: Pick<DrawnRows<N>, 'changed'>, tell: (rows: readonly N[]) => void) {
    this.#rows = rows;
    this.#tell = tell;
  }

  /** Something may have changed in this row or below it. */
  soon(row: N): void {
    this.#due.add(row);
    this.#run.request();
  }

  /** The same for what the user has just asked for. */
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
