/**
 * Sampling, for both eras: a server's request becomes a question to the user, a request to one of the editor's models,
 * a second question about the answer, and the answer to the server. Deprecated by revision 2026-07-28; all of it is in
 * this folder.
 */
import { toError } from '../../base/async.ts';
import type { Log } from '../../base/log.ts';
import { McpError, RpcError, isCancelled, isMcpError, rpcCodes } from '../../mcp/errors.ts';
import type { AskContext } from '../../mcp/session/session.ts';
import { blocksOf } from '../../mcp/samplingParams.ts';
import type { CreateMessageRequest, CreateMessageResult } from '../../mcp/types/clientFeatures.ts';
import { type Audit, audited, sizeOf } from '../audit/audit.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { Model, ModelCatalog } from '../models/model.ts';
import { later, type QuestionQueue } from '../questions/questionQueue.ts';
import {
  askModel,
  type ModelOutcome,
  type SampledAnswer,
  toMessage,
  countRequest,
  tokenCount,
} from './askModel.ts';
import { chooseModel } from './modelChoice.ts';
import { toModelRequest } from './modelRequest.ts';
import type { SamplingBudget } from './samplingBudget.ts';
import type { SamplingSettings } from './samplingSettings.ts';
import type {
  AnswerQuestion,
  SamplingDecision,
  SamplingQuestion,
  SamplingUi,
} from './samplingUi.ts';

/** The error code in the specification's examples for a user's no (SAMP-22). */
const userRejected = -1;

export interface SamplingServices {
  readonly budget: SamplingBudget;
  readonly log: (server: ServerConfig) => Log;
  readonly questions: QuestionQueue;
  readonly ui: SamplingUi;
  readonly models: ModelCatalog;
  readonly settings: SamplingSettings;
  readonly audit: Audit;
}

type Allowed = Pick<SamplingDecision & { readonly kind: 'allow' }, 'request' | 'model'> & {
  readonly because: 'asked' | 'session' | 'always';
};

export class Sampling {
  readonly #services: SamplingServices;

  constructor(services: SamplingServices) {
    this.#services = services;
  }

  /**
   * @throws RpcError for the server: -1 when the user says no, -32602 for content that no model accepts, -32603 over
   * budget, without a model, or when the model fails; McpError `cancelled` when the context's signal aborts
   */
  async sample(
    server: ServerConfig,
    request: CreateMessageRequest,
    context: AskContext,
  ): Promise<CreateMessageResult> {
    const subject = { event: 'sampling', caller: 'server' } as const;
    const inputSize = sizeOf(request.messages);
    const { audit, budget } = this.#services;
    return audited(audit, server, { ...subject, inputSize }, async (note) =>
      budget.run(server, async () => {
        // Fails before the user is asked about an impossible request.
        toModelRequest(request, server.name);
        const allowed = await this.#allow(server, request, context);
        const { model, because } = allowed;
        note(because === 'asked' ? { by: 'hand' } : { by: 'rule', because });
        note({ outcome: 'allowed', model: model.id });
        const answer = await this.#ask(server, allowed, context.signal);
        const sent = await this.#review(server, model, answer, context);
        note({ resultSize: sizeOf(sent) });
        return toMessage(sent, model, context.revision);
      }),
    );
  }

  async #allow(
    server: ServerConfig,
    request: CreateMessageRequest,
    { signal, revision }: AskContext,
  ): Promise<Allowed> {
    const { questions, ui, settings } = this.#services;
    const models = await this.#models(server);
    const choose = () => chooseModel(models, request.modelPreferences, settings.modelId(server));
    const withoutQuestion = (): Allowed | undefined => {
      const because = settings.allowance(server);
      const model = choose()?.model;
      return because && model && { request, model, because };
    };
    let putOff: Omit<SamplingQuestion, 'isAnswerReviewed'> | undefined;
    const text = blocksOf(request.messages.at(-1) ?? { content: [] }).find(
      (block) => block.type === 'text',
    )?.text;
    const decided =
      withoutQuestion() ??
      (await questions.run<Allowed | undefined>(
        { server: server.name, serverId: server.id, about: 'sampling', text },
        async (turn) => {
          // The user may have allowed the server for longer while this request waited.
          const known = withoutQuestion();
          const choice = choose();
          if ((known !== undefined && putOff === undefined) || choice === undefined) {
            return known;
          }
          const isAnswerReviewed = !settings.isAnswerUnseen(server);
          const question = putOff ?? { server, revision, request, choice, models, isEdited: false };
          const decision = await ui.approve({ ...question, isAnswerReviewed }, turn);
          if (turn.signal.aborted) {
            ui.tell(server, { kind: 'withdrawn' });
            turn.signal.throwIfAborted();
          }
          if (decision.kind === 'later') {
            putOff = decision.question;
            return later;
          }
          return this.#take(server, decision);
        },
        signal,
      ));
    if (decided === undefined) {
      this.#services.log(server).info('Sampling: denied by the user');
      throw new RpcError(userRejected, 'User rejected sampling request');
    }
    return decided;
  }

  async #take(
    server: ServerConfig,
    decision: Exclude<SamplingDecision, { kind: 'later' }>,
  ): Promise<Allowed | undefined> {
    if (decision.kind === 'deny') {
      return undefined;
    }
    const { scope, request, model, isOwnModel } = decision;
    if (scope !== 'once') {
      await this.#services.settings.allow(server, scope, isOwnModel ? model.id : undefined);
    }
    return { request, model, because: 'asked' };
  }

  async #models(server: ServerConfig): Promise<readonly Model[]> {
    const models = await this.#services.models.list();
    if (models.length === 0) {
      this.#services.ui.tell(server, { kind: 'noModel' });
      throw this.#services.budget.refusal(server, 'The editor has no language model');
    }
    return models;
  }

  async #ask(
    server: ServerConfig,
    { request, model, because }: Allowed,
    signal: AbortSignal,
  ): Promise<SampledAnswer> {
    const { budget, ui } = this.#services;
    const log = this.#services.log(server);
    const note = (sentence: string): void => log.info(`Sampling: ${sentence}`);
    const prepared = toModelRequest(request, server.name);
    note(
      `allowed (${because}), ${request.messages.length} messages to ${model.name} (${model.id}), at most ${request.maxTokens} tokens`,
    );
    prepared.notes.forEach(note);
    const count = tokenCount(model, signal, note);
    const tokens = await countRequest(prepared.forModel, count);
    const maxTokens = Math.min(request.maxTokens, budget.reserve(server, tokens, model));
    try {
      const outcome = await ui.whileAsking(server, model, signal, async (during) =>
        askModel(
          {
            model,
            prepared,
            maxTokens,
            stopSequences: request.stopSequences ?? [],
            count,
            note,
          },
          during,
        ),
      );
      budget.spend(server.id, outcome.tokens);
      note(`${describe(outcome)} came back`);
      return outcome.answer;
    } catch (error) {
      throw this.#failure(server, error, signal);
    }
  }

  #failure(server: ServerConfig, error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) {
      return error;
    }
    const { log, ui } = this.#services;
    const code = isMcpError(error) ? error.code : undefined;
    const reason = toError(error).message;
    if (isCancelled(error) || code === 'denied') {
      log(server).info(`Sampling: stopped by the user: ${reason}`);
      return new RpcError(userRejected, 'User rejected sampling request');
    }
    log(server).error(`Sampling failed. ${reason}`);
    ui.tell(server, { kind: 'failed', reason });
    // The provider's words about itself and the user's account are not for the server.
    return new RpcError(rpcCodes.internalError, 'The language model failed');
  }

  async #review(
    server: ServerConfig,
    model: Model,
    answer: SampledAnswer,
    { signal, revision }: AskContext,
  ): Promise<SampledAnswer> {
    const { questions, ui, settings, log } = this.#services;
    signal.throwIfAborted();
    if (settings.isAnswerUnseen(server)) {
      log(server).info('Sampling: the answer was sent without a review, as the user set it');
      return answer;
    }
    let question: AnswerQuestion = { server, revision, model, answer, isEdited: false };
    const decision = await questions.run(
      { server: server.name, serverId: server.id, about: 'sampledAnswer' },
      async (turn) => {
        const given = await ui.review(question, turn);
        if (turn.signal.aborted) {
          ui.tell(server, { kind: 'withdrawn' });
          throw new McpError('cancelled', 'The server withdrew its request');
        }
        if (given.kind === 'later') {
          ({ question } = given);
          return later;
        }
        return given;
      },
      signal,
    );
    if (decision.kind === 'discard') {
      log(server).info('Sampling: the answer was discarded by the user');
      throw new RpcError(userRejected, 'User rejected the sampled message');
    }
    return decision.answer;
  }
}

function describe({ answer, tokens }: ModelOutcome): string {
  return `an answer of ${tokens} tokens (${answer.stopReason})`;
}
