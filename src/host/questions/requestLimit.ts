/** Limits how many requests of a server for the user are open at once, and how many begin in a minute. */
import type { Clock } from '../../base/clock.ts';
import { RateLimit } from '../../base/rateLimit.ts';
import { raisedBy, type ServerConfig, type ServerId } from '../config/serverConfig.ts';

/** For the user, once until a request is admitted again. */
export type LimitNotice =
  | { readonly kind: 'tooMany'; readonly perMinute: number }
  | { readonly kind: 'tooManyOpen'; readonly open: number };

interface LimitedRequests {
  /** In words, for the server. */
  readonly what: string;
  readonly maxOpen: number;
  /** The default for servers whose entry does not say. */
  readonly perMinute: number;
  /** The limit per minute in the entry of a server. */
  readonly setting: 'elicitationsPerMinute' | 'samplingPerMinute';
}

export class RequestLimit {
  readonly #of: LimitedRequests;
  readonly #rate: RateLimit;
  readonly #open = new Map<ServerId, number>();
  /** Servers whose user was told that the maximum is open. */
  readonly #overfull = new Set<ServerId>();

  constructor(of: LimitedRequests, clock: Clock) {
    this.#of = of;
    this.#rate = new RateLimit(of.perMinute, clock);
  }

  /**
   * Runs the request if it is within the limits.
   * @param refused makes the error for the server
   */
  async run<T>(
    server: ServerConfig,
    refused: (message: string, notice: LimitNotice | undefined) => Error,
    request: () => Promise<T>,
  ): Promise<T> {
    const { what, maxOpen, perMinute: usual, setting } = this.#of;
    const { id, limits } = server;
    const open = this.#open.get(id) ?? 0;
    if (open >= maxOpen) {
      const notice = { kind: 'tooManyOpen', open: maxOpen } as const;
      const isFirst = !this.#overfull.has(id);
      this.#overfull.add(id);
      throw refused(
        `Too many ${what}: ${maxOpen} are open already; try again once one of them is answered`,
        isFirst ? notice : undefined,
      );
    }
    this.#overfull.delete(id);
    const perMinute = limits?.[setting] ?? usual;
    const admission = this.#rate.admit(id, perMinute);
    if (admission.kind === 'refused') {
      const seconds = Math.ceil(admission.retryAfterMs / 1000);
      throw refused(
        `Too many ${what}: at most ${perMinute} a minute, ${raisedBy(`limits.${setting}`)}; try again in ${seconds} s`,
        admission.isFirst ? { kind: 'tooMany', perMinute } : undefined,
      );
    }
    this.#open.set(id, open + 1);
    try {
      return await request();
    } finally {
      this.#open.set(id, (this.#open.get(id) ?? 1) - 1);
    }
  }
}
