/**
 * What live apps want the model to know, for the next question to `@mcp` (APP-72): words of their servers, never of the
 * user.
 */
import type { ModelContext } from '../../mcp/types/apps.ts';

export interface AppContext {
  /** The call that the app shows. */
  readonly call: string;
  /** The name of its server. */
  readonly server: string;
  readonly context: ModelContext;
}

export class AppContexts {
  readonly #byCall = new Map<string, AppContext>();
  /** Calls whose apps the user has left out. */
  readonly #leftOut = new Set<string>();

  get all(): readonly AppContext[] {
    return [...this.#byCall.values()];
  }

  /** Replaces what the app said before; undefined: it says nothing, or is gone. */
  set(call: string, server: string, context: ModelContext | undefined): void {
    this.#byCall.delete(call);
    if (context !== undefined && !this.#leftOut.has(call)) {
      this.#byCall.set(call, { call, server, context });
    }
  }

  /** The model gets nothing more of the app, whatever it says later. */
  leaveOut(call: string): void {
    this.#leftOut.add(call);
    this.#byCall.delete(call);
  }
}
