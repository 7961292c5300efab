/**
 * How much each server may sample: requests per minute, concurrent requests, tokens per session of the editor. Both
 * input and output tokens count, since both are paid for. Reports refusals to the user and the log.
 */
import { type ServerId, raisedBy, type ServerConfig } from '../config/serverConfig.ts';
import type { Clock } from '../../base/clock.ts';
import { RateLimit } from '../../base/rateLimit.ts';
import type { Log } from '../../base/log.ts';
import { RpcError, rpcCodes } from '../../mcp/errors.ts';
import type { Model } from '../models/model.ts';
import type { SamplingUi } from './samplingUi.ts';

export const samplingLimits = {
  /** Defaults of the server's entry. */
  perMinute: 10,
  atOnce: 3,
  tokensPerSession: 200_000,
} as const;

type SamplingAdmission =
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

export interface GateServices {
  readonly budget: SamplingBudget;
  readonly ui: Pick<SamplingUi, 'tell' | 'tellSpent'>;
  readonly log: (server: ServerConfig) => Log;
}

export class SamplingGate {
  readonly #services: GateServices;
  /** Servers whose user was told that their tokens are spent. */
  readonly #spent = new Set<ServerId>();

  constructor(services: GateServices) {
    this.#services = services;
  }

  /** @returns to be called when the request is over. @throws RpcError -32603 over a limit */
  admit(server: ServerConfig): () => void {
    const { budget, ui } = this.#services;
    const perMinute = server.limits?.samplingPerMinute ?? samplingLimits.perMinute;
    const admission = budget.admit(server.id, perMinute);
    switch (admission.kind) {
      case 'admitted':
        return admission.release;
      case 'atOnce':
        if (admission.isFirst) {
          ui.tell(server, { kind: 'tooManyAtOnce', atOnce: samplingLimits.atOnce });
        }
        throw this.refusal(
          server,
          `Too many sampling requests: ${samplingLimits.atOnce} are open already; try again once one of them is answered`,
        );
      case 'perMinute': {
        if (admission.isFirst) {
          ui.tell(server, { kind: 'tooMany', perMinute });
        }
        const seconds = Math.ceil(admission.retryAfterMs / 1000);
        throw this.refusal(
          server,
          `Too many sampling requests: at most ${perMinute} a minute, ${raisedBy('limits.samplingPerMinute')}; try again in ${seconds} s`,
        );
      }
      case 'tokens':
        throw this.#outOfTokens(server);
    }
  }

  /**
   * Charges a request to the budget.
   * @param tokens of the request
   * @returns the tokens that the answer may have
   * @throws RpcError -32603 for more than the model accepts, or than is left
   */
  reserve(server: ServerConfig, tokens: number, model: Pick<Model, 'maxInputTokens'>): number {
    const { budget } = this.#services;
    if (tokens > model.maxInputTokens) {
      throw this.refusal(
        server,
        `The messages are too long: ${tokens} tokens, and the model takes ${model.maxInputTokens}`,
      );
    }
    if (tokens >= budget.tokensLeft(server.id)) {
      throw this.#outOfTokens(server);
    }
    budget.spend(server.id, tokens);
    return budget.tokensLeft(server.id);
  }

  /** @param tokens of the answer */
  spend({ id }: ServerConfig, tokens: number): void {
    this.#services.budget.spend(id, tokens);
  }

  refusal(server: ServerConfig, message: string): RpcError {
    this.#services.log(server).warn(`Sampling refused. ${message}`);
    return new RpcError(rpcCodes.internalError, message);
  }

  #outOfTokens(server: ServerConfig): RpcError {
    const { budget, ui } = this.#services;
    const { tokensPerSession } = samplingLimits;
    if (!this.#spent.has(server.id)) {
      this.#spent.add(server.id);
      ui.tellSpent(server, tokensPerSession, () => {
        this.#spent.delete(server.id);
        budget.renew(server.id);
      });
    }
    return this.refusal(
      server,
      `The sampling budget of this session is spent: ${tokensPerSession} tokens; "Manage Sampling…" renews it`,
    );
  }
}
