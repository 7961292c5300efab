/** A Sampling whose user and model a test plays. */
import assert from 'node:assert/strict';
import type { AuditEntry } from '../../src/host/audit/audit.ts';
import { QuestionQueue, type Turn } from '../../src/host/questions/questionQueue.ts';
import { Sampling } from '../../src/host/sampling/sampling.ts';
import { SamplingBudget } from '../../src/host/sampling/samplingBudget.ts';
import { SamplingSettings } from '../../src/host/sampling/samplingSettings.ts';
import type {
  AnswerDecision,
  AnswerQuestion,
  SamplingDecision,
  SamplingNotice,
  SamplingQuestion,
  SamplingScope,
  SamplingUi,
} from '../../src/host/sampling/samplingUi.ts';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import type { Model, ModelPart, ModelRequest } from '../../src/host/models/model.ts';
import type { CreateMessageRequest } from '../../src/mcp/types/clientFeatures.ts';
import { FakeMemory } from './fakeApprovals.ts';
import { FakeClock } from './fakeClock.ts';
import { FakeLogs } from './fakeLogs.ts';

export function userSays(
  text: string,
  more: Partial<CreateMessageRequest> = {},
): CreateMessageRequest {
  return {
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 1_000,
    ...more,
  };
}

/** Counts one token for each character, and says `parts`. */
export class ScriptedModel implements Model {
  readonly id: string;
  readonly name: string;
  readonly vendor = 'fake';
  readonly family: string;
  readonly maxInputTokens: number;
  readonly requests: ModelRequest[] = [];
  readonly counted: string[] = [];
  /** What comes; a function may wait or throw. */
  parts: readonly (ModelPart | ((signal: AbortSignal) => Promise<ModelPart>))[] = [
    { kind: 'text', text: 'Hello' },
  ];
  /** Parts that were taken from it. */
  given = 0;
  isStopped = false;
  countError: Error | undefined;

  constructor(name = 'fake', maxInputTokens = 1_000_000) {
    this.id = name;
    this.name = name;
    this.family = name;
    this.maxInputTokens = maxInputTokens;
  }

  async *send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    this.requests.push(request);
    signal.addEventListener('abort', () => {
      this.isStopped = true;
    });
    for (const part of this.parts) {
      signal.throwIfAborted();
      this.given += 1;
      yield typeof part === 'function' ? await part(signal) : part;
    }
  }

  async countTokens(text: string): Promise<number> {
    this.counted.push(text);
    if (this.countError !== undefined) {
      throw this.countError;
    }
    return text.length;
  }
}

/** Allows once and sends, unless a test says otherwise. */
export class FakeSampling implements SamplingUi {
  readonly approvals: SamplingQuestion[] = [];
  readonly reviews: AnswerQuestion[] = [];
  readonly notices: SamplingNotice[] = [];
  readonly renewals: (() => void)[] = [];
  readonly audit: AuditEntry[] = [];
  readonly memory = new FakeMemory();
  readonly clock = new FakeClock();
  readonly logs = new FakeLogs();
  readonly questions = new QuestionQueue();
  readonly model = new ScriptedModel();
  models: readonly Model[] = [this.model];
  isTrusted = false;
  readonly budget = new SamplingBudget({
    clock: this.clock,
    ui: this,
    log: (server) => this.logs.open(server).log,
  });
  settings = this.#createSettings();
  sampling = this.#createSampling();
  answer: (
    question: SamplingQuestion,
    signal: AbortSignal,
  ) => SamplingDecision | Promise<SamplingDecision> = allowing('once');
  judge: (
    question: AnswerQuestion,
    signal: AbortSignal,
  ) => AnswerDecision | Promise<AnswerDecision> = ({ answer }) => ({ kind: 'send', answer });
  /** Stops the model, as the user's Cancel does. */
  stop = new AbortController();

  /** As after a new start of the window. */
  reopen(): void {
    this.settings = this.#createSettings();
    this.sampling = this.#createSampling();
  }

  async approve(question: SamplingQuestion, { signal }: Turn): Promise<SamplingDecision> {
    this.approvals.push(question);
    return this.answer(question, signal);
  }

  async review(question: AnswerQuestion, { signal }: Turn): Promise<AnswerDecision> {
    this.reviews.push(question);
    return this.judge(question, signal);
  }

  async whileAsking<T>(
    _server: ServerConfig,
    _model: Model,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return task(AbortSignal.any([signal, this.stop.signal]));
  }

  tell(_server: ServerConfig, notice: SamplingNotice): void {
    this.notices.push(notice);
  }

  tellSpent(_server: ServerConfig, _tokens: number, allowMore: () => void): void {
    this.renewals.push(allowMore);
  }

  #createSettings(): SamplingSettings {
    return new SamplingSettings(this.memory, { isTrusted: () => this.isTrusted });
  }

  #createSampling(): Sampling {
    return new Sampling({
      questions: this.questions,
      ui: this,
      models: { list: async () => this.models },
      settings: this.settings,
      budget: this.budget,
      log: (server) => this.logs.open(server).log,
      audit: { record: (entry) => this.audit.push(entry) },
    });
  }
}

export function allowing(
  scope: SamplingScope,
  more: Partial<SamplingDecision & { readonly kind: 'allow' }> = {},
): (question: SamplingQuestion) => SamplingDecision {
  return ({ request, choice: { model } }) => ({
    kind: 'allow',
    scope,
    request,
    model,
    isOwnModel: false,
    ...more,
  });
}

/** The part of an answer during which this is aborted. */
export function aborting(controller: AbortController): ScriptedModel['parts'][number] {
  return async (signal) => {
    controller.abort();
    signal.throwIfAborted();
    return assert.fail('the model was not stopped');
  };
}
