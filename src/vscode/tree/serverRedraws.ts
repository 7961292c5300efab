/**
 * When a server whose state has changed is drawn anew: at once, but for a start, which often is over or
 * asks for something a moment later. The editor draws what changes twice within 200 ms the second time
 * only after those: beside the dialog that asks, the row would go on saying "starting…". It draws nothing.
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

  /** @param state what it is now; undefined for a server that is gone */
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
