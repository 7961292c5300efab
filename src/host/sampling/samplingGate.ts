/**
 * Limits what a server may use of the editor's language models: requests and tokens. Reports refusals to the user and
 * the log. Does not look at the content of requests.
 */
import type { Log } from '../../base/log.ts';
import { RpcError, rpcCodes } from '../../mcp/errors.ts';
import { raisedBy, type ServerConfig, type ServerId } from '../config/serverConfig.ts';
import type { Model } from '../models/model.ts';
import { type SamplingBudget, samplingLimits } from './samplingBudget.ts';
import type { SamplingUi } from './samplingUi.ts';

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
