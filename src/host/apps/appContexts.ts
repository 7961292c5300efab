/**
 * What live apps want the model to know, for the next question to `@mcp` (APP-72): words of their servers, never of the
 * user. An app of a call in a conversation speaks to that one alone.
 */
import { isStringArray } from '../../base/json.ts';
import type { ModelContext } from '../../mcp/types/apps.ts';
import type { Memory } from '../storage.ts';

const memoryKey = 'leftOutApps';
/** The newest calls whose apps are left out: an app that is there again after a reload is one of few. */
const maxLeftOut = 100;

/** The call that an app shows. */
interface ShownCall {
  readonly call: string;
  /** The name of its server. */
  readonly server: string;
  /** The model made it, in a conversation. */
  readonly inChat: boolean;
}

export interface AppContext extends ShownCall {
  readonly context: ModelContext;
}

export class AppContexts {
  readonly #byCall = new Map<string, AppContext>();
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** What a conversation gets. @param calls those that were made in it */
  of(calls: readonly string[]): readonly AppContext[] {
    return [...this.#byCall.values()].filter(({ call, inChat }) => !inChat || calls.includes(call));
  }

  /** Replaces what the app said before; undefined: it says nothing, or is gone. */
  set(shown: ShownCall, context: ModelContext | undefined): void {
    const { call } = shown;
    this.#byCall.delete(call);
    if (context !== undefined && !this.#leftOut.includes(call)) {
      this.#byCall.set(call, { ...shown, context });
    }
  }

  /** The model gets nothing more of the app, whatever it says later. */
  async leaveOut(call: string): Promise<void> {
    this.#byCall.delete(call);
    await this.#memory.set(memoryKey, [...this.#leftOut, call].slice(-maxLeftOut));
  }

  /** Calls whose apps the user has left out. */
  get #leftOut(): readonly string[] {
    const stored = this.#memory.get(memoryKey);
    return isStringArray(stored) ? stored : [];
  }
}
