/**
 * When a server with a new state is redrawn: at once, except for a start, which often ends or asks something a moment
 * later. The editor delays a second redraw within 200 ms until those are over, so the row would still say "starting…"
 * beside the dialog that asks. Draws nothing.
 */
import { after } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { ConnectionState } from '../../host/servers/connectionState.ts';

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
