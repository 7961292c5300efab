/**
 * A server's suggestions for an argument of a prompt, or for a variable of a resource template, while a person types
 * (COMP-01 to COMP-05). Sends the values chosen before, and each request once; shows no errors.
 */
import { isString } from '../../base/json.ts';
import { isCancelled } from '../../mcp/errors.ts';
import type { CompletionReference } from '../../mcp/types/lists.ts';
import { fromUser, isAsked } from '../requestOrigin.ts';
import type { UseSession } from './resources.ts';

/** The part of a connection that is needed here. */
export interface CompletionServer {
  readonly withSession: UseSession;
}

/** Argument or variable → its text. */
export type ArgumentTexts = Readonly<Record<string, string>>;

export interface Suggestions {
  readonly values: readonly string[];
  /** There are more than these. */
  readonly hasMore: boolean;
}

/** Milliseconds: a later suggestion does not help a person who types. */
const suggestionLimitMs = 5_000;
/** The most that a server may send (COMP-04). */
const maxValues = 100;

const none: Suggestions = { values: [], hasMore: false };

export class ArgumentCompletion {
  readonly #server: CompletionServer;
  readonly #ref: CompletionReference;
  readonly #known = new Map<string, Suggestions>();
  #isSilent = false;

  constructor(server: CompletionServer, ref: CompletionReference) {
    this.#server = server;
    this.#ref = ref;
  }

  /**
   * Rejects only when the signal aborts.
   * @param values the arguments' current texts; empty ones, and that of `argument`, are left out
   */
  async suggest(
    argument: string,
    typed: string,
    values: ArgumentTexts,
    signal: AbortSignal,
  ): Promise<Suggestions> {
    const chosen = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => name !== argument && value !== ''),
    );
    const key = JSON.stringify([argument, typed, chosen]);
    const known = this.#known.get(key);
    if (known !== undefined || this.#isSilent) {
      return known ?? none;
    }
    try {
      const suggestions = await this.#ask(argument, typed, chosen, signal);
      this.#known.set(key, suggestions);
      return suggestions;
    } catch (error) {
      if (isCancelled(error) && signal.aborted) {
        throw error;
      }
      // The server declares no completion, or fails at it: a suggestion is not worth an error (COMP-05).
      this.#isSilent = true;
      return none;
    }
  }

  #ask(
    argument: string,
    typed: string,
    chosen: ArgumentTexts,
    signal: AbortSignal,
  ): Promise<Suggestions> {
    return this.#server.withSession(
      async (session, both) => {
        const { completion } = await session.call(
          'completion/complete',
          {
            ref: this.#ref,
            argument: { name: argument, value: typed },
            ...(Object.keys(chosen).length === 0 ? {} : { context: { arguments: chosen } }),
          },
          {
            signal: both,
            origin: fromUser,
            times: { idleMs: suggestionLimitMs, totalMs: suggestionLimitMs },
          },
        );
        const texts = completion.values.filter(isString);
        const values = texts.slice(0, maxValues);
        const isCut = values.length < texts.length;
        const total = completion.total ?? values.length;
        return { values, hasMore: completion.hasMore === true || isCut || total > values.length };
      },
      signal,
      isAsked(fromUser),
    );
  }
}
