import { t } from '../../base/l10n.ts';
import { RateLimit } from '../../base/rateLimit.ts';
import { isMcpError, McpError } from '../errors.ts';

/** More losses of a session than that are not accidental. */
const maxPerMinute = 3;

/**
 * The successive sessions on one channel. Several requests may notice the loss of a session, each at its
 * own time; the next session is opened once for all of them.
 */
export class Reopening {
  readonly #open: () => Promise<void>;
  readonly #rate = new RateLimit(maxPerMinute);
  #generation = 0;
  #current: Promise<void> | undefined;

  /** @param open opens the next session */
  constructor(open: () => Promise<void>) {
    this.#open = open;
  }

  /** Number of the current session: a loss that belongs to an earlier one does not count. */
  get generation(): number {
    return this.#generation;
  }

  /** Settles when the session being opened is open; undefined while there is a session. */
  get current(): Promise<void> | undefined {
    return this.#current;
  }

  /** Opens one session at a time; further losses join it. */
  begin(): Promise<void> {
    if (this.#current === undefined) {
      this.#generation += 1;
      this.#current = this.#open().finally(() => {
        this.#current = undefined;
      });
    }
    return this.#current;
  }

  /** Call for each session that is opened. @throws McpError `sessionExpired` if the server cannot keep a session */
  throwIfTooOften(): void {
    if (this.#rate.admit().kind === 'refused') {
      throw new McpError(
        'sessionExpired',
        t(
          'The server lost its session more than {0} times within a minute: do several instances share its requests without a common session store?',
          maxPerMinute,
        ),
      );
    }
  }

  /** The session that replaces the one of `generation`; resolves at once if it is open already. */
  replacing(generation: number): Promise<void> {
    return generation === this.#generation ? this.begin() : (this.#current ?? Promise.resolve());
  }
}

export function isSessionExpired(error: unknown): boolean {
  return isMcpError(error) && error.code === 'sessionExpired';
}

export function notRepeated(method: string): McpError {
  return new McpError(
    'closed',
    t(
      'The server had forgotten the session. Another one is open now, but "{0}" may change something and was not sent again; whether the request took effect is unknown',
      method,
    ),
  );
}
