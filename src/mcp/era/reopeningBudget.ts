/** Limits how often a conversation may be reopened: more losses than that are not accidental. */
import { McpError } from '../errors.ts';

const maxReopenings = 3;
const windowMs = 60_000;

export class ReopeningBudget {
  #at: readonly number[] = [];

  /** @throws McpError `sessionExpired` when the server cannot keep a session */
  spend(): void {
    const now = performance.now();
    this.#at = [...this.#at, now].filter((at) => now - at < windowMs);
    if (this.#at.length > maxReopenings) {
      throw new McpError(
        'sessionExpired',
        `The server lost its session more than ${maxReopenings} times within a minute: are its requests shared out to several instances that do not know of each other?`,
      );
    }
  }
}
