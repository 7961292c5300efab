/**
 * Sampling, for both eras: a server's request becomes a question to the user, a request to one of the editor's models,
 * a second question about the answer, and the answer to the server. Deprecated by revision 2026-07-28; all of it is in
 * this folder.
 */
import { toError } from '../../base/async.ts';
import type { Log } from '../../base/log.ts';
import { RpcError, isCancelled, isMcpError, rpcCodes } from '../../mcp/errors.ts';
import type { AskContext } from '../../mcp/session/session.ts';
import { blocksOf } from '../../mcp/samplingParams.ts';
import type { CreateMessageRequest, CreateMessageResult } from '../../mcp/types/clientFeatures.ts';
import { type Audit, audited, sizeOf } from '../audit/audit.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import { type Model, idWithVendor } from '../models/model.ts';
import { later, type QuestionQueue, type Turn } from '../questions/questionQueue.ts';
import {
  askModel,
  countRequest,
  type SampledAnswer,
  stopReasonOf,
  toMessage,
  tokenCount,
  tokensByLength,
} from './askModel.ts';
import { chooseModel } from './modelChoice.ts';
import { toModelRequest } from './modelRequest.ts';
import type { SamplingBudget } from './samplingBudget.ts';
import type { SamplingSettings } from './samplingSettings.ts';
import type { AnswerDraft, RequestDraft, SamplingCaller, SamplingUi } from './samplingUi.ts';

/** The error code in the specification's examples for a user's no (SAMP-22). */
const userRejected = -1;

export interface SamplingServices {
  readonly budget: SamplingBudget;
  readonly log: (server: ServerConfig) => Log;
  readonly questions: QuestionQueue;
  readonly ui: SamplingUi;
  /** Those that the editor offers now. */
  readonly models: () => Promise<readonly Model[]>;
  readonly settings: SamplingSettings;
  readonly audit: Audit;
}

export interface SamplingContext extends AskContext {
  /** Absent: the server itself. */
  readonly caller?: SamplingCaller;
}

/** What the user has allowed a server for longer says nothing of its apps. */
export function hasAllowances(caller: SamplingCaller): boolean {
  return caller === 'server';
}

interface Allowed {
  readonly request: CreateMessageRequest;
  readonly model: Model;
  readonly because: 'asked' | 'session' | 'always';
}

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
    context: SamplingContext,
  ): Promise<CreateMessageResult> {
    const { caller = 'server' } = context;
    const subject = { event: 'sampling', caller } as const;
    const inputSize = sizeOf(request.messages);
    const { audit, budget } = this.#services;
    return audited(audit, server, { ...subject, inputSize }, async (note) =>
      budget.run(server, async () => {
        // Fails before the user is asked about an impossible request.
        toModelRequest(request, server.name);
        const allowed = await this.#allow(server, request, { ...context, caller });
        const { model, because } = allowed;
        note(because === 'asked' ? { by: 'hand' } : { by: 'rule', because });
        note({ outcome: 'allowed', model: model.id });
        const answer = await this.#ask(server, allowed, context.signal);
        const sent = await this.#review(server, model, answer, { ...context, caller });
        note({ resultSize: sizeOf(sent) });
        return toMessage(sent, model, context.revision);
      }),
    );
  }

  async #allow(
    server: ServerConfig,
    request: CreateMessageRequest,
    { signal, revision, caller }: Required<SamplingContext>,
  ): Promise<Allowed> {
    const { questions, ui, settings, budget } = this.#services;
    const [first, ...others] = await this.#services.models();
    if (first === undefined) {
      ui.tell(server, { kind: 'noModel' });
      throw budget.refusal(server, 'The editor has no language model');
    }
    const models = [first, ...others] as const;
    const choose = () => chooseModel(models, request.modelPreferences, settings.modelId(server));
    const withoutQuestion = (): Allowed | undefined => {
      const because = hasAllowances(caller) ? settings.allowance(server) : undefined;
      const choice = choose();
      // What the user allowed to one model is not allowed to another.
      const isOther = choice.because.kind !== 'user' && settings.modelId(server) !== undefined;
      return isOther ? undefined : because && { request, model: choice.model, because };
    };
    const text = blocksOf(request.messages.at(-1) ?? { content: [] }).find(
      (block) => block.type === 'text',
    )?.text;
    let draft: RequestDraft | undefined;
    const ask = async (turn: Turn): Promise<Allowed | 'denied' | typeof later> => {
      // The user may have allowed the server for longer while this request waited.
      const known = draft === undefined ? withoutQuestion() : undefined;
      if (known !== undefined) {
        return known;
      }
      const isAnswerReviewed = !this.#isAnswerUnseen(server, caller);
      draft = {
        ...(draft ?? {
          server,
          caller,
          revision,
          models,
          request,
          choice: choose(),
          isEdited: false,
        }),
        isAnswerReviewed,
      };
      const decision = await ui.approve(draft, turn);
      this.#throwIfWithdrawn(server, turn);
      if (decision === 'later' || decision === 'deny') {
        return decision === 'later' ? later : 'denied';
      }
      const { model, because } = draft.choice;
      if (decision !== 'once') {
        const isForModel = because.kind === 'user' || settings.modelId(server) !== undefined;
        await settings.allow(server, decision, isForModel ? idWithVendor(model) : undefined);
      }
      return { request: draft.request, model, because: 'asked' };
    };
    const question = { server: server.name, serverId: server.id, about: 'sampling', text } as const;
    const allowed = withoutQuestion() ?? (await questions.run(question, ask, signal));
    if (allowed === 'denied') {
      throw this.#rejection(server, 'denied by the user');
    }
    return allowed;
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
    const maxTokens = budget.reserve(server, tokens, request.maxTokens, model);
    const { stopSequences = [] } = request;
    let received = 0;
    const onPart = (chars: number): void => {
      received += chars;
    };
    const task = { model, prepared, maxTokens, stopSequences, count, note, onPart };
    try {
      const outcome = await ui.whileAsking(server, model, signal, async (during) =>
        askModel(task, during),
      );
      budget.settle(server.id, maxTokens, outcome.tokens);
      note(`an answer of ${outcome.tokens} tokens (${stopReasonOf(outcome.answer)}) came back`);
      return outcome.answer;
    } catch (error) {
      // What came is paid for, whoever did not want the rest; nothing can be counted any more.
      budget.settle(server.id, maxTokens, tokensByLength(received));
      throw this.#failure(server, error, signal);
    }
  }

  #failure(server: ServerConfig, error: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) {
      return error;
    }
    const { log, ui } = this.#services;
    const reason = toError(error).message;
    if (isCancelled(error) || (isMcpError(error) && error.code === 'denied')) {
      return this.#rejection(server, `stopped by the user: ${reason}`);
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
    { signal, revision, caller }: Required<SamplingContext>,
  ): Promise<SampledAnswer> {
    const { questions, ui, log } = this.#services;
    if (this.#isAnswerUnseen(server, caller)) {
      log(server).info('Sampling: the answer was sent without a review, as the user set it');
      return answer;
    }
    const draft: AnswerDraft = { server, caller, revision, model, answer, isEdited: false };
    const question = { server: server.name, serverId: server.id, about: 'sampledAnswer' } as const;
    const ask = async (turn: Turn): Promise<'send' | 'discard' | typeof later> => {
      const decision = await ui.review(draft, turn);
      this.#throwIfWithdrawn(server, turn);
      return decision === 'later' ? later : decision;
    };
    if ((await questions.run(question, ask, signal)) === 'discard') {
      const why = 'the answer was discarded by the user';
      throw this.#rejection(server, why, 'User rejected the sampled message');
    }
    return draft.answer;
  }

  #isAnswerUnseen(server: ServerConfig, caller: SamplingCaller): boolean {
    return hasAllowances(caller) && this.#services.settings.isAnswerUnseen(server);
  }

  /** Tells the user that an answer came too late. */
  #throwIfWithdrawn(server: ServerConfig, { signal }: Turn): void {
    if (signal.aborted) {
      this.#services.ui.tell(server, { kind: 'withdrawn' });
      signal.throwIfAborted();
    }
  }

  #rejection(
    server: ServerConfig,
    why: string,
    message = 'User rejected sampling request',
  ): RpcError {
    this.#services.log(server).info(`Sampling: ${why}`);
    return new RpcError(userRejected, message);
  }
}
