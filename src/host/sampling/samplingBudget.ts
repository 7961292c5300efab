/**
 * How much each server may sample: requests per minute, concurrent requests, tokens per session of the editor. Both
 * input and output tokens count, since both are paid for. Reports refusals to the user and the log.
 */
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { RpcError, rpcCodes } from '../../mcp/errors.ts';
import type { Model } from '../models/model.ts';
import { RequestLimit } from '../questions/requestLimit.ts';
import type { SamplingUi } from './samplingUi.ts';

export const samplingLimits = {
  /** Defaults of the server's entry. */
  perMinute: 10,
  atOnce: 3,
  tokensPerSession: 200_000,
} as const;

interface BudgetServices {
  readonly clock: Clock;
  readonly ui: Pick<SamplingUi, 'tell'>;
  readonly log: (server: ServerConfig) => Log;
}

interface Tokens {
  used: number;
  allowed: number;
  /** The user was told that they are spent. */
  isTold: boolean;
}

export class SamplingBudget {
  readonly #services: BudgetServices;
  readonly #limit: RequestLimit;
  readonly #tokens = new Map<ServerId, Tokens>();

  constructor(services: BudgetServices) {
    this.#services = services;
    const { atOnce: maxOpen, perMinute } = samplingLimits;
    this.#limit = new RequestLimit(
      { what: 'sampling requests', maxOpen, perMinute, setting: 'samplingPerMinute' },
      services.clock,
    );
  }

  /** Runs the request. @throws RpcError -32603 over a limit */
  async run<T>(server: ServerConfig, request: () => Promise<T>): Promise<T> {
    if (this.tokensLeft(server.id) <= 0) {
      throw this.#outOfTokens(server);
    }
    return this.#limit.run(
      server,
      (message, notice) => {
        if (notice !== undefined) {
          this.#services.ui.tell(server, notice);
        }
        return this.refusal(server, message);
      },
      request,
    );
  }

  /**
   * Charges a request to the budget with all that its answer may have: others may run beside it. {@link settle} gives back
   * what the answer did not need.
   * @param tokens of the request
   * @param wanted tokens of the answer
   * @returns the tokens that the answer may have
   * @throws RpcError -32603 for more than the model accepts, or than is left
   */
  reserve(
    server: ServerConfig,
    tokens: number,
    wanted: number,
    model: Pick<Model, 'maxInputTokens'>,
  ): number {
    if (tokens > model.maxInputTokens) {
      throw this.refusal(
        server,
        `The messages are too long: ${tokens} tokens, and the model takes ${model.maxInputTokens}`,
      );
    }
    if (tokens >= this.tokensLeft(server.id)) {
      throw this.#outOfTokens(server);
    }
    const answer = Math.min(wanted, this.tokensLeft(server.id) - tokens);
    this.spend(server.id, tokens + answer);
    return answer;
  }

  /** @param reserved what {@link reserve} returned */
  settle(id: ServerId, reserved: number, used: number): void {
    this.spend(id, used - reserved);
  }

  tokensUsed(id: ServerId): number {
    return this.#tokensOf(id).used;
  }

  tokensLeft(id: ServerId): number {
    const { allowed, used } = this.#tokensOf(id);
    return allowed - used;
  }

  spend(id: ServerId, tokens: number): void {
    this.#tokensOf(id).used += tokens;
  }

  /** Gives the server the same budget again, counted from now. */
  renew(id: ServerId): void {
    const tokens = this.#tokensOf(id);
    tokens.allowed = tokens.used + samplingLimits.tokensPerSession;
    tokens.isTold = false;
  }

  refusal(server: ServerConfig, message: string): RpcError {
    this.#services.log(server).warn(`Sampling refused. ${message}`);
    return new RpcError(rpcCodes.internalError, message);
  }

  #outOfTokens(server: ServerConfig): RpcError {
    const { tokensPerSession } = samplingLimits;
    const spent = this.#tokensOf(server.id);
    if (!spent.isTold) {
      spent.isTold = true;
      const allowMore = (): void => this.renew(server.id);
      this.#services.ui.tell(server, { kind: 'spent', tokens: tokensPerSession, allowMore });
    }
    return this.refusal(
      server,
      `The sampling budget of this session is spent: ${tokensPerSession} tokens; "Manage Sampling…" renews it`,
    );
  }

  #tokensOf(id: ServerId): Tokens {
    const known = this.#tokens.get(id);
    const tokens = known ?? { used: 0, allowed: samplingLimits.tokensPerSession, isTold: false };
    this.#tokens.set(id, tokens);
    return tokens;
  }
}
