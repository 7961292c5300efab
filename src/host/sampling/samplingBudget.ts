/**
 * How much each server may sample: requests per minute, concurrent requests, tokens per session of the editor. Both
 * input and output tokens count, since both are paid for.
 */
import type { ServerId } from '../config/serverConfig.ts';
import type { Clock } from '../../base/clock.ts';
import { RateLimit } from '../../base/rateLimit.ts';

export const samplingLimits = {
  /** Defaults of the server's entry. */
  perMinute: 10,
  atOnce: 3,
  tokensPerSession: 200_000,
} as const;

export type SamplingAdmission =
  /** Call `release` when the request is over. */
  | { readonly kind: 'admitted'; readonly release: () => void }
  /** `isFirst`: the first one over the limit since a release. */
  | { readonly kind: 'atOnce'; readonly isFirst: boolean }
  | { readonly kind: 'perMinute'; readonly retryAfterMs: number; readonly isFirst: boolean }
  | { readonly kind: 'tokens' };

interface Account {
  open: number;
  /** A request was refused since the maximum is open. */
  isOverfull: boolean;
  usedTokens: number;
  allowedTokens: number;
}

export class SamplingBudget {
  readonly #rate: RateLimit;
  readonly #accounts = new Map<ServerId, Account>();

  constructor(clock: Clock) {
    this.#rate = new RateLimit(samplingLimits.perMinute, clock);
  }

  admit(id: ServerId, perMinute?: number): SamplingAdmission {
    const account = this.#account(id);
    if (account.open >= samplingLimits.atOnce) {
      const isFirst = !account.isOverfull;
      account.isOverfull = true;
      return { kind: 'atOnce', isFirst };
    }
    if (this.tokensLeft(id) <= 0) {
      return { kind: 'tokens' };
    }
    const admission = this.#rate.admit(id, perMinute);
    if (admission.kind === 'refused') {
      const { retryAfterMs, isFirst } = admission;
      return { kind: 'perMinute', retryAfterMs, isFirst };
    }
    account.open += 1;
    let isOpen = true;
    const release = (): void => {
      account.open -= isOpen ? 1 : 0;
      account.isOverfull &&= !isOpen;
      isOpen = false;
    };
    return { kind: 'admitted', release };
  }

  tokensUsed(id: ServerId): number {
    return this.#account(id).usedTokens;
  }

  tokensLeft(id: ServerId): number {
    const { allowedTokens, usedTokens } = this.#account(id);
    return allowedTokens - usedTokens;
  }

  spend(id: ServerId, tokens: number): void {
    this.#account(id).usedTokens += tokens;
  }

  /** Gives the server the same budget again, counted from now. */
  renew(id: ServerId): void {
    const account = this.#account(id);
    account.allowedTokens = account.usedTokens + samplingLimits.tokensPerSession;
  }

  #account(id: ServerId): Account {
    let account = this.#accounts.get(id);
    if (account === undefined) {
      account = {
        open: 0,
        isOverfull: false,
        usedTokens: 0,
        allowedTokens: samplingLimits.tokensPerSession,
      };
      this.#accounts.set(id, account);
    }
    return account;
  }
}
