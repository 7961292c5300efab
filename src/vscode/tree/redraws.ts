/**
 * When the editor is told of changed rows. It delays a second redraw within 200 ms until those are over, and a redraw
 * in the meantime may close a row that was just opened. Draws nothing.
 */
import { after, CoalescedRun } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { ConnectionState } from '../../host/servers/connectionState.ts';
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

/** Milliseconds for which a start is not drawn. */
const startMs = 200;

export class ServerRedraws implements Disposable {
  readonly #draw: (id: ServerId) => void;
  readonly #starts = new Map<ServerId, Disposable>();

  constructor(draw: (id: ServerId) => void) {
    this.#draw = draw;
  }

  /** @param state the new state; undefined for a server that is gone */
  changed(id: ServerId, state: ConnectionState | undefined): void {
    this.#starts.get(id)?.dispose();
    if (state?.kind === 'starting' && state.waitsFor === undefined) {
      const draw = (): void => {
        this.#starts.delete(id);
        this.#draw(id);
      };
      this.#starts.set(id, after(startMs, draw));
    } else {
      this.#starts.delete(id);
      this.#draw(id);
    }
  }

  dispose(): void {
    this.#starts.forEach((start) => start.dispose());
    this.#starts.clear();
  }
}
